import type { AccessControl } from '../../auth/access-control.js';
import type { PresentedKey } from '../../auth/api-key-usage-listener.js';
import { type Abandoned, createRefusal, type Refusal } from './export-outcome.js';
import type { TransferEncoding } from '../../telemetry/compression/content-encoding.js';
import type { BodyFormat } from '../../telemetry/otlp/validation/validate-export-request.js';
import type { Signal } from '../../telemetry/signals.js';
import type { MemoryReservation } from './memory-budget.js';
import { randomUUID } from 'node:crypto';
import { HindsightError } from '../../errors.js';
import { appendTelemetry, type NewTelemetryEvent } from '../../streams/telemetry-body.js';
import type { EventStore, Position } from '../../streams/event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from '../../streams/events/telemetry-events.js';
import { telemetryStream } from '../../streams/stream-names.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';

/** An authenticated sender with its Grid. */
export interface Sender {
  readonly keyId: string;
  readonly gridId: string;
  /** The user who created the Grid; the id of the Grid if unknown. */
  readonly ownerId: string;
  /** Days for which the Grid retains telemetry; 0: unlimited. */
  readonly retentionDays: number;
  /** Time (ms since 1970) before which telemetry of the Grid has expired; 0: nothing has. */
  readonly expiredBefore: number;
}

/**
 * Authenticates the sender by its API key. Repeated for each request, so that a revoked key is rejected also on open
 * connections.
 * @param onRefused called if the key is valid but must not send telemetry, or the Grid rejects it
 */
export async function authenticateSender(
  access: AccessControl,
  presented: string | undefined,
  onRefused: (key: PresentedKey, refusal: Refusal) => void,
): Promise<Sender | Refusal> {
  if (presented === undefined)
    return createRefusal('unauthenticated', 'send exactly one API key in the api-key header');
  const key = await access.findApiKey(presented);
  if (key === undefined) return createRefusal('unauthenticated', 'the API key is unknown or was revoked');
  if (key.kind === 'read') {
    const refusal = createRefusal(
      'forbidden',
      'key-kind: this API key is of the kind read; use one of the kind send or full',
    );
    onRefused(key, refusal);
    return refusal;
  }
  const grid = await access.findGrid(key.gridId);
  if (grid === undefined) return createRefusal('unauthenticated', 'the Grid of this API key does not exist');
  if (!grid.subscriptionActive) {
    const refusal = createRefusal('forbidden', 'the subscription of this Grid is inactive');
    onRefused(key, refusal);
    return refusal;
  }
  return {
    keyId: key.keyId,
    gridId: grid.gridId,
    ownerId: grid.ownerId ?? grid.gridId,
    retentionDays: grid.retentionDays,
    expiredBefore: await access.findRetentionWatermark(grid.gridId),
  };
}

/**
 * The API key of a request; undefined if there is none or several. HTTP joins repeated headers with a comma, which no
 * key contains.
 */
export function readApiKey(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.includes(',')) return undefined;
  return header;
}

/** An export request from any transport. Its body has not been read yet. */
export interface ExportRequest {
  readonly signal: Signal;
  readonly format: BodyFormat;
  /** Undefined if the request has no key, or several. */
  readonly apiKey: string | undefined;
  /** Address of the sender, for limiting failed attempts. */
  readonly client: string;
  /** Any object that stands for the connection, for the same purpose. Default: a connection of its own. */
  readonly connection?: object | undefined;
  /** Reads the body. Called at most once; its memory is accounted in `reservation`. */
  readBody(reservation: MemoryReservation): Promise<ReadBodyResult>;
}

export type ReadBodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: TransferEncoding }
  | { readonly ok: false; readonly outcome: Refusal | Abandoned };

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
