import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { useGrid } from '../../session/use-session';

type Model = Schemas['DashboardModel'];

/** What a Member does with a dashboard. Lists of dashboards are asked for anew after each. */
export function useDashboardChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
  const create = useMutation({
    mutationFn: (body: Model) => answerOf(api.POST('/admin/grids/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (dashboardId: string) => answerOf(api.DELETE('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { gridSecondaryId, dashboardId } } })),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: ({ dashboardId, body }: { readonly dashboardId: string; readonly body: Model }) =>
      answerOf(api.PUT('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { gridSecondaryId, dashboardId } }, body })),
    onSuccess: (dashboard) => {
      queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
      return refresh();
    },
  });
  return { create, remove, replace };
}
