import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { hasStatus } from '../api/api-error';
import { diagnosticQueryKey, diagnosticQueryOptions } from '../api/diagnostic-query';
import { DEFAULT_WINDOW_MS } from '../time/time-view';
import { useTimeView } from '../time/use-time-view';

/** Diagnostics that the service pushes when they change. */
export const LIVE_TOPICS = [
  'health',
  'alerts',
  'diagnosis',
  'pressure',
  'trends',
  'services',
  'timeline',
  'slowest-endpoints',
  'changes',
] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** `off`: the current view is not streamed. */
type Connection = 'off' | 'connecting' | 'on';

interface LiveState {
  readonly connection: Connection;
  /** Since when (ms since 1970) the service has been unreachable; undefined while it responds. */
  readonly unreachableSince: number | undefined;
}

const LiveContext = createContext<LiveState>({ connection: 'off', unreachableSince: undefined });

/**
 * While the view is the default live window, one stream of server-sent events per Grid keeps the cached diagnostics up to date: pages fetch
 * them once and then receive updates. In other views, pages poll.
 */
export function LiveDiagnosticsProvider({
  gridId,
  children,
}: {
  readonly gridId: string;
  readonly children: ReactNode;
}) {
  const { view, key } = useTimeView();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('off');
  const isLive = view.kind === 'live' && view.windowMs === DEFAULT_WINDOW_MS;
  const isVisible = usePageVisible();
  useEffect(() => {
    if (!isLive) return setConnection('off');
    setConnection('connecting');
    // Over HTTP/1.1 all tabs share six connections per host, so hidden tabs must not hold one open.
    if (!isVisible) return;
    return openReconnectingStream(
      `/apm/diagnostics/${encodeURIComponent(gridId)}/stream?api-version=2.0&topics=${LIVE_TOPICS.join(',')}`,
      LIVE_TOPICS,
      {
        onOpen: () => {
          setConnection('on');
          // Queries that failed while the stream was down would not be retried otherwise: streamed views do not poll.
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
        },
        onLost: () => {
          setConnection('connecting');
          // The stream may have been closed by a proxy, or the service may be down. One request finds out, and `useServiceUnreachable` observes
          // its result. It is repeated on each failed reconnect, because a service that is shutting down may still have answered the first one.
          void queries.prefetchQuery({ ...diagnosticQueryOptions(gridId, 'health', view, key), staleTime: 0 });
        },
        onUpdate: (topic, data) => queries.setQueryData(diagnosticQueryKey(gridId, topic, key), JSON.parse(data)),
      },
    );
  }, [gridId, isLive, isVisible, view, key, queries]);
  const unreachableSince = useServiceUnreachable(connection === 'on');
  const state = useMemo(() => ({ connection, unreachableSince }), [connection, unreachableSince]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** Callbacks of a stream of server-sent events. */
interface StreamListener {
  readonly onOpen: () => void;
  /** The connection was lost; the stream reconnects by itself. */
  readonly onLost: () => void;
  readonly onUpdate: (topic: string, data: string) => void;
}

/** Delay (ms) before a rejected stream is reopened; up to twice as long, at random, so that clients do not all return at once. */
const RECONNECT_DELAY_MS = 3_000;

/**
 * Keeps a stream of server-sent events open. Browsers reconnect after a lost connection, but not after a response other than 200, such as that
 * of a starting service or of a proxy in front of it. Returns a function that closes the stream.
 */
function openReconnectingStream(
  url: string,
  topics: readonly string[],
  { onOpen, onLost, onUpdate }: StreamListener,
): () => void {
  let source: EventSource;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(url);
    source.onopen = onOpen;
    source.onerror = () => {
      onLost();
      if (source.readyState === EventSource.CLOSED)
        reconnectTimer = setTimeout(open, RECONNECT_DELAY_MS * (1 + Math.random()));
    };
    for (const topic of topics)
      source.addEventListener(topic, (event: MessageEvent<string>) => onUpdate(topic, event.data));
  };
  open();
  return () => {
    clearTimeout(reconnectTimer);
    source.close();
  };
}

/** The service could not be reached, directly or according to a proxy. */
const isUnreachableError = (error: unknown): boolean => hasStatus(error, 0, 502, 504);

/**
 * Since when (ms since 1970) requests of pages have failed to reach the service; undefined after a successful one or while the stream is
 * connected.
 */
function useServiceUnreachable(isStreamConnected: boolean): number | undefined {
  const cache = useQueryClient().getQueryCache();
  const [since, setSince] = useState<number>();
  useEffect(
    () =>
      cache.subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setSince(undefined);
        if ((action.type === 'failed' || action.type === 'error') && isUnreachableError(action.error))
          setSince((before) => before ?? Date.now());
      }),
    [cache],
  );
  useEffect(() => {
    if (isStreamConnected) setSince(undefined);
  }, [isStreamConnected]);
  return since;
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** Whether the browser tab is in the foreground. */
function usePageVisible(): boolean {
  return useSyncExternalStore(subscribeToVisibility, () => !document.hidden);
}
