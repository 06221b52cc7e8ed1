import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrapResponse } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { buildTrace, type Span } from './trace-model';

const REFETCH_INTERVAL_MS = 3_000;

/** A trace may still receive spans for this long (ms) after its last span ended. */
const GROWTH_WINDOW_MS = 30_000;

const isStillGrowing = (spans: readonly Span[]): boolean =>
  Date.now() - spans.reduce((last, { startTime, duration }) => Math.max(last, Date.parse(startTime) + duration), 0) <
  GROWTH_WINDOW_MS;

/** A trace with its logs and exceptions, polled while it may still receive spans. Leaves out what is later than a past moment. */
export function useTrace(traceId: string) {
  const { gridSecondaryId } = useGrid();
  const { view, isLive } = useTimeView();
  const params = { path: { gridSecondaryId, traceId } };
  const latest = view.kind === 'past' ? view.at : Infinity;
  const spans = useQuery({
    queryKey: ['trace-spans', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/spans', { params, signal })))
        .spans,
    refetchInterval: ({ state }) =>
      isLive && (state.data === undefined ? hasStatus(state.error, 404) : isStillGrowing(state.data))
        ? REFETCH_INTERVAL_MS
        : false,
  });
  const isGrowing = isLive && spans.data !== undefined && isStillGrowing(spans.data);
  const refetchInterval = isGrowing ? REFETCH_INTERVAL_MS : false;
  const logs = useQuery({
    queryKey: ['trace-logs', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/logs', { params, signal })))
        .logs,
    refetchInterval,
    enabled: spans.data !== undefined,
  });
  const errors = useQuery({
    queryKey: ['trace-errors', gridSecondaryId, traceId],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/errors', { params, signal })))
        .errors,
    refetchInterval,
    enabled: spans.data !== undefined,
  });
  const visibleSpans = useMemo(
    () => spans.data?.filter(({ startTime }) => Date.parse(startTime) <= latest),
    [spans.data, latest],
  );
  const trace = useMemo(
    () => (visibleSpans === undefined || visibleSpans.length === 0 ? undefined : buildTrace(visibleSpans)),
    [visibleSpans],
  );
  const filterUntilLatest = <Each extends { readonly timestamp: string }>(
    all: readonly Each[] | undefined,
  ): readonly Each[] => (all ?? []).filter(({ timestamp }) => Date.parse(timestamp) <= latest);
  return {
    spans,
    trace,
    isGrowing,
    /** Number of spans that started after the past moment. */
    later: (spans.data?.length ?? 0) - (visibleSpans?.length ?? 0),
    logs: filterUntilLatest(logs.data),
    errors: filterUntilLatest(errors.data),
    /** Error of the logs or exceptions. */
    partsError: logs.error ?? errors.error,
    retryParts: () => void Promise.all([logs.refetch(), errors.refetch()]),
  };
}

export type TraceState = ReturnType<typeof useTrace>;

/** Spans are immutable. */
const IMMUTABLE_QUERY = { staleTime: Infinity } as const;

function useSpanParams(spanId: string) {
  const { gridSecondaryId } = useGrid();
  return { path: { gridSecondaryId, spanId } };
}

export function useSpanDetail(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...IMMUTABLE_QUERY,
    queryKey: ['span', params.path],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/details/{spanId}', { params, signal })),
  });
}

export function useSpanTags(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...IMMUTABLE_QUERY,
    queryKey: ['span-tags', params.path],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/tags', { params, signal })),
  });
}

export function useSpanEvents(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...IMMUTABLE_QUERY,
    queryKey: ['span-events', params.path],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/events', { params, signal })),
  });
}
