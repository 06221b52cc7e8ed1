import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { useGrid, useHasRole } from '../../session/use-session';
import { resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { resolveUsageDays } from './usage-days';

/** Polling interval (ms). Limits and remaining amounts are always current, whatever the time view. */
const REFETCH_INTERVAL_MS = 15_000;

const usageQueryKey = (gridSecondaryId: string, what: string): readonly string[] => ['usage', gridSecondaryId, what];

export function useEnergy() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, 'energy'),
    queryFn: ({ signal }) => unwrapResponse(api.GET('/assistant/usage/energy', { signal })),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export function useUsageStatus() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, 'status'),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/assistant/usage/{gridSecondaryId}/status', { params: { path: { gridSecondaryId } }, signal }),
      ),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** Reloads all usage queries of the Grid, after the assistant was used. */
export function useInvalidateUsage(): () => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['usage', gridSecondaryId] });
}

export function useGridLimits() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, 'limits'),
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/assistant/limits/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, signal })),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export function useUpdateGridLimits() {
  const { gridSecondaryId } = useGrid();
  const invalidateUsage = useInvalidateUsage();
  return useMutation({
    mutationFn: (body: Schemas['LimitsModel']) =>
      unwrapResponse(api.PUT('/assistant/limits/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: invalidateUsage,
  });
}

export function useOwnUsage() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, 'own'),
    queryFn: ({ signal }) => unwrapResponse(api.GET('/assistant/usage/me', { signal })),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** Daily usage of the Grid over the days of the time view. */
export function useUsageSummary() {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useTimeView();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, `summary ${key}`),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/assistant/usage/{gridSecondaryId}/summary', {
          params: { path: { gridSecondaryId }, query: resolveUsageDays(resolveTimeRange(view, Date.now())) },
          signal,
        }),
      ),
    refetchInterval: isLive ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** The last change of the limits among the newest 100 entries of the audit log; null if there is none. Owners only. */
export function useLastLimitsChange() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageQueryKey(gridSecondaryId, 'last-change'),
    enabled: useHasRole('Owner'),
    queryFn: async ({ signal }) => {
      const { entries } = await unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/audit', {
          params: { path: { gridSecondaryId }, query: { page: 1, pageSize: 100 } },
          signal,
        }),
      );
      return entries.find(({ action }) => action === 'limits.updated') ?? null;
    },
  });
}
