import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { toAttributeRecord } from '../../format/key-value-pairs';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import type { TraceFilters } from './trace-filters';

type TraceSearchRange = Pick<Schemas['TraceListFilterModel'], 'rangeStart' | 'rangeEnd'>;
const PAGE_SIZE = 100;
const REFETCH_INTERVAL_MS = 5_000;

function searchTraces(
  gridSecondaryId: string,
  { service, operation, status, min, max, tags }: TraceFilters,
  range: TraceSearchRange,
  page: number,
  pageSize: number,
  signal: AbortSignal,
) {
  const body: Schemas['TraceListFilterModel'] = {
    ...range,
    page,
    pageSize,
    serviceName: service === '' ? null : service,
    operationName: operation === '' ? null : operation,
    status: status === '' ? null : status,
    minDuration: min ?? null,
    maxDuration: max ?? null,
    tags: toAttributeRecord(tags) ?? null,
  };
  return unwrapResponse(
    api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
  );
}

/**
 * Search results, page by page. All pages use the range of the first request; otherwise rows would move between pages. A live view moves the range
 * as long as only the first page is loaded and the list is not frozen (`isFrozen`).
 */
export function useTraceSearch(filters: TraceFilters, isFrozen: boolean) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useTimeView();
  return useInfiniteQuery({
    queryKey: ['traces', gridSecondaryId, key, filters],
    initialPageParam: { page: 1, range: undefined as TraceSearchRange | undefined },
    queryFn: async ({ pageParam, signal }) => {
      const searchRange = pageParam.range ?? range();
      return {
        ...(await searchTraces(gridSecondaryId, filters, searchRange, pageParam.page, PAGE_SIZE, signal)),
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

export function useTraceOptions() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['trace-options', gridSecondaryId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/traces/{gridSecondaryId}/filters', { params: { path: { gridSecondaryId } }, signal }),
      ),
    staleTime: 30_000,
  });
}

/** Number of traces that match each of the filters. */
export function useTraceCounts(candidates: readonly TraceFilters[]) {
  const { gridSecondaryId } = useGrid();
  const { key, range } = useTimeView();
  return useQueries({
    queries: candidates.map((filters) => ({
      queryKey: ['trace-count', gridSecondaryId, key, filters],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await searchTraces(gridSecondaryId, filters, range(), 1, 1, signal)).totalCount,
    })),
  });
}
