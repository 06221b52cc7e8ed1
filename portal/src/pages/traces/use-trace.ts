import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '../../api/client';
import { hasStatus } from '../../api/problem';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { traceOf, type Span } from './whole-trace';

const EVERY_MS = 3_000;
/** A trace whose last span ended not longer ago may still grow. */
const GROWS_MS = 30_000;

const isFresh = (spans: readonly Span[]): boolean =>
  Date.now() - spans.reduce((last, { startTime, duration }) => Math.max(last, Date.parse(startTime) + duration), 0) <
  GROWS_MS;

/** A trace with its logs and exceptions; asked for again while it may still grow. What is later than a past moment is left out. */
export function useTrace(traceId: string) {
  const { gridSecondaryId } = useGrid();
  const { view, isLive } = useView();
  const params = { path: { gridSecondaryId, traceId } };
  const latest = view.kind === 'past' ? view.at : Infinity;
  const spans = useQuery({
    queryKey: ['trace-spans', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/spans', { params, signal }))).spans,
    refetchInterval: ({ state }) =>
      isLive && (state.data === undefined ? hasStatus(state.error, 404) : isFresh(state.data)) ? EVERY_MS : false,
  });
  const grows = isLive && spans.data !== undefined && isFresh(spans.data);
  const refetchInterval = grows ? EVERY_MS : false;
  const logs = useQuery({
    queryKey: ['trace-logs', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/logs', { params, signal }))).logs,
    refetchInterval,
    enabled: spans.data !== undefined,
  });
  const errors = useQuery({
    queryKey: ['trace-errors', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/errors', { params, signal })))
        .errors,
    refetchInterval,
    enabled: spans.data !== undefined,
  });
  const shown = useMemo(
    () => spans.data?.filter(({ startTime }) => Date.parse(startTime) <= latest),
    [spans.data, latest],
  );
  const trace = useMemo(() => (shown === undefined || shown.length === 0 ? undefined : traceOf(shown)), [shown]);
  const untilThen = <Each extends { readonly timestamp: string }>(all: readonly Each[] | undefined): readonly Each[] =>
    (all ?? []).filter(({ timestamp }) => Date.parse(timestamp) <= latest);
  return {
    spans,
    trace,
    grows,
    /** Spans that began after the past moment. */
    later: (spans.data?.length ?? 0) - (shown?.length ?? 0),
    logs: untilThen(logs.data),
    errors: untilThen(errors.data),
    /** Why logs or exceptions are missing. */
    partsError: logs.error ?? errors.error,
    retryParts: () => void Promise.all([logs.refetch(), errors.refetch()]),
  };
}

export type TraceInUse = ReturnType<typeof useTrace>;
