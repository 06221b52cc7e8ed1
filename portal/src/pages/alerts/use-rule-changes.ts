import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { rulesKey } from '../../charts/use-rules';
import { changeLatest, unlessChanged } from '../../definitions/changed-meanwhile';
import { deleteRule, type Deleting } from '../../definitions/delete-definition';
import { readRule } from '../../definitions/read-definition';
import { replaceRule, type Replacing } from '../../definitions/replace-definition';
import { useGrid } from '../../session/use-session';

type Model = Schemas['AlertRuleModel'];

/** What a Member does with alert rules. */
export function useRuleChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  // Disabling and deleting resolve alerts.
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rulesKey(gridSecondaryId) }),
      queries.invalidateQueries({ queryKey: ['diagnostic', gridSecondaryId, 'alerts'] }),
    ]);
  const create = useMutation({
    mutationFn: (body: Model) =>
      answerOf(api.POST('/admin/grids/{gridSecondaryId}/alert-rules', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: Replacing<Model>) =>
      unlessChanged(
        'rule',
        () => replaceRule(gridSecondaryId, replacing),
        () => readRule(gridSecondaryId, replacing.id),
      ),
    onSuccess: refresh,
  });
  const watch = useMutation({
    // All else as it is now: somebody may have changed the rule since it was listed.
    mutationFn: ({ ruleId, enabled }: { readonly ruleId: string; readonly enabled: boolean }) =>
      changeLatest(
        () => readRule(gridSecondaryId, ruleId),
        ({ record: { id, ...body }, etag }) => replaceRule(gridSecondaryId, { id, body: { ...body, enabled }, etag }),
      ),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (deleting: Deleting) =>
      unlessChanged(
        'rule',
        () => deleteRule(gridSecondaryId, deleting),
        () => readRule(gridSecondaryId, deleting.id),
      ),
    // Not waited for: the page of the rule is left before the list comes without it.
    onSuccess: () => void refresh(),
  });
  return { create, replace, watch, remove };
}
