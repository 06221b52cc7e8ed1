import { createHash } from 'node:crypto';
import type { NewEvent } from '../../streams/event-store.js';
import { upcastToNewest } from '../../streams/events/event-registry.js';
import { TELEMETRY_RECEIVED_TYPES, type TelemetryReceived } from '../../streams/events/telemetry-events.js';
import { alertsStream, gridStream, telemetryStream } from '../../streams/stream-names.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import { validateExportRequest } from '../../telemetry/otlp/validation/validate-export-request.js';
import { SIGNALS, type Signal } from '../../telemetry/signals.js';
import { APDEX_CHANGE_TYPE, type ExportedEvent } from './incident-file-format.js';
import { createInvalidFileError } from './incident-file-reader.js';

const MAX_INFLATED_BYTES = 64 * 1024 * 1024;
const ENCODINGS: readonly ContentEncoding[] = ['identity', 'gzip', 'deflate', 'zstd'];
const ALERT_TYPES: ReadonlySet<string> = new Set([
  'AlertFired.v2',
  'AlertSeverityChanged.v1',
  'AlertAcknowledged.v1',
  'AlertResolved.v1',
]);
/** Key id of imported telemetry, which no API key sent. */
const IMPORT_KEY_ID = 'import';

/** A target stream and the event to append there. */
export interface ImportedEvent {
  readonly stream: string;
  readonly event: NewEvent;
}

export interface ImportDestination {
  readonly gridId: string;
  readonly actor: string;
  readonly mapId: (id: string) => string;
}

/**
 * Converts an exported event into one of the new Grid, in its newest version. `validates` decodes telemetry, so that
 * nothing enters the log that could not have come from a sender. Throws `invalid-request` for events that an export
 * cannot contain.
 */
export function toImportedEvent(
  { type: storedType, data: storedData, body }: ExportedEvent,
  ordinal: number,
  destination: ImportDestination,
  validates: boolean,
): ImportedEvent {
  const { type, data } = upcastToNewest(storedType, storedData) as { type: string; data: Record<string, unknown> };
  const id = deriveUuid(`${destination.gridId}/${ordinal}`);
  if (Object.values<string>(TELEMETRY_RECEIVED_TYPES).includes(type))
    return {
      stream: telemetryStream(destination.gridId),
      event: { id, type, ...toTelemetryEvent(type, data, body, ordinal, destination, validates) },
    };
  if (ALERT_TYPES.has(type))
    return { stream: alertsStream(destination.gridId), event: { id, type, data: toAlertEventData(data, destination) } };
  if (type === APDEX_CHANGE_TYPE)
    return {
      stream: gridStream(destination.gridId),
      event: { id, type, data: toThresholdEventData(data, destination) },
    };
  throw createInvalidFileError(
    `The incident file contains an event of type ${type}, which this version does not know; import it with the version that wrote it`,
  );
}

function toTelemetryEvent(
  type: string,
  data: Record<string, unknown>,
  text: string | undefined,
  ordinal: number,
  { gridId }: ImportDestination,
  validates: boolean,
): { data: TelemetryReceived; body: Uint8Array } {
  const { signal, accepted, rejected, receivedAt, encoding, inflatedBytes } = data as unknown as TelemetryReceived;
  const isValid =
    SIGNALS.includes(signal) &&
    TELEMETRY_RECEIVED_TYPES[signal] === type &&
    isCount(accepted) &&
    isCount(receivedAt) &&
    isCount(inflatedBytes) &&
    inflatedBytes <= MAX_INFLATED_BYTES &&
    ENCODINGS.includes(encoding) &&
    Array.isArray(rejected) &&
    rejected.every((each, i) => isCount(each) && (i === 0 || each > rejected[i - 1])) &&
    typeof text === 'string';
  if (!isValid) throw createDamagedEventError(ordinal);
  const body = new Uint8Array(Buffer.from(text, 'base64'));
  if (validates) assertClaimsHold({ signal, encoding, inflatedBytes, body, accepted, rejected, ordinal });
  // Duplicates were removed by the export: here every request counts, with an identity of its own.
  const identity = createHash('sha256').update(`${gridId}\n${signal}\n${ordinal}`).digest('hex');
  return {
    body,
    data: { gridId, signal, accepted, rejected, keyId: IMPORT_KEY_ID, receivedAt, identity, encoding, inflatedBytes },
  };
}

interface ClaimedRequest {
  readonly signal: Signal;
  readonly encoding: ContentEncoding;
  readonly inflatedBytes: number;
  readonly body: Uint8Array;
  readonly accepted: number;
  readonly rejected: readonly number[];
  readonly ordinal: number;
}

/** Throws unless the counts are true and all records that cannot be decoded are among the rejected. */
function assertClaimsHold({
  signal,
  encoding,
  inflatedBytes,
  body,
  accepted,
  rejected,
  ordinal,
}: ClaimedRequest): void {
  const validation = validateExportRequest({
    gridId: '',
    signal,
    format: 'protobuf',
    encoding,
    body,
    oldestMs: 0,
    newestMs: Number.MAX_SAFE_INTEGER,
    maxInflatedBytes: inflatedBytes,
  });
  if (!validation.ok)
    throw createInvalidFileError(`The incident file is damaged: event ${ordinal}: ${validation.message}`);
  const claimed = new Set(rejected);
  const isCorrect =
    validation.inflatedBytes === inflatedBytes &&
    validation.accepted + validation.rejected.length === accepted + rejected.length &&
    validation.rejected.every((each) => claimed.has(each));
  if (!isCorrect) throw createDamagedEventError(ordinal);
}

/** Whoever acknowledged an alert is unknown where the file is imported: whoever imports it stands in. */
function toAlertEventData(
  data: Record<string, unknown>,
  { gridId, actor: importer, mapId: idOf }: ImportDestination,
): object {
  const { alertId, ruleId, actor, ...rest } = data;
  if (typeof alertId !== 'string' || !isCount(rest.at))
    throw createInvalidFileError('The incident file is damaged: an alert has no id or time');
  if (rest['labels'] !== undefined && !isTextRecord(rest['labels']))
    throw createInvalidFileError('The incident file is damaged: the labels of an alert are not strings');
  return {
    ...rest,
    ...(actor !== undefined && { actor: importer }),
    gridId,
    alertId: idOf(alertId),
    ...(typeof ruleId === 'string' ? { ruleId: idOf(ruleId) } : {}),
  };
}

function toThresholdEventData(
  { apdexThresholdMs, at }: Record<string, unknown>,
  { gridId, actor }: ImportDestination,
): object {
  if (!isCount(apdexThresholdMs) || apdexThresholdMs === 0 || !isCount(at))
    throw createInvalidFileError('The incident file is damaged: an Apdex threshold is not a duration');
  return { gridId, actor, at, changes: { apdexThresholdMs } };
}

function createDamagedEventError(ordinal: number): Error {
  return createInvalidFileError(`The incident file is damaged: the data of event ${ordinal} is invalid`);
}

function isTextRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
