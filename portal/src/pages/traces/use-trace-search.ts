import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrapResponse } from '../../api/api-client';
import { useGrid } from '../../session/use-session';
import { chooseSearchMode, findSentRange, restrictToTrace } from './trace-condition';
import { NO_MATCHES, type TraceMatches } from './trace-match-count';
import { createWordMatcher } from './trace-matches';
import type { SpanRow, Trace } from './trace-model';

/** Most rows of an answer: of the spans that meet a condition, no more are marked. */
const MAX_FOUND = 1_000;

/** Result of a search in a trace. */
export interface TraceSearch extends TraceMatches {
  readonly isPending: boolean;
  readonly error: Error | null;
}

const NO_RESULT: TraceSearch = { ...NO_MATCHES, isPending: false, error: null };

/** Finds spans by words in their service, operation, kind or id, or by a condition on any field and attribute. */
export function useTraceSearch(traceId: string, { waterfall: { rows } }: Trace, text: string): TraceSearch {
  const { gridSecondaryId } = useGrid();
  const mode = useMemo(() => chooseSearchMode(text, rows), [text, rows]);
  const range = useMemo(() => findSentRange(rows), [rows]);
  const { data, isPending, error } = useQuery({
    queryKey: ['trace-search', gridSecondaryId, traceId, text, range],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.POST('/apm/query/{gridSecondaryId}', {
          params: { path: { gridSecondaryId } },
          body: {
            signal: 'spans',
            where: restrictToTrace(traceId, text),
            groupBy: ['spanId'],
            select: [{ fn: 'count' }],
            limit: MAX_FOUND,
            ...range,
          },
          signal,
        }),
      ),
    enabled: mode.kind === 'condition',
    retry: false,
  });
  return useMemo(() => {
    if (text.trim() === '') return NO_RESULT;
    if (mode.kind === 'words')
      return { ...NO_RESULT, ...listMatches(rows, createWordMatcher(text)), fault: mode.fault };
    const found = new Set(data?.rows?.map(([spanId]) => spanId));
    const { spanIds, count } = listMatches(rows, ({ span }) => found.has(span.spanId));
    const all = data?.totalRows ?? 0;
    const isAtLeast = data?.groupsFolded === true;
    return { ...NO_RESULT, spanIds, count: all > MAX_FOUND ? all : count, isAtLeast, isPending, error };
  }, [text, mode, rows, data, isPending, error]);
}

function listMatches(rows: readonly SpanRow[], matches: (row: SpanRow) => boolean) {
  const spanIds = rows.filter(matches).map(({ span }) => span.spanId);
  return { spanIds, count: spanIds.length };
}
