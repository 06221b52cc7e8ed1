import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse, type WithEtag } from '../api/api-client';
import { useGrid, useHasRole } from '../session/use-session';

export const dashboardsQueryKey = (gridSecondaryId: string): readonly string[] => ['dashboards', gridSecondaryId];

export const dashboardQueryKey = (gridSecondaryId: string, dashboardId: string): readonly string[] => [
  'dashboard',
  gridSecondaryId,
  dashboardId,
];

/** All dashboards: custom ones and the built-in ones of services. */
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

/** The alert rules of the Grid. Disabled for roles below Member, which may not read them. */
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
 * A definition as it was when editing began; it is not refetched, so later changes by others do not alter the form. `take` continues with
 * another version.
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
  // Not cached after the form closes: the next form starts from the current version.
  const query = useQuery({ queryKey, staleTime: Infinity, gcTime: 0, queryFn: () => read(gridSecondaryId, id) });
  /**
   * Continues with another user's version. Forms use `dataUpdatedAt` as their React key to start over. The ETag would not do as a key: a version
   * that was changed and changed back has the original ETag.
   */
  const take = (theirs: WithEtag<Data>): void =>
    void queries.setQueryData<WithEtag<Data>>(queryKey, (before) => before && theirs);
  return { query, take };
}
