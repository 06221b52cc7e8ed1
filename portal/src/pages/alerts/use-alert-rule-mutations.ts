import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { alertRulesQueryKey } from '../../definitions/definition-queries';
import {
  deleteAlertRule,
  type DeleteRequest,
  readAlertRule,
  replaceAlertRule,
  type ReplaceRequest,
} from '../../definitions/definition-requests';
import { changeLatestVersion, changeIfUnmodified } from '../../definitions/edit-conflict';
import { useGrid } from '../../session/use-session';

type AlertRuleModel = Schemas['AlertRuleModel'];

/** Mutations of alert rules. `watch` enables or disables a rule. */
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
    // Based on the current version: another user may have changed the rule since it was listed. `isDefault` is read-only.
    mutationFn: ({ ruleId, enabled }: { readonly ruleId: string; readonly enabled: boolean }) =>
      changeLatestVersion(
        () => readAlertRule(gridSecondaryId, ruleId),
        ({ record: { id, isDefault: _, ...body }, etag }) =>
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
    // Not awaited: the editor is closed before the list is reloaded.
    onSuccess: () => void refresh(),
  });
  return { create, replace, watch, remove };
}
