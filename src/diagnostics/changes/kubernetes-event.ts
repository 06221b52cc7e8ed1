/** Content of an `Event` object of Kubernetes; "" for what it lacks. */
export interface KubernetesEvent {
  readonly reason: string;
  /** The object that it is about. */
  readonly objectKind: string;
  readonly objectName: string;
  readonly message: string;
  /** When it last happened, ms since 1970; undefined if it does not say. */
  readonly atMs: number | undefined;
  /** Differs from that of other events, and of the same event when it happened again; "" without a time. */
  readonly occurrence: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an event of the APIs `v1` or `events.k8s.io/v1` from JSON, as the receiver `k8sobjects` of the OpenTelemetry
 * Collector writes it into the body of a log record: the object itself where events are listed, `{"type": …, "object":
 * …}` where they are watched. Undefined for anything else, and for events that were deleted, an hour after they
 * happened.
 */
export function parseKubernetesEvent(body: string): KubernetesEvent | undefined {
  const watched = parseFields(body);
  const event = watched?.object === undefined ? watched : asFields(watched.object);
  if (event === undefined || event.kind !== 'Event' || watched?.type === 'DELETED') return undefined;
  const object = asFields(event.involvedObject) ?? asFields(event.regarding) ?? {};
  const metadata = asFields(event.metadata) ?? {};
  const message = firstText(event.message, event.note);
  const atMs = readTime(event, metadata);
  return {
    reason: firstText(event.reason),
    objectKind: firstText(object.kind),
    objectName: firstText(object.name),
    message,
    atMs,
    occurrence: atMs === undefined ? '' : `${readCount(event)} ${firstText(metadata.uid, message)}`,
  };
}

function parseFields(body: string): Fields | undefined {
  try {
    return asFields(JSON.parse(body));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

/** How often it had happened by then; "" if it does not say. */
function readCount(event: Fields): string {
  const counts = [asFields(event.series)?.count, event.count, event.deprecatedCount];
  return String(counts.find((value) => typeof value === 'number') ?? '');
}

/** Newer clients write `eventTime`, and the last of a series into `series`. */
function readTime(event: Fields, metadata: Fields): number | undefined {
  const { lastObservedTime } = asFields(event.series) ?? {};
  const text = firstText(
    lastObservedTime,
    event.lastTimestamp,
    event.deprecatedLastTimestamp,
    event.eventTime,
    event.firstTimestamp,
    metadata.creationTimestamp,
  );
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs;
}
