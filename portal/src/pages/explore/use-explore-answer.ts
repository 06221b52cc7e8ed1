import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse, type Schemas } from '../../api/api-client';
import { useGrid } from '../../session/use-session';
import { resolveTimeRange, toDiagnosticParameters } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { type ExploreQuery, type ResultView, toQueryBody } from './explore-query';

export type QueryAnswer = Schemas['QueryAnswer'];
type QueryRequest = Schemas['QueryRequestModel'];

const REFETCH_INTERVAL_MS = 15_000;
const STAYS: ReadonlySet<ResultView> = new Set(['records', 'heatmap']);

/** Runs a query over the current time view. */
export function useQueryRunner() {
  const { gridSecondaryId } = useGrid();
  const { view } = useTimeView();
  return (body: Omit<QueryRequest, 'rangeStart' | 'rangeEnd' | 'asOf'>, signal: AbortSignal): Promise<QueryAnswer> =>
    unwrapResponse(
      api.POST('/apm/query/{gridSecondaryId}', {
        params: { path: { gridSecondaryId } },
        body: { ...body, ...toDiagnosticParameters(view, Date.now()) },
        signal,
      }),
    );
}

/** Length of the time view in ms. */
export function useWindowMs(): number {
  const { view } = useTimeView();
  const { from, to } = resolveTimeRange(view, 0);
  return to - from;
}

/** The answer to the page's query, for the way it is shown. */
export function useExploreAnswer(query: ExploreQuery) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive } = useTimeView();
  const run = useQueryRunner();
  const body = toQueryBody(query, useWindowMs());
  const { show } = query;
  return useQuery({
    queryKey: ['explore', gridSecondaryId, key, show, body],
    queryFn: async ({ signal }) => ({ show, stepSeconds: body.stepSeconds, answer: await run(body, signal) }),
    // Records that are read, and cells that are selected, stay until the query is run again.
    refetchInterval: isLive && !STAYS.has(show) ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** What sets the spans of a selection apart from the others that meet the condition. */
export function useDifferences(query: Pick<ExploreQuery, 'signal' | 'where'>, selection: string) {
  const { gridSecondaryId } = useGrid();
  const { key, view } = useTimeView();
  const { signal: source, where } = query;
  return useQuery({
    queryKey: ['differences', gridSecondaryId, key, source, where, selection],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.POST('/apm/query/{gridSecondaryId}/differences', {
          params: { path: { gridSecondaryId } },
          body: {
            signal: source,
            selection,
            ...(where.trim() !== '' && { where }),
            ...toDiagnosticParameters(view, Date.now()),
          },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
