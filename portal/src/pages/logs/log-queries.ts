import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { toAttributeRecord } from '../../format/key-value-pairs';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import type { LogFilters, LogSeverity } from './log-filters';

export type LogEntry = Schemas['LogEntry'];
export type LogSearchRange = Pick<Schemas['LogListFilterModel'], 'rangeStart' | 'rangeEnd'>;
export const LOG_PAGE_SIZE = 100;
const REFETCH_INTERVAL_MS = 5_000;
const COUNT_REFETCH_INTERVAL_MS = 15_000;
const emptyToNull = (text: string): string | null => (text.trim() === '' ? null : text);

export function searchLogs(
  gridSecondaryId: string,
  { words, severity, service, trace, span, attributes }: LogFilters,
  range: LogSearchRange,
  page: number,
  pageSize: number,
  signal: AbortSignal,
) {
  const body: Schemas['LogListFilterModel'] = {
    ...range,
    page,
    pageSize,
    severityLevel: severity === '' ? null : severity,
    serviceName: emptyToNull(service),
    body: emptyToNull(words),
    traceId: emptyToNull(trace),
    spanId: emptyToNull(span),
    attributes: toAttributeRecord(attributes) ?? null,
  };
  return unwrapResponse(
    api.POST('/apm/logs/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
  );
}

/**
 * Search results, page by page. All pages use the range of the first request; a live view moves the range as long as only the first page is
 * loaded and the list is not frozen.
 */
export function useLogSearch(filters: LogFilters, isFrozen: boolean) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useTimeView();
  return useInfiniteQuery({
    queryKey: ['logs', gridSecondaryId, key, filters],
    initialPageParam: { page: 1, range: undefined as LogSearchRange | undefined },
    queryFn: async ({ pageParam, signal }) => {
      const searchRange = pageParam.range ?? range();
      return {
        ...(await searchLogs(gridSecondaryId, filters, searchRange, pageParam.page, LOG_PAGE_SIZE, signal)),
        searchRange,
      };
    },
    getNextPageParam: ({ page, pageSize, totalCount, searchRange }) =>
      page * pageSize < totalCount ? { page: page + 1, range: searchRange } : undefined,
    refetchInterval: ({ state }) =>
      isLive && !isFrozen && (state.data?.pages.length ?? 0) < 2 ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

export function useLogOptions() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['log-options', gridSecondaryId],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/logs/{gridSecondaryId}/filters', { params: { path: { gridSecondaryId } }, signal })),
    staleTime: 30_000,
  });
}

/** Number of entries per severity that match the other filters; undefined while loading. */
export function useSeverityCounts(
  filters: LogFilters,
  severities: readonly LogSeverity[],
): readonly (number | undefined)[] {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useTimeView();
  return useQueries({
    queries: severities.map((severity) => ({
      queryKey: ['log-count', gridSecondaryId, key, { ...filters, severity }],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await searchLogs(gridSecondaryId, { ...filters, severity }, range(), 1, 1, signal)).totalCount,
      refetchInterval: isLive ? COUNT_REFETCH_INTERVAL_MS : (false as const),
    })),
  }).map(({ data }) => data);
}

/** An entry with its resource attributes. */
export function useLogDetail(id: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['log', gridSecondaryId, id],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/logs/{gridSecondaryId}/details/{spanId}', {
          params: { path: { gridSecondaryId, spanId: id } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}
