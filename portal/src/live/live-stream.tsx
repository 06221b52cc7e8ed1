import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { diagnosticKey, diagnosticQuery } from '../api/diagnostics';
import { useView } from '../time/use-view';
import { DEFAULT_WINDOW_MS } from '../time/view';
import { keepStream } from './event-stream';
import { useSeen } from './use-seen';
import { useSilence } from './use-silence';

/** Diagnostics that the service sends whenever they change. */
export const TOPICS = [
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
export type LiveTopic = (typeof TOPICS)[number];

/** `off`: the view is none that is streamed. */
type Connection = 'off' | 'connecting' | 'on';

interface LiveState {
  readonly connection: Connection;
  /** Since when (ms since 1970) the service gives no answer; undefined while it does. */
  readonly silentSince: number | undefined;
}

const Context = createContext<LiveState>({ connection: 'off', silentSince: undefined });

/**
 * While the view is live and as long as the service's own window, one stream of server-sent events keeps the diagnostics of the Grid current:
 * pages ask once and are told from then on. Any other view asks by itself.
 */
export function LiveStreamProvider({ gridId, children }: { readonly gridId: string; readonly children: ReactNode }) {
  const { view, key } = useView();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('off');
  const isLive = view.kind === 'live' && view.windowMs === DEFAULT_WINDOW_MS;
  const isSeen = useSeen();
  useEffect(() => {
    if (!isLive) return setConnection('off');
    setConnection('connecting');
    // Over HTTP/1.1 all tabs share six connections: streams of six that nobody looks at would leave none for anything else.
    if (!isSeen) return;
    return keepStream(
      `/apm/diagnostics/${encodeURIComponent(gridId)}/stream?api-version=2.0&topics=${TOPICS.join(',')}`,
      TOPICS,
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
          void queries.prefetchQuery({ ...diagnosticQuery(gridId, 'health', view, key), staleTime: 0 });
        },
        onNews: (topic, data) => queries.setQueryData(diagnosticKey(gridId, topic, key), JSON.parse(data)),
      },
    );
  }, [gridId, isLive, isSeen, view, key, queries]);
  const silentSince = useSilence(connection === 'on');
  const state = useMemo(() => ({ connection, silentSince }), [connection, silentSince]);
  return <Context value={state}>{children}</Context>;
}

export function useLive(): LiveState {
  return useContext(Context);
}
