import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { recordOf } from '../../format/pairs';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import type { TraceFilters } from './filters';

type Range = Pick<Schemas['TraceListFilterModel'], 'rangeStart' | 'rangeEnd'>;

const PAGE_SIZE = 100;
const EVERY_MS = 5_000;

function search(
  gridSecondaryId: string,
  { service, operation, status, min, max, tags }: TraceFilters,
  range: Range,
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
    tags: recordOf(tags) ?? null,
  };
  return answerOf(api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }));
}

/**
 * Traces that were found, page by page. All pages are of one and the same stretch, or rows would move between them; a live view moves it as long as only
 * the first page is looked at.
 */
export function useTraceSearch(filters: TraceFilters, isStill: boolean) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useView();
  return useInfiniteQuery({
    queryKey: ['traces', gridSecondaryId, key, filters],
    initialPageParam: { page: 1, range: undefined as Range | undefined },
    queryFn: async ({ pageParam, signal }) => {
      const asked = pageParam.range ?? range();
      return { ...(await search(gridSecondaryId, filters, asked, pageParam.page, PAGE_SIZE, signal)), asked };
    },
    getNextPageParam: ({ page, pageSize, totalCount, asked }) =>
      page * pageSize < totalCount ? { page: page + 1, range: asked } : undefined,
    refetchInterval: ({ state }) => (isLive && !isStill && (state.data?.pages.length ?? 0) < 2 ? EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
}

export function useTraceOptions() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['trace-options', gridSecondaryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/apm/traces/{gridSecondaryId}/filters', { params: { path: { gridSecondaryId } }, signal })),
    staleTime: 30_000,
  });
}

/** How many traces each of these filters finds. */
export function useTraceCounts(candidates: readonly TraceFilters[]) {
  const { gridSecondaryId } = useGrid();
  const { key, range } = useView();
  return useQueries({
    queries: candidates.map((filters) => ({
      queryKey: ['trace-count', gridSecondaryId, key, filters],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await search(gridSecondaryId, filters, range(), 1, 1, signal)).totalCount,
    })),
  });
}
