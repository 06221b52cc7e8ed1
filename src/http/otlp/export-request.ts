import type { AccessControl } from '../../auth/access-control.js';
import type { PresentedKey } from '../../auth/api-key-usage-listener.js';
import { type Abandoned, createRefusal, type Refusal } from './export-outcome.js';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { WireFormat } from '../../telemetry/otlp/export-responses.js';
import type { Signal } from '../../telemetry/signals.js';
import type { MemoryReservation } from './memory-budget.js';
import { randomUUID } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import { appendTelemetry, type NewTelemetryEvent } from '../../streams/telemetry-body.js';
import type { EventStore, Position } from '../../streams/event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from '../../streams/events/telemetry-events.js';
import { telemetryStream } from '../../streams/stream-names.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';

/** Who sends, and into which Grid. */
export interface Sender {
  readonly keyId: string;
  readonly gridId: string;
  /** Days that the Grid keeps telemetry; 0: for ever. */
  readonly retentionDays: number;
}

/**
 * Looked up for each request: a key that was revoked a moment ago opens nothing, also on a kept-alive connection.
 * @param turnedAway told of a key that is right and sends nothing all the same
 */
export async function authenticateSender(
  access: AccessControl,
  presented: string | undefined,
  turnedAway: (key: PresentedKey, refusal: Refusal) => void,
): Promise<Sender | Refusal> {
  if (presented === undefined)
    return createRefusal('unauthenticated', 'send exactly one API key in the api-key header');
  const key = await access.apiKey(presented);
  if (key === undefined) return createRefusal('unauthenticated', 'the API key is unknown or was revoked');
  const grid = await access.grid(key.gridId);
  if (grid === undefined) return createRefusal('unauthenticated', 'the API key belongs to no Grid');
  if (!grid.subscriptionActive) {
    const refusal = createRefusal('forbidden', 'the subscription of this Grid is inactive');
    turnedAway(key, refusal);
    return refusal;
  }
  return { keyId: key.keyId, gridId: grid.gridId, retentionDays: grid.retentionDays };
}

/** The one key of a request. HTTP joins repeated headers with a comma, which no key contains. */
export function readApiKey(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.includes(',')) return undefined;
  return header;
}

/** One export request as either transport hands it to the receiver, its body still on the wire. */
export interface ExportRequest {
  readonly signal: Signal;
  readonly format: WireFormat;
  /** Absent where the request carries no key, or several. */
  readonly apiKey: string | undefined;
  /** Address of the sender, for what it presents. */
  readonly client: string;
  /** Takes the body off the wire. Called at most once; what it holds is paid for from `lease`. */
  readBody(lease: MemoryReservation): Promise<ReadBodyResult>;
}

export type ReadBodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: ContentEncoding }
  | { readonly ok: false; readonly outcome: Refusal | Abandoned };

/** A request that was examined and found worth keeping. */
interface ValidatedRequest {
  readonly signal: Signal;
  readonly sender: Sender;
  readonly receivedAt: number;
  readonly examination: Extract<ExportValidation, { ok: true }>;
}

/** Resolves when the whole request is durable. */
export async function appendRequest(store: EventStore, request: ValidatedRequest): Promise<Position> {
  const result = await appendTelemetry(
    store,
    telemetryStream(request.sender.gridId),
    toTelemetryEvent(request),
    randomUUID,
  );
  if (!result.ok) throw new HindsightError('unavailable', 'the log reported a conflict where none was possible');
  return result.position;
}

function toTelemetryEvent({ signal, sender, receivedAt, examination }: ValidatedRequest): NewTelemetryEvent {
  const { accepted, rejected, identity, body, encoding, inflatedBytes } = examination;
  const { gridId, keyId } = sender;
  return {
    id: randomUUID(),
    type: TELEMETRY_RECEIVED_TYPES[signal],
    data: { gridId, signal, accepted, rejected, keyId, receivedAt, identity, encoding, inflatedBytes },
    body,
  };
}
