import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse, type WithEtag } from '../api/api-client';
import { useGrid, useHasRole } from '../session/use-session';

export const dashboardsQueryKey = (gridSecondaryId: string): readonly string[] => ['dashboards', gridSecondaryId];

export const dashboardQueryKey = (gridSecondaryId: string, dashboardId: string): readonly string[] => [
  'dashboard',
  gridSecondaryId,
  dashboardId,
];

/** The dashboards of the Grid and those of its services. */
export function useDashboards() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: dashboardsQueryKey(gridSecondaryId),
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/dashboards/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
}

export function useDashboard(dashboardId: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: dashboardQueryKey(gridSecondaryId, dashboardId),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/dashboards/{gridSecondaryId}/dashboards/{dashboardSecondaryId}', {
          params: { path: { gridSecondaryId, dashboardSecondaryId: dashboardId } },
          signal,
        }),
      ),
  });
}

export const alertRulesQueryKey = (gridSecondaryId: string): readonly string[] => ['alert-rules', gridSecondaryId];

/** The alert rules of the Grid. The service tells them to Members alone. */
export function useAlertRules() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: alertRulesQueryKey(gridSecondaryId),
    enabled: useHasRole('Member'),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/alert-rules', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
}

/**
 * What somebody begins to change, as it is then: what others save does not change it below the hands.
 * @param kind such as `charts`
 */
export function useEditedDefinition<Data>(
  kind: string,
  id: string,
  read: (gridSecondaryId: string, id: string) => Promise<WithEtag<Data>>,
) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const queryKey = ['definition', kind, gridSecondaryId, id];
  // Kept no longer than its form: the next one begins with what holds then.
  const query = useQuery({ queryKey, staleTime: Infinity, gcTime: 0, queryFn: () => read(gridSecondaryId, id) });
  /**
   * Goes on with what somebody else has made of it. Forms begin anew where `dataUpdatedAt` is their key. Its tag would be none: what was changed and
   * changed back has the tag that the form began with.
   */
  const take = (theirs: WithEtag<Data>): void =>
    void queries.setQueryData<WithEtag<Data>>(queryKey, (before) => before && theirs);
  return { query, take };
}
