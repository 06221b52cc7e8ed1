import { gzipSync } from 'node:zlib';
import { RecentRequests } from '../projections/telemetry/recent-requests.js';
import { wholeBody } from '../streams/body-parts.js';
import type { EventReader, RecordedEvent } from '../streams/event-store.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import { RECEIVED_TYPES, type TelemetryReceived } from '../streams/events/telemetry-events.js';
import { inflate } from '../streams/inflate.js';
import { alertsStream, gridStream, telemetryStream } from '../streams/stream-names.js';
import { scrub } from '../telemetry/otlp/scrub.js';
import { APDEX_CHANGED, type SlicedEvent } from './format.js';
import { recordedIn } from './telemetry-window.js';

const MINUTE_MS = 60_000;
/** How far ahead of its arrival a record may stand (contract §5). */
const AHEAD_MS = 10 * MINUTE_MS;
/** How long a request is remembered: one that was counted before the slice is a repetition within it. */
const REPETITION_MS = 15 * MINUTE_MS;
const RECEIVED: ReadonlySet<string> = new Set(Object.values(RECEIVED_TYPES));
const STORED_GZIP_LEVEL = 1;

/** Times are ms since 1970. */
export interface SliceBounds {
  /** Records of requests that are taken overlap [baselineFromMs, toMs). */
  readonly baselineFromMs: number;
  readonly toMs: number;
  /** How long after `toMs` (ms) a request may have arrived. */
  readonly lateMs: number;
}

export interface Sliced {
  readonly event: SlicedEvent;
  readonly records: number;
}

type Log = Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'>;

/** When the first telemetry of the slice can have been recorded. */
export function firstArrival({ baselineFromMs }: SliceBounds): number {
  return baselineFromMs - AHEAD_MS;
}

/**
 * What belongs to the slice, in the order of the log: requests with a record in it, each as often as it counts; alerts that were open in it, as
 * known at its end; changes of the Apdex threshold.
 */
export async function* slicedEvents(log: Log, gridId: string, bounds: SliceBounds, isSecret: (key: string) => boolean): AsyncGenerator<Sliced> {
  const others = await otherEvents(log, gridId, bounds);
  let next = 0;
  for await (const { event, sliced } of requestsOf(log, gridId, bounds, isSecret)) {
    for (; next < others.length && others[next].event.position < event.position; next++) yield others[next].sliced;
    yield sliced;
  }
  for (; next < others.length; next++) yield others[next].sliced;
}

interface Placed {
  readonly event: RecordedEvent;
  readonly sliced: Sliced;
}

async function* requestsOf(log: Log, gridId: string, bounds: SliceBounds, isSecret: (key: string) => boolean): AsyncGenerator<Placed> {
  const stream = telemetryStream(gridId);
  const fromMs = firstArrival(bounds);
  const recent = new RecentRequests();
  for await (const { type, data, recordedAt } of recordedIn(log, stream, { fromMs: fromMs - REPETITION_MS, toMs: fromMs - 1, bodies: false })) {
    if (RECEIVED.has(type)) recent.admit((data as TelemetryReceived).identity, recordedAt);
  }
  for await (const event of recordedIn(log, stream, { fromMs, toMs: bounds.toMs + bounds.lateMs, bodies: true })) {
    if (!RECEIVED.has(event.type) || !recent.admit((event.data as TelemetryReceived).identity, event.recordedAt)) continue;
    const sliced = await slicedRequest(log, event as RecordedEvent<TelemetryReceived>, bounds, isSecret);
    if (sliced !== undefined) yield { event, sliced };
  }
}

/** Undefined where no record lies in the slice, or the body has left the log meanwhile. */
async function slicedRequest(log: Log, event: RecordedEvent<TelemetryReceived>, { baselineFromMs, toMs }: SliceBounds, isSecret: (key: string) => boolean): Promise<Sliced | undefined> {
  const { signal, accepted, rejected, receivedAt, encoding, inflatedBytes } = event.data;
  const body = await wholeBody(log, event);
  if (body === undefined) return undefined;
  const { body: scrubbed, firstMs = receivedAt, lastMs = receivedAt } = scrub(signal, inflate(body, encoding, inflatedBytes), isSecret);
  if (lastMs < baselineFromMs || firstMs >= toMs) return undefined;
  const stored = scrubbed === undefined ? { encoding, inflatedBytes, body } : { encoding: 'gzip', inflatedBytes: scrubbed.length, body: gzipSync(scrubbed, { level: STORED_GZIP_LEVEL }) };
  const data = { signal, accepted, rejected, receivedAt, encoding: stored.encoding, inflatedBytes: stored.inflatedBytes };
  return { records: accepted, event: { type: event.type, data, body: Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength).toString('base64') } };
}

async function otherEvents(log: Log, gridId: string, bounds: SliceBounds): Promise<Placed[]> {
  const alerts = slicedAlerts(await log.readStream(alertsStream(gridId)), bounds);
  const thresholds = (await log.readStream(gridStream(gridId))).filter(({ type, recordedAt }) => type === APDEX_CHANGED && recordedAt > firstArrival(bounds) && recordedAt <= bounds.toMs + bounds.lateMs);
  const placed = [...alerts, ...thresholds.flatMap(slicedThreshold)];
  return placed.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
}

function slicedThreshold(event: RecordedEvent): Placed[] {
  const { at, changes } = event.data as Extract<GridEvent, { type: 'GridSettingsChanged.v1' }>['data'];
  if (changes.apdexThresholdMs === undefined) return [];
  return [{ event, sliced: { records: 0, event: { type: event.type, data: { at, apdexThresholdMs: changes.apdexThresholdMs } } } }];
}

/** Alerts that were open at some moment from `baselineFromMs` to `toMs`, with what was known of them by then. */
function slicedAlerts(events: readonly RecordedEvent[], { baselineFromMs, toMs }: SliceBounds): Placed[] {
  const known = (events as readonly (RecordedEvent & AlertEvent)[]).filter(({ data }) => data.at <= toMs);
  const over = new Set(known.filter(({ type, data }) => type === 'AlertResolved.v1' && data.at < baselineFromMs).map(({ data }) => data.alertId));
  return known.filter(({ data }) => !over.has(data.alertId)).map((event) => {
    const { gridId: _, ...data } = event.data;
    return { event, sliced: { records: 0, event: { type: event.type, data } } };
  });
}
