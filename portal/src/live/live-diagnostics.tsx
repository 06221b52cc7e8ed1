import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { diagnosticQueryKey, diagnosticQueryOptions } from '../api/diagnostic-query';
import { useTimeView } from '../time/use-time-view';
import { DEFAULT_WINDOW_MS } from '../time/time-view';
import { hasStatus } from '../api/api-error';

/** Diagnostics that the service sends whenever they change. */
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

/** `off`: the view is none that is streamed. */
type Connection = 'off' | 'connecting' | 'on';

interface LiveState {
  readonly connection: Connection;
  /** Since when (ms since 1970) the service gives no answer; undefined while it does. */
  readonly silentSince: number | undefined;
}

const LiveContext = createContext<LiveState>({ connection: 'off', silentSince: undefined });

/**
 * While the view is live and as long as the service's own window, one stream of server-sent events keeps the diagnostics of the Grid current:
 * pages ask once and are told from then on. Any other view asks by itself.
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
  const isSeen = usePageVisible();
  useEffect(() => {
    if (!isLive) return setConnection('off');
    setConnection('connecting');
    // Over HTTP/1.1 all tabs share six connections: streams of six that nobody looks at would leave none for anything else.
    if (!isSeen) return;
    return openReconnectingStream(
      `/apm/diagnostics/${encodeURIComponent(gridId)}/stream?api-version=2.0&topics=${LIVE_TOPICS.join(',')}`,
      LIVE_TOPICS,
      {
        onOpen: () => {
          setConnection('on');
          // Who was refused meanwhile would not ask again: the stream tells of what changes.
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
        },
        onLost: () => {
          setConnection('connecting');
          // A stream breaks where a proxy has had enough of it, or where the service is gone: one question tells which, whatever the page asks. `useSilence` hears
          // the answer. Again with each attempt that fails: who is about to go may have answered the first.
          void queries.prefetchQuery({ ...diagnosticQueryOptions(gridId, 'health', view, key), staleTime: 0 });
        },
        onNews: (topic, data) => queries.setQueryData(diagnosticQueryKey(gridId, topic, key), JSON.parse(data)),
      },
    );
  }, [gridId, isLive, isSeen, view, key, queries]);
  const silentSince = useServiceUnreachable(connection === 'on');
  const state = useMemo(() => ({ connection, silentSince }), [connection, silentSince]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** What is told of a stream. */
interface StreamListener {
  readonly onOpen: () => void;
  /** Nothing is heard for now; the stream goes on by itself. */
  readonly onLost: () => void;
  readonly onNews: (topic: string, data: string) => void;
}

/** So long (ms) after a refusal the stream is opened anew, and up to as much again, so that not all who were refused come back at once. */
const RECONNECT_DELAY_MS = 3_000;

/**
 * Keeps a stream of server-sent events open. A browser takes up a broken connection by itself, but never one that was answered with anything but 200, as
 * by a service that is starting, or by a proxy before it. Returns what ends it.
 */
function openReconnectingStream(
  address: string,
  topics: readonly string[],
  { onOpen, onLost, onNews }: StreamListener,
): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(address);
    source.onopen = onOpen;
    source.onerror = () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, RECONNECT_DELAY_MS * (1 + Math.random()));
    };
    for (const topic of topics)
      source.addEventListener(topic, (event: MessageEvent<string>) => onNews(topic, event.data));
  };
  open();
  return () => {
    clearTimeout(again);
    source.close();
  };
}

/** Not reached, or a proxy says so for it. */
const isUnreachableError = (error: unknown): boolean => hasStatus(error, 0, 502, 504);

/** Since when (ms since 1970) the service gives no answer to what pages ask; undefined while it does, or while it `isHeard` by other means. */
function useServiceUnreachable(isHeard: boolean): number | undefined {
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
    if (isHeard) setSince(undefined);
  }, [isHeard]);
  return since;
}

function subscribeToVisibility(hear: () => void): () => void {
  document.addEventListener('visibilitychange', hear);
  return () => document.removeEventListener('visibilitychange', hear);
}

/** Whether the page is in sight; a tab in the background is not. */
function usePageVisible(): boolean {
  return useSyncExternalStore(subscribeToVisibility, () => !document.hidden);
}
