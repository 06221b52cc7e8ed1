import { type EventReader, type Position, type ReadAllOptions, type RecordedEvent, START } from './event-store.js';
import { TELEMETRY_RECEIVED_TYPES, type TelemetryReceived } from './events/telemetry-events.js';
import type { Signal } from '../telemetry/signals.js';
import { TELEMETRY_PREFIX } from './stream-names.js';
import { isDamagedEvent } from './damaged-event.js';

/**
 * Yields all events after `after` that match `options`, in log order, holding at most `options.limit` events in memory.
 * Ends at the head of the log, which includes events appended while it runs.
 */
export async function* readEventsAfter(
  log: Pick<EventReader, 'readAll'>,
  after: Position,
  options: ReadAllOptions,
): AsyncGenerator<RecordedEvent> {
  for (let from = after; ;) {
    const batch = await log.readAll(from, options);
    if (batch.length === 0) return;
    yield* batch;
    from = batch[batch.length - 1].position;
  }
}

const RECEIVED_BATCH_EVENTS = 10_000;
const RECEIVED_TYPE_NAMES: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

/** A durable export request and the numbers of records that were accepted and rejected. */
export interface ReceivedRecords {
  readonly position: Position;
  readonly gridId: string;
  readonly signal: Signal;
  readonly records: number;
  readonly rejected: number;
}

/**
 * Yields the export requests after `after`, in log order, up to the current head. Reads no bodies. Skips damaged events,
 * which projections do not count either. `prefixes`: only streams that begin with one of these.
 */
export async function* readReceivedRecords(
  events: Pick<EventReader, 'readAll'>,
  after: Position,
  prefixes: readonly string[] = [TELEMETRY_PREFIX],
): AsyncGenerator<ReceivedRecords> {
  const options = { prefixes, limit: RECEIVED_BATCH_EVENTS, bodies: false };
  for (let from = after; ;) {
    const batch = await events.readAll(from, options).catch(toDamagedPosition);
    if (!Array.isArray(batch)) {
      from = batch;
      continue;
    }
    // A short batch may end before a damaged event: only an empty one is the end.
    if (batch.length === 0) return;
    for (const { type, position, data } of batch)
      if (RECEIVED_TYPE_NAMES.has(type)) yield toReceivedRecords(position, data as Partial<TelemetryReceived>);
    from = batch[batch.length - 1].position;
  }
}

/** Position of a damaged event, from which to read on. Throws any other error. */
function toDamagedPosition(error: unknown): Position {
  if (isDamagedEvent(error)) return error.position;
  throw error;
}

/** Data that is not what a request has counts as no records: projections cannot project it either. */
function toReceivedRecords(position: Position, data: Partial<TelemetryReceived>): ReceivedRecords {
  const { gridId = '', signal = 'traces', accepted: records = 0, rejected = [] } = data;
  return { position, gridId, signal, records, rejected: rejected.length };
}

const DAMAGE_SCAN_BATCH_EVENTS = 256;

/** Limit for the bodies in memory at a time; a single larger body is still read. */
const DAMAGE_SCAN_BATCH_BYTES = 8 * 1024 * 1024;

/** Reads the whole log and returns one message for each damaged event, at most `maxFindings`. */
export async function findDamagedEvents(log: Pick<EventReader, 'readAll'>, maxFindings: number): Promise<string[]> {
  const messages: string[] = [];
  for (let after = START; messages.length < maxFindings;) {
    try {
      const batch = await log.readAll(after, { limit: DAMAGE_SCAN_BATCH_EVENTS, maxBytes: DAMAGE_SCAN_BATCH_BYTES });
      if (batch.length === 0) break;
      after = batch[batch.length - 1].position;
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      messages.push(error.message);
      after = error.position;
    }
  }
  return messages;
}
