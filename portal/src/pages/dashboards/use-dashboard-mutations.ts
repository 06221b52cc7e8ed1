import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { dashboardQueryKey, dashboardsQueryKey } from '../../definitions/definition-queries';
import {
  deleteDashboard,
  type DeleteRequest,
  readDashboard,
  replaceDashboard,
  type ReplaceRequest,
} from '../../definitions/definition-requests';
import { EditConflictError, changeIfUnmodified } from '../../definitions/edit-conflict';
import { useGrid } from '../../session/use-session';

type DashboardModel = Schemas['DashboardModel'];

/** Mutations of dashboards. Each reloads the list of dashboards. */
export function useDashboardMutations() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsQueryKey(gridSecondaryId) });
  const updateCache = (dashboard: Schemas['Dashboard']): void =>
    void queries.setQueryData(dashboardQueryKey(gridSecondaryId, dashboard.id), dashboard);
  const showConflictingVersion = (error: Error): void => {
    if (error instanceof EditConflictError)
      updateCache((error as EditConflictError<Schemas['Dashboard']>).theirs.record);
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
    onError: showConflictingVersion,
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: ReplaceRequest<DashboardModel>) =>
      changeIfUnmodified(
        'dashboard',
        () => replaceDashboard(gridSecondaryId, replacing),
        () => readDashboard(gridSecondaryId, replacing.id),
      ),
    onError: showConflictingVersion,
    onSuccess: ({ record }) => {
      updateCache(record);
      return refresh();
    },
  });
  return { create, remove, replace };
}
