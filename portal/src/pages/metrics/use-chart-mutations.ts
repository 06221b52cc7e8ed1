import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { dashboardQueryKey, dashboardsQueryKey } from '../../definitions/definition-queries';
import {
  deleteChart,
  type DeleteRequest,
  readChart,
  readDashboard,
  replaceChart,
  replaceDashboard,
  type ReplaceRequest,
} from '../../definitions/definition-requests';
import { changeLatestVersion, changeIfUnmodified } from '../../definitions/edit-conflict';
import { useGrid } from '../../session/use-session';
import { findFreePosition } from '../dashboards/dashboard-layout';

/** Mutations of charts. `place` adds a chart to a dashboard. */
export function useChartMutations() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (body: Schemas['ChartModel']) =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/charts', { params: { path: { gridSecondaryId } }, body }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const replace = useMutation({
    mutationFn: (replacing: ReplaceRequest<Schemas['ChartModel']>) =>
      changeIfUnmodified(
        'chart',
        () => replaceChart(gridSecondaryId, replacing),
        () => readChart(gridSecondaryId, replacing.id),
      ),
    // Its data, and its title and type on dashboards.
    onSuccess: (_, { id: chartId }) =>
      Promise.all(
        [
          ['charts', gridSecondaryId],
          ['chart-points', gridSecondaryId, chartId],
          ['chart-data', gridSecondaryId, chartId],
          ['dashboard', gridSecondaryId],
          dashboardsQueryKey(gridSecondaryId),
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  const remove = useMutation({
    mutationFn: (deleting: DeleteRequest) =>
      changeIfUnmodified(
        'chart',
        () => deleteChart(gridSecondaryId, deleting),
        () => readChart(gridSecondaryId, deleting.id),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const place = useMutation({
    // Based on the current version: another user may have changed the dashboard since it was listed.
    mutationFn: ({ dashboardId, chartId }: { readonly dashboardId: string; readonly chartId: string }) =>
      changeLatestVersion(
        () => readDashboard(gridSecondaryId, dashboardId),
        async ({ record: { title, description, charts, variables = [] }, etag }) => {
          const placed = charts.map((chart) => ({ chartId: chart.chartId, position: chart.position }));
          const withChart = [...placed, { chartId, position: findFreePosition(placed) }];
          const body = { title, description, charts: withChart, variables };
          return (await replaceDashboard(gridSecondaryId, { id: dashboardId, body, etag })).record;
        },
      ),
    onSuccess: (dashboard) => {
      queries.setQueryData(dashboardQueryKey(gridSecondaryId, dashboard.id), dashboard);
      return queries.invalidateQueries({ queryKey: dashboardsQueryKey(gridSecondaryId) });
    },
  });
  return { create, replace, remove, place };
}
