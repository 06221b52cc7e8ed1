import { gzipSync } from 'node:zlib';
import { RecentRequests } from '../../projections/telemetry/deduplication/request-journal.js';
import { inflateBody, reassembleBody } from '../../streams/telemetry-body.js';
import { type EventReader, type Position, type RecordedEvent, START } from '../../streams/event-store.js';
import type { AlertEvent } from '../../streams/events/alert-events.js';
import type { GridEvent } from '../../streams/events/grid-events.js';
import { TELEMETRY_RECEIVED_TYPES, type TelemetryReceived } from '../../streams/events/telemetry-events.js';
import { alertsStream, gridStream, telemetryStream } from '../../streams/stream-names.js';
import { redactAttributes } from '../../telemetry/otlp/attribute-redaction.js';
import { APDEX_CHANGE_TYPE, type ExportedEvent } from './incident-file-format.js';
import { readEventsAfter } from '../../streams/event-log-scans.js';

const MINUTE_MS = 60_000;

/** How far (ms) the timestamp of a record may be ahead of its arrival (contract §5). */
const MAX_CLOCK_AHEAD_MS = 10 * MINUTE_MS;

/** Deduplication window (ms): a request that was counted shortly before the exported time is a duplicate within it. */
const DEDUPLICATION_MS = 15 * MINUTE_MS;

const RECEIVED_TYPE_SET: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));
const STORED_GZIP_LEVEL = 1;

/** Times are ms since 1970. */
export interface ExportBounds {
  /** Exported requests have a record in [baselineFromMs, toMs). */
  readonly baselineFromMs: number;
  readonly toMs: number;
  /** How long (ms) after `toMs` a request may have arrived. */
  readonly lateMs: number;
}

export interface ExportedEntry {
  readonly event: ExportedEvent;
  readonly records: number;
}

type ExportedEventLog = Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'>;

/** Earliest time (ms since 1970) at which exported telemetry can have been recorded. */
export function computeEarliestArrival({ baselineFromMs }: ExportBounds): number {
  return baselineFromMs - MAX_CLOCK_AHEAD_MS;
}

/**
 * Events of the exported time range in log order: requests with a record in it, without duplicates; alerts that were
 * open in it, as known at its end; changes of the Apdex threshold.
 */
export async function* readExportedEvents(
  log: ExportedEventLog,
  gridId: string,
  bounds: ExportBounds,
  isSecret: (key: string) => boolean,
): AsyncGenerator<ExportedEntry> {
  const otherEvents = await readOtherEvents(log, gridId, bounds, isSecret);
  let next = 0;
  for await (const { event, entry: exported } of readExportedRequests(log, gridId, bounds, isSecret)) {
    for (; next < otherEvents.length && otherEvents[next].event.position < event.position; next++)
      yield otherEvents[next].entry;
    yield exported;
  }
  for (; next < otherEvents.length; next++) yield otherEvents[next].entry;
}

interface PositionedEntry {
  readonly event: RecordedEvent;
  readonly entry: ExportedEntry;
}

async function* readExportedRequests(
  log: ExportedEventLog,
  gridId: string,
  bounds: ExportBounds,
  isSecret: (key: string) => boolean,
): AsyncGenerator<PositionedEntry> {
  const stream = telemetryStream(gridId);
  const fromMs = computeEarliestArrival(bounds);
  const recent = new RecentRequests();
  for await (const { type, data, recordedAt } of readEventsRecordedIn(log, stream, {
    fromMs: fromMs - DEDUPLICATION_MS,
    toMs: fromMs - 1,
    bodies: false,
  })) {
    if (RECEIVED_TYPE_SET.has(type)) recent.admit((data as TelemetryReceived).identity, recordedAt);
  }
  for await (const event of readEventsRecordedIn(log, stream, {
    fromMs,
    toMs: bounds.toMs + bounds.lateMs,
    bodies: true,
  })) {
    if (
      !RECEIVED_TYPE_SET.has(event.type) ||
      !recent.admit((event.data as TelemetryReceived).identity, event.recordedAt)
    )
      continue;
    const exported = await toExportedRequest(log, event as RecordedEvent<TelemetryReceived>, bounds, isSecret);
    if (exported !== undefined) yield { event, entry: exported };
  }
}

