import type { EventReader, Position } from './event-store.js';
import { RECEIVED_TYPES, type TelemetryReceived } from './events/telemetry-events.js';
import { TELEMETRY_PREFIX } from './stream-names.js';

const BATCH = 10_000;
const RECEIVED: ReadonlySet<string> = new Set(Object.values(RECEIVED_TYPES));

/** One durable export request and how many records it brought. */
export interface ReceivedRecords {
  readonly position: Position;
  readonly gridId: string;
  readonly records: number;
}

/** What was received after `after`, in the order of the log, as of now. Reads no bodies. */
export async function* receivedRecords(events: EventReader, after: Position): AsyncGenerator<ReceivedRecords> {
  for (let from = after; ; ) {
    const batch = await events.readAll(from, { prefixes: [TELEMETRY_PREFIX], limit: BATCH, bodies: false });
    for (const { type, position, data } of batch) if (RECEIVED.has(type)) yield receivedAt(position, data as TelemetryReceived);
    if (batch.length < BATCH) return;
    from = batch[batch.length - 1].position;
  }
}

function receivedAt(position: Position, { gridId, accepted: records }: TelemetryReceived): ReceivedRecords {
  return { position, gridId, records };
}
