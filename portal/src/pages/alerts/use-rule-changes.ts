import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { rulesKey } from '../../charts/use-rules';
import { useGrid } from '../../session/use-session';

type Model = Schemas['AlertRuleModel'];

/** What a Member does with alert rules. */
export function useRuleChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  // Disabling and deleting resolve alerts.
  const refresh = (): Promise<unknown> => Promise.all([queries.invalidateQueries({ queryKey: rulesKey(gridSecondaryId) }), queries.invalidateQueries({ queryKey: ['diagnostic', gridSecondaryId, 'alerts'] })]);
  const save = useMutation({
    mutationFn: ({ ruleId, body }: { readonly ruleId?: string; readonly body: Model }) =>
      ruleId === undefined
        ? answerOf(api.POST('/admin/grids/{gridSecondaryId}/alert-rules', { params: { path: { gridSecondaryId } }, body }))
        : answerOf(api.PUT('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', { params: { path: { gridSecondaryId, ruleId } }, body })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (ruleId: string) => answerOf(api.DELETE('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', { params: { path: { gridSecondaryId, ruleId } } })),
    // Not waited for: the page of the rule is left before the list comes without it.
    onSuccess: () => void refresh(),
  });
  return { save, remove };
}
