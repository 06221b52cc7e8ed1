import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { alertRulesQueryKey } from '../../definitions/definition-queries';
import { changeLatestVersion, changeIfUnmodified } from '../../definitions/edit-conflict';
import {
  deleteAlertRule,
  type DeleteRequest,
  readAlertRule,
  replaceAlertRule,
  type ReplaceRequest,
} from '../../definitions/definition-requests';
import { useGrid } from '../../session/use-session';

type AlertRuleModel = Schemas['AlertRuleModel'];

/** What a Member does with alert rules. */
export function useAlertRuleMutations() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  // Disabling and deleting resolve alerts.
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queries.invalidateQueries({ queryKey: alertRulesQueryKey(gridSecondaryId) }),
      queries.invalidateQueries({ queryKey: ['diagnostic', gridSecondaryId, 'alerts'] }),
    ]);
  const create = useMutation({
    mutationFn: (body: AlertRuleModel) =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/alert-rules', { params: { path: { gridSecondaryId } }, body }),
      ),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: ReplaceRequest<AlertRuleModel>) =>
      changeIfUnmodified(
        'rule',
        () => replaceAlertRule(gridSecondaryId, replacing),
        () => readAlertRule(gridSecondaryId, replacing.id),
      ),
    onSuccess: refresh,
  });
  const watch = useMutation({
    // All else as it is now: somebody may have changed the rule since it was listed.
    mutationFn: ({ ruleId, enabled }: { readonly ruleId: string; readonly enabled: boolean }) =>
      changeLatestVersion(
        () => readAlertRule(gridSecondaryId, ruleId),
        ({ record: { id, ...body }, etag }) =>
          replaceAlertRule(gridSecondaryId, { id, body: { ...body, enabled }, etag }),
      ),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (deleting: DeleteRequest) =>
      changeIfUnmodified(
        'rule',
        () => deleteAlertRule(gridSecondaryId, deleting),
        () => readAlertRule(gridSecondaryId, deleting.id),
      ),
    // Not waited for: the page of the rule is left before the list comes without it.
    onSuccess: () => void refresh(),
  });
  return { create, replace, watch, remove };
}
