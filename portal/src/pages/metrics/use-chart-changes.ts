import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { freePosition } from '../dashboards/placed';
import { useGrid } from '../../session/use-session';

/** What a Member does with charts. */
export function useChartChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const path = { gridSecondaryId };
  const create = useMutation({
    mutationFn: (body: Schemas['ChartModel']) => answerOf(api.POST('/admin/grids/{gridSecondaryId}/charts', { params: { path }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const replace = useMutation({
    mutationFn: ({ chartId, chart }: { readonly chartId: string; readonly chart: Schemas['ChartModel'] }) => answerOf(api.PUT('/admin/grids/{gridSecondaryId}/charts/{chartId}', { params: { path: { ...path, chartId } }, body: chart })),
    // What it shows, and on dashboards its title and its kind.
    onSuccess: (_, { chartId }) => Promise.all([['charts', gridSecondaryId], ['chart-points', gridSecondaryId, chartId], ['chart-data', gridSecondaryId, chartId], ['dashboard', gridSecondaryId], dashboardsKey(gridSecondaryId)].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const remove = useMutation({
    mutationFn: (chartId: string) => answerOf(api.DELETE('/admin/grids/{gridSecondaryId}/charts/{chartId}', { params: { path: { ...path, chartId } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['charts', gridSecondaryId] }),
  });
  const place = useMutation({
    mutationFn: async ({ dashboardId, chartId }: { readonly dashboardId: string; readonly chartId: string }) => {
      // As it is now: somebody may have arranged it since it was listed.
      const { title, description, charts } = await answerOf(api.GET('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { ...path, dashboardId } } }));
      const placed = charts.map((chart) => ({ chartId: chart.chartId, position: chart.position }));
      const body = { title, description, charts: [...placed, { chartId, position: freePosition(placed) }] };
      return answerOf(api.PUT('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { ...path, dashboardId } }, body }));
    },
    onSuccess: (dashboard) => {
      queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
      return queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
    },
  });
  return { create, replace, remove, place };
}
