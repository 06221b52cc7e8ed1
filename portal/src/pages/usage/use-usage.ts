import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { useGrid, useMay } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import { daysUpTo } from './days';

/** Limits and what is left of them are always those of now: nobody can use what was left in the past. */
const EVERY_MS = 15_000;

const usageKey = (gridSecondaryId: string, what: string): readonly string[] => ['usage', gridSecondaryId, what];

export function useEnergy() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, 'energy'),
    queryFn: ({ signal }) => answerOf(api.GET('/assistant/usage/energy', { signal })),
    refetchInterval: EVERY_MS,
  });
}

export function useUsageStatus() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, 'status'),
    queryFn: ({ signal }) =>
      answerOf(api.GET('/assistant/usage/{gridSecondaryId}/status', { params: { path: { gridSecondaryId } }, signal })),
    refetchInterval: EVERY_MS,
  });
}

/** After something was used: what is left is asked for anew. */
export function useUsageAnew(): () => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['usage', gridSecondaryId] });
}

export function useLimits() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, 'limits'),
    queryFn: ({ signal }) =>
      answerOf(api.GET('/assistant/limits/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, signal })),
    refetchInterval: EVERY_MS,
  });
}

export function useUpdateLimits() {
  const { gridSecondaryId } = useGrid();
  const anew = useUsageAnew();
  return useMutation({
    mutationFn: (body: Schemas['LimitsModel']) =>
      answerOf(api.PUT('/assistant/limits/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: anew,
  });
}

export function useOwnUsage() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, 'own'),
    queryFn: ({ signal }) => answerOf(api.GET('/assistant/usage/me', { signal })),
    refetchInterval: EVERY_MS,
  });
}

/** What the Grid used day by day, over the days of the view. */
export function useUsageSummary() {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useView();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, `summary ${key}`),
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/assistant/usage/{gridSecondaryId}/summary', {
          params: { path: { gridSecondaryId }, query: daysUpTo(stretchOf(view, Date.now())) },
          signal,
        }),
      ),
    refetchInterval: isLive ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** The last change of the limits among the newest entries of the audit, which Owners alone may read. */
export function useLastLimitsChange() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: usageKey(gridSecondaryId, 'last-change'),
    enabled: useMay('Owner'),
    queryFn: async ({ signal }) => {
      const { entries } = await answerOf(
        api.GET('/admin/grids/{gridSecondaryId}/audit', {
          params: { path: { gridSecondaryId }, query: { page: 1, pageSize: 100 } },
          signal,
        }),
      );
      return entries.find(({ action }) => action === 'limits.updated') ?? null;
    },
  });
}
