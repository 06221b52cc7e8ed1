/** What is told of a stream. */
interface Listener {
  readonly onOpen: () => void;
  /** Nothing is heard for now; the stream goes on by itself. */
  readonly onLost: () => void;
  readonly onNews: (topic: string, data: string) => void;
}

/** So long (ms) after a refusal the stream is opened anew, and up to as much again, so that not all who were refused come back at once. */
const AGAIN_MS = 3_000;

/**
 * Keeps a stream of server-sent events open. A browser takes up a broken connection by itself, but never one that was answered with anything but 200, as
 * by a service that is starting, or by a proxy before it. Returns what ends it.
 */
export function keepStream(
  address: string,
  topics: readonly string[],
  { onOpen, onLost, onNews }: Listener,
): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(address);
    source.onopen = onOpen;
    source.onerror = () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_MS * (1 + Math.random()));
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
