import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { recordOf } from '../../format/pairs';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import type { LogFilters, Severity } from './filters';

export type LogEntry = Schemas['LogEntry'];
export type Range = Pick<Schemas['LogListFilterModel'], 'rangeStart' | 'rangeEnd'>;

export const PAGE_SIZE = 100;
const EVERY_MS = 5_000;
const COUNTS_EVERY_MS = 15_000;

const given = (text: string): string | null => (text.trim() === '' ? null : text);

export function searchLogs(
  gridSecondaryId: string,
  { words, severity, service, trace, span, attributes }: LogFilters,
  range: Range,
  page: number,
  pageSize: number,
  signal: AbortSignal,
) {
  const body: Schemas['LogListFilterModel'] = {
    ...range,
    page,
    pageSize,
    severityLevel: severity === '' ? null : severity,
    serviceName: given(service),
    body: given(words),
    traceId: given(trace),
    spanId: given(span),
    attributes: recordOf(attributes) ?? null,
  };
  return answerOf(api.POST('/apm/logs/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }));
}

/** Entries that were found, page by page, all of one stretch; a live view moves it as long as only the first page is looked at and nobody reads further down. */
export function useLogSearch(filters: LogFilters, isStill: boolean) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useView();
  return useInfiniteQuery({
    queryKey: ['logs', gridSecondaryId, key, filters],
    initialPageParam: { page: 1, range: undefined as Range | undefined },
    queryFn: async ({ pageParam, signal }) => {
      const asked = pageParam.range ?? range();
      return { ...(await searchLogs(gridSecondaryId, filters, asked, pageParam.page, PAGE_SIZE, signal)), asked };
    },
    getNextPageParam: ({ page, pageSize, totalCount, asked }) =>
      page * pageSize < totalCount ? { page: page + 1, range: asked } : undefined,
    refetchInterval: ({ state }) => (isLive && !isStill && (state.data?.pages.length ?? 0) < 2 ? EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
}

export function useLogOptions() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['log-options', gridSecondaryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/apm/logs/{gridSecondaryId}/filters', { params: { path: { gridSecondaryId } }, signal })),
    staleTime: 30_000,
  });
}

/** How many entries of each severity the other filters find. */
export function useSeverityCounts(
  filters: LogFilters,
  severities: readonly Severity[],
): readonly (number | undefined)[] {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, range } = useView();
  return useQueries({
    queries: severities.map((severity) => ({
      queryKey: ['log-count', gridSecondaryId, key, { ...filters, severity }],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await searchLogs(gridSecondaryId, { ...filters, severity }, range(), 1, 1, signal)).totalCount,
      refetchInterval: isLive ? COUNTS_EVERY_MS : (false as const),
    })),
  }).map(({ data }) => data);
}

/** One entry with its resource. */
export function useLogDetail(id: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['log', gridSecondaryId, id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/logs/{gridSecondaryId}/details/{spanId}', {
          params: { path: { gridSecondaryId, spanId: id } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}
