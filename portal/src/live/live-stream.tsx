import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useView } from '../time/use-view';
import { DEFAULT_WINDOW_MS } from '../time/view';

/** Diagnostics that the service sends whenever they change. */
export const TOPICS = ['health', 'alerts', 'diagnosis', 'pressure', 'trends', 'services', 'timeline', 'slowest-endpoints', 'changes'] as const;
export type LiveTopic = (typeof TOPICS)[number];

type Connection = 'off' | 'connecting' | 'on';

const Context = createContext<Connection>('off');

/** Key of the query that keeps a diagnostic of a Grid; the live stream puts its news there. */
export const diagnosticKey = (gridId: string, topic: string, viewKey: string): readonly string[] => ['diagnostic', gridId, topic, viewKey];

/**
 * While the view is live and as long as the service's own window, one stream of server-sent events keeps the diagnostics of the Grid current:
 * pages ask once and are told from then on. Any other view asks by itself.
 */
export function LiveStreamProvider({ gridId, children }: { readonly gridId: string; readonly children: ReactNode }) {
  const { view, key } = useView();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('off');
  const isLive = view.kind === 'live' && view.windowMs === DEFAULT_WINDOW_MS;
  useEffect(() => {
    if (!isLive) return setConnection('off');
    setConnection('connecting');
    const source = new EventSource(`/apm/diagnostics/${encodeURIComponent(gridId)}/stream?api-version=2.0&topics=${TOPICS.join(',')}`);
    source.onopen = () => setConnection('on');
    source.onerror = () => setConnection('connecting');
    for (const topic of TOPICS) {
      source.addEventListener(topic, (event: MessageEvent<string>) => queries.setQueryData(diagnosticKey(gridId, topic, key), JSON.parse(event.data)));
    }
    return () => source.close();
  }, [gridId, isLive, key, queries]);
  return <Context value={connection}>{children}</Context>;
}

export function useLiveConnection(): Connection {
  return useContext(Context);
}
