import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { dashboardQueryKey, dashboardsQueryKey } from '../../definitions/definition-queries';
import { EditConflictError, changeIfUnmodified } from '../../definitions/edit-conflict';
import {
  deleteDashboard,
  type DeleteRequest,
  readDashboard,
  replaceDashboard,
  type ReplaceRequest,
} from '../../definitions/definition-requests';
import { useGrid } from '../../session/use-session';

type DashboardModel = Schemas['DashboardModel'];

/** What a Member does with a dashboard. Lists of dashboards are asked for anew after each. */
export function useDashboardMutations() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsQueryKey(gridSecondaryId) });
  const show = (dashboard: Schemas['Dashboard']): void =>
    void queries.setQueryData(dashboardQueryKey(gridSecondaryId, dashboard.id), dashboard);
  const showTheirs = (error: Error): void => {
    if (error instanceof EditConflictError) show((error as EditConflictError<Schemas['Dashboard']>).theirs.record);
  };
  const create = useMutation({
    mutationFn: (body: DashboardModel) =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, body }),
      ),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (deleting: DeleteRequest) =>
      changeIfUnmodified(
        'dashboard',
        () => deleteDashboard(gridSecondaryId, deleting),
        () => readDashboard(gridSecondaryId, deleting.id),
      ),
    onError: showTheirs,
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: ReplaceRequest<DashboardModel>) =>
      changeIfUnmodified(
        'dashboard',
        () => replaceDashboard(gridSecondaryId, replacing),
        () => readDashboard(gridSecondaryId, replacing.id),
      ),
    onError: showTheirs,
    onSuccess: ({ record }) => {
      show(record);
      return refresh();
    },
  });
  return { create, remove, replace };
}