/** Undefined when no record is in the time range, or when the body has been deleted from the log meanwhile. */
async function toExportedRequest(
  log: ExportedEventLog,
  event: RecordedEvent<TelemetryReceived>,
  { baselineFromMs, toMs }: ExportBounds,
  isSecret: (key: string) => boolean,
): Promise<ExportedEntry | undefined> {
  const { signal, accepted, rejected, receivedAt, encoding, inflatedBytes } = event.data;
  const body = await reassembleBody(log, event);
  if (body === undefined) return undefined;
  const {
    body: redacted,
    firstMs = receivedAt,
    lastMs = receivedAt,
  } = redactAttributes(signal, inflateBody(body, encoding, inflatedBytes), isSecret);
  if (lastMs < baselineFromMs || firstMs >= toMs) return undefined;
  const stored =
    redacted === undefined
      ? { encoding, inflatedBytes, body }
      : { encoding: 'gzip', inflatedBytes: redacted.length, body: gzipSync(redacted, { level: STORED_GZIP_LEVEL }) };
  const data = {
    signal,
    accepted,
    rejected,
    receivedAt,
    encoding: stored.encoding,
    inflatedBytes: stored.inflatedBytes,
  };
  return {
    records: accepted,
    event: {
      type: event.type,
      data,
      body: Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength).toString('base64'),
    },
  };
}

async function readOtherEvents(
  log: ExportedEventLog,
  gridId: string,
  bounds: ExportBounds,
  isSecret: (key: string) => boolean,
): Promise<PositionedEntry[]> {
  const alerts = selectExportedAlerts(await log.readStream(alertsStream(gridId)), bounds, isSecret);
  const thresholds = (await log.readStream(gridStream(gridId))).filter(
    ({ type, recordedAt }) =>
      type === APDEX_CHANGE_TYPE &&
      recordedAt > computeEarliestArrival(bounds) &&
      recordedAt <= bounds.toMs + bounds.lateMs,
  );
  const selected = [...alerts, ...thresholds.flatMap(toExportedThreshold)];
  return selected.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
}

function toExportedThreshold(event: RecordedEvent): PositionedEntry[] {
  const { at, changes } = event.data as Extract<GridEvent, { type: 'GridSettingsChanged.v1' }>['data'];
  if (changes.apdexThresholdMs === undefined) return [];
  return [
    {
      event,
      entry: { records: 0, event: { type: event.type, data: { at, apdexThresholdMs: changes.apdexThresholdMs } } },
    },
  ];
}

/** Alerts that were open at some time from `baselineFromMs` to `toMs`, with their events up to then. */
function selectExportedAlerts(
  events: readonly RecordedEvent[],
  { baselineFromMs, toMs }: ExportBounds,
  isSecret: (key: string) => boolean,
): PositionedEntry[] {
  const known = (events as readonly (RecordedEvent & AlertEvent)[]).filter(({ data }) => data.at <= toMs);
  const resolvedBefore = new Set(
    known
      .filter(({ type, data }) => type === 'AlertResolved.v1' && data.at < baselineFromMs)
      .map(({ data }) => data.alertId),
  );
  return known
    .filter(({ data }) => !resolvedBefore.has(data.alertId))
    .map((event) => {
      const { gridId: _, ...data } = event.data;
      return { event, entry: { records: 0, event: { type: event.type, data: redactLabels(data, isSecret) } } };
    });
}

/** Labels of alerts are values of attributes: those of secret ones are left out. */
function redactLabels(data: object, isSecret: (key: string) => boolean): Record<string, unknown> {
  if (!('labels' in data) || typeof data.labels !== 'object' || data.labels === null) return { ...data };
  const shown = Object.entries(data.labels).filter(([name]) => !isSecret(name));
  return { ...data, labels: Object.fromEntries(shown) };
}

/** Bytes of bodies in memory at a time; a single body may be larger. */
const BATCH_BYTES = 8 * 1024 * 1024;

const BATCH_EVENTS = 256;

/**
 * Position before the first event of the stream that was recorded at `time` (ms since 1970) or later. Binary search, as
 * recording times never decrease.
 */
async function findPositionBefore(
  log: Pick<EventReader, 'readStream'>,
  stream: string,
  time: number,
): Promise<Position> {
  const eventAt = async (revision: number): Promise<RecordedEvent | undefined> =>
    (await log.readStream(stream, revision, 1))[0];
  let before = -1;
  let after = 1;
  for (let event = await eventAt(after); event !== undefined && event.recordedAt < time; event = await eventAt(after)) {
    before = event.revision;
    after = 2 * (event.revision + 1);
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const event = await eventAt(middle);
    if (event === undefined || event.recordedAt >= time) after = middle;
    else before = Math.max(middle, event.revision);
  }
  return before < 0 ? START : ((await eventAt(before))?.position ?? START);
}

interface RecordingWindow {
  /** First and last recording time, ms since 1970, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: boolean;
}

/** Events of one stream that were recorded in the window, in log order. */
export async function* readEventsRecordedIn(
  log: Pick<EventReader, 'readStream' | 'readAll'>,
  stream: string,
  { fromMs, toMs, bodies }: RecordingWindow,
): AsyncGenerator<RecordedEvent> {
  for await (const event of readEventsAfter(log, await findPositionBefore(log, stream, fromMs), {
    prefixes: [stream],
    limit: BATCH_EVENTS,
    maxBytes: BATCH_BYTES,
    bodies,
  })) {
    if (event.recordedAt > toMs) return;
    if (event.recordedAt >= fromMs) yield event;
  }
}
