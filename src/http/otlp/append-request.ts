import { randomUUID } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import { appendTelemetry, type TelemetryEvent } from '../../streams/body-parts.js';
import type { EventStore, Position } from '../../streams/event-store.js';
import { RECEIVED_TYPES } from '../../streams/events/telemetry-events.js';
import { telemetryStream } from '../../streams/stream-names.js';
import type { Examination } from '../../telemetry/otlp/examination.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Sender } from './admission.js';

/** A request that was examined and found worth keeping. */
export interface ExaminedRequest {
  readonly signal: Signal;
  readonly sender: Sender;
  readonly receivedAt: number;
  readonly examination: Extract<Examination, { ok: true }>;
}

/** Resolves when the whole request is durable. */
export async function appendRequest(store: EventStore, request: ExaminedRequest): Promise<Position> {
  const result = await appendTelemetry(store, telemetryStream(request.sender.gridId), eventOf(request), randomUUID);
  if (!result.ok) throw new HindsightError('unavailable', 'the log reported a conflict where none was possible');
  return result.position;
}

function eventOf({ signal, sender, receivedAt, examination }: ExaminedRequest): TelemetryEvent {
  const { accepted, rejected, identity, body, encoding, inflatedBytes } = examination;
  const { gridId, keyId } = sender;
  return {
    id: randomUUID(),
    type: RECEIVED_TYPES[signal],
    data: { gridId, signal, accepted, rejected, keyId, receivedAt, identity, encoding, inflatedBytes },
    body,
  };
}
