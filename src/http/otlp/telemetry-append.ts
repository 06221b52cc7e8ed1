import { randomUUID } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import type { EventStore, Position } from '../../streams/event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from '../../streams/events/telemetry-events.js';
import { telemetryStream } from '../../streams/stream-names.js';
import { appendTelemetry, type NewTelemetryEvent } from '../../streams/telemetry-body.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Sender } from './sender-authenticator.js';

/** A request with at least one valid record. */
interface ValidatedRequest {
  readonly signal: Signal;
  readonly sender: Sender;
  readonly receivedAt: number;
  readonly validation: Extract<ExportValidation, { ok: true }>;
}

/** Appends the request to the event log. Resolves when it is durable. */
export async function appendRequest(store: EventStore, request: ValidatedRequest): Promise<Position> {
  const result = await appendTelemetry(
    store,
    telemetryStream(request.sender.gridId),
    toTelemetryEvent(request),
    randomUUID,
  );
  if (!result.ok) throw new HindsightError('unavailable', 'the event log reported an unexpected conflict');
  return result.position;
}

function toTelemetryEvent({ signal, sender, receivedAt, validation }: ValidatedRequest): NewTelemetryEvent {
  const { accepted, rejected, identity, body, encoding, inflatedBytes } = validation;
  const { gridId, keyId } = sender;
  return {
    id: randomUUID(),
    type: TELEMETRY_RECEIVED_TYPES[signal],
    data: { gridId, signal, accepted, rejected, keyId, receivedAt, identity, encoding, inflatedBytes },
    body,
  };
}
