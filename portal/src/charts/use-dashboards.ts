import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { useGrid } from '../session/use-session';

export const dashboardsKey = (gridSecondaryId: string): readonly string[] => ['dashboards', gridSecondaryId];
export const dashboardKey = (gridSecondaryId: string, dashboardId: string): readonly string[] => [
  'dashboard',
  gridSecondaryId,
  dashboardId,
];

/** The dashboards of the Grid and those of its services. */
export function useDashboards() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: dashboardsKey(gridSecondaryId),
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/dashboards/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
}

export function useDashboard(dashboardId: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: dashboardKey(gridSecondaryId, dashboardId),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/dashboards/{gridSecondaryId}/dashboards/{dashboardSecondaryId}', {
          params: { path: { gridSecondaryId, dashboardSecondaryId: dashboardId } },
          signal,
        }),
      ),
  });
}
