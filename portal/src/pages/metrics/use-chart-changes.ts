import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { changeLatest, unlessChanged } from '../../definitions/changed-meanwhile';
import { deleteChart, type Deleting } from '../../definitions/delete-definition';
import { readChart, readDashboard } from '../../definitions/read-definition';
import { replaceChart, replaceDashboard, type Replacing } from '../../definitions/replace-definition';
import { freePosition } from '../dashboards/placed';
import { useGrid } from '../../session/use-session';

/** What a Member does with charts. */
export function useChartChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (body: Schemas['ChartModel']) =>
      answerOf(api.POST('/admin/grids/{gridSecondaryId}/charts', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const replace = useMutation({
    mutationFn: (replacing: Replacing<Schemas['ChartModel']>) =>
      unlessChanged(
        'chart',
        () => replaceChart(gridSecondaryId, replacing),
        () => readChart(gridSecondaryId, replacing.id),
      ),
    // What it shows, and on dashboards its title and its kind.
    onSuccess: (_, { id: chartId }) =>
      Promise.all(
        [
          ['charts', gridSecondaryId],
          ['chart-points', gridSecondaryId, chartId],
          ['chart-data', gridSecondaryId, chartId],
          ['dashboard', gridSecondaryId],
          dashboardsKey(gridSecondaryId),
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  const remove = useMutation({
    mutationFn: (deleting: Deleting) =>
      unlessChanged(
        'chart',
        () => deleteChart(gridSecondaryId, deleting),
        () => readChart(gridSecondaryId, deleting.id),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const place = useMutation({
    // As it is now: somebody may have arranged it since it was listed.
    mutationFn: ({ dashboardId, chartId }: { readonly dashboardId: string; readonly chartId: string }) =>
      changeLatest(
        () => readDashboard(gridSecondaryId, dashboardId),
        async ({ record: { title, description, charts }, etag }) => {
          const placed = charts.map((chart) => ({ chartId: chart.chartId, position: chart.position }));
          const body = { title, description, charts: [...placed, { chartId, position: freePosition(placed) }] };
          return (await replaceDashboard(gridSecondaryId, { id: dashboardId, body, etag })).record;
        },
      ),
    onSuccess: (dashboard) => {
      queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
      return queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
    },
  });
  return { create, replace, remove, place };
}
