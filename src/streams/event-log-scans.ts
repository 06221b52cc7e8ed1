import { type EventReader, type Position, type ReadAllOptions, type RecordedEvent, START } from './event-store.js';
import { TELEMETRY_RECEIVED_TYPES, type TelemetryReceived } from './events/telemetry-events.js';
import { TELEMETRY_PREFIX } from './stream-names.js';
import { isDamagedEvent } from './damaged-event.js';

/**
 * Everything after `after` that a reading finds, in the order of the log, a batch of `reading.limit` in memory at a time. Ends where nothing
 * more stands in the log: what is appended meanwhile belongs to it.
 */
export async function* readEventsAfter(
  log: Pick<EventReader, 'readAll'>,
  after: Position,
  reading: ReadAllOptions,
): AsyncGenerator<RecordedEvent> {
  for (let from = after; ;) {
    const batch = await log.readAll(from, reading);
    if (batch.length === 0) return;
    yield* batch;
    from = batch[batch.length - 1].position;
  }
}

const RECEIVED_BATCH_EVENTS = 10_000;
const RECEIVED_TYPE_NAMES: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

/** One durable export request and how many records it brought. */
export interface ReceivedRecords {
  readonly position: Position;
  readonly gridId: string;
  readonly records: number;
}

/** What was received after `after`, in the order of the log, as of now. Reads no bodies. */
export async function* readReceivedRecords(events: EventReader, after: Position): AsyncGenerator<ReceivedRecords> {
  for (let from = after; ;) {
    const batch = await events.readAll(from, {
      prefixes: [TELEMETRY_PREFIX],
      limit: RECEIVED_BATCH_EVENTS,
      bodies: false,
    });
    for (const { type, position, data } of batch)
      if (RECEIVED_TYPE_NAMES.has(type)) yield toReceivedRecords(position, data as TelemetryReceived);
    if (batch.length < RECEIVED_BATCH_EVENTS) return;
    from = batch[batch.length - 1].position;
  }
}

function toReceivedRecords(position: Position, { gridId, accepted: records }: TelemetryReceived): ReceivedRecords {
  return { position, gridId, records };
}

const DAMAGE_SCAN_BATCH_EVENTS = 256;

/** Of bodies in memory at a time, but for a single larger one. */
const DAMAGE_SCAN_BATCH_BYTES = 8 * 1024 * 1024;

/** What is wrong with events whose bytes are not those that were appended, a sentence each, at most `most`. Reads the whole log. */
export async function findDamagedEvents(log: Pick<EventReader, 'readAll'>, most: number): Promise<string[]> {
  const found: string[] = [];
  for (let after = START; found.length < most;) {
    try {
      const batch = await log.readAll(after, { limit: DAMAGE_SCAN_BATCH_EVENTS, maxBytes: DAMAGE_SCAN_BATCH_BYTES });
      if (batch.length === 0) break;
      after = batch[batch.length - 1].position;
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      found.push(error.message);
      after = error.position;
    }
  }
  return found;
}
