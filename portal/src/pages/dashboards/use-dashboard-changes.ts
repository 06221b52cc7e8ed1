import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { ChangedMeanwhile, unlessChanged } from '../../definitions/changed-meanwhile';
import { readDashboard } from '../../definitions/read-definition';
import { replaceDashboard, type Replacing } from '../../definitions/replace-definition';
import { useGrid } from '../../session/use-session';

type Model = Schemas['DashboardModel'];

/** What a Member does with a dashboard. Lists of dashboards are asked for anew after each. */
export function useDashboardChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
  const show = (dashboard: Schemas['Dashboard']): void => void queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
  const create = useMutation({
    mutationFn: (body: Model) => answerOf(api.POST('/admin/grids/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (dashboardId: string) => answerOf(api.DELETE('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { gridSecondaryId, dashboardId } } })),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: Replacing<Model>) => unlessChanged('dashboard', () => replaceDashboard(gridSecondaryId, replacing), () => readDashboard(gridSecondaryId, replacing.id)),
    onError: (error) => {
      if (error instanceof ChangedMeanwhile) show((error as ChangedMeanwhile<Schemas['Dashboard']>).theirs.record);
    },
    onSuccess: ({ record }) => {
      show(record);
      return refresh();
    },
  });
  return { create, remove, replace };
}
