import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { ChangedMeanwhile, unlessChanged } from '../../definitions/changed-meanwhile';
import { deleteDashboard, type Deleting } from '../../definitions/delete-definition';
import { readDashboard } from '../../definitions/read-definition';
import { replaceDashboard, type Replacing } from '../../definitions/replace-definition';
import { useGrid } from '../../session/use-session';

type Model = Schemas['DashboardModel'];

/** What a Member does with a dashboard. Lists of dashboards are asked for anew after each. */
export function useDashboardChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
  const show = (dashboard: Schemas['Dashboard']): void =>
    void queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
  const showTheirs = (error: Error): void => {
    if (error instanceof ChangedMeanwhile) show((error as ChangedMeanwhile<Schemas['Dashboard']>).theirs.record);
  };
  const create = useMutation({
    mutationFn: (body: Model) =>
      answerOf(api.POST('/admin/grids/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (deleting: Deleting) =>
      unlessChanged(
        'dashboard',
        () => deleteDashboard(gridSecondaryId, deleting),
        () => readDashboard(gridSecondaryId, deleting.id),
      ),
    onError: showTheirs,
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: (replacing: Replacing<Model>) =>
      unlessChanged(
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
