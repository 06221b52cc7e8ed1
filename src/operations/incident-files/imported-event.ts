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
const ALERT_TYPES: ReadonlySet<string> = new Set(['AlertFired.v1', 'AlertSeverityChanged.v1', 'AlertResolved.v1']);
/** Under which telemetry arrives that no key has sent. */
const IMPORT_KEY_ID = 'import';

/** Where the event goes, and what is appended there. */
export interface ImportedEvent {
  readonly stream: string;
  readonly event: NewEvent;
}

export interface ImportDestination {
  readonly gridId: string;
  readonly actor: string;
  readonly idOf: (id: string) => string;
}

/**
 * The event as one of the new Grid, in its newest version. `examines` inflates and decodes telemetry, so that nothing gets into the log that could not have come from a sender.
 * Throws `invalid-request` for what no slice has.
 */
export function toImportedEvent(
  { type: written, data: given, body }: ExportedEvent,
  ordinal: number,
  to: ImportDestination,
  examines: boolean,
): ImportedEvent {
  const { type, data } = upcastToNewest(written, given) as { type: string; data: Record<string, unknown> };
  const id = deriveUuid(`${to.gridId}/${ordinal}`);
  if (Object.values<string>(TELEMETRY_RECEIVED_TYPES).includes(type))
    return {
      stream: telemetryStream(to.gridId),
      event: { id, type, ...toTelemetryEvent(type, data, body, ordinal, to, examines) },
    };
  if (ALERT_TYPES.has(type))
    return { stream: alertsStream(to.gridId), event: { id, type, data: toAlertEventData(data, to) } };
  if (type === APDEX_CHANGE_TYPE)
    return { stream: gridStream(to.gridId), event: { id, type, data: toThresholdEventData(data, to) } };
  throw createInvalidFileError(
    `the slice has an event of type ${type}, which this program does not know: import it with the version that wrote it`,
  );
}

function toTelemetryEvent(
  type: string,
  data: Record<string, unknown>,
  text: string | undefined,
  ordinal: number,
  { gridId }: ImportDestination,
  examines: boolean,
): { data: TelemetryReceived; body: Uint8Array } {
  const { signal, accepted, rejected, receivedAt, encoding, inflatedBytes } = data as unknown as TelemetryReceived;
  const fits =
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
  if (!fits) throw createDamagedEventError(ordinal);
  const body = new Uint8Array(Buffer.from(text, 'base64'));
  if (examines) assertClaimsHold({ signal, encoding, inflatedBytes, body, accepted, rejected, ordinal });
  // Whether it is a repetition was decided when it was exported: here each counts, so each has an identity of its own.
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

/** Records that cannot be decoded must be among the rejected, and the counts must be true. */
function assertClaimsHold({
  signal,
  encoding,
  inflatedBytes,
  body,
  accepted,
  rejected,
  ordinal,
}: ClaimedRequest): void {
  const examination = validateExportRequest({
    gridId: '',
    signal,
    format: 'protobuf',
    encoding,
    body,
    oldestMs: 0,
    newestMs: Number.MAX_SAFE_INTEGER,
    maxInflatedBytes: inflatedBytes,
  });
  if (!examination.ok) throw createInvalidFileError(`the slice is damaged: event ${ordinal}: ${examination.message}`);
  const passed = new Set(rejected);
  const isTrue =
    examination.inflatedBytes === inflatedBytes &&
    examination.accepted + examination.rejected.length === accepted + rejected.length &&
    examination.rejected.every((each) => passed.has(each));
  if (!isTrue) throw createDamagedEventError(ordinal);
}

function toAlertEventData(data: Record<string, unknown>, { gridId, idOf }: ImportDestination): object {
  const { alertId, ruleId, ...rest } = data;
  if (typeof alertId !== 'string' || !isCount(rest.at))
    throw createInvalidFileError('the slice is damaged: an alert has no id or time');
  return { ...rest, gridId, alertId: idOf(alertId), ...(typeof ruleId === 'string' ? { ruleId: idOf(ruleId) } : {}) };
}

function toThresholdEventData(
  { apdexThresholdMs, at }: Record<string, unknown>,
  { gridId, actor }: ImportDestination,
): object {
  if (!isCount(apdexThresholdMs) || apdexThresholdMs === 0 || !isCount(at))
    throw createInvalidFileError('the slice is damaged: an Apdex threshold is no time');
  return { gridId, actor, at, changes: { apdexThresholdMs } };
}

function createDamagedEventError(ordinal: number): Error {
  return createInvalidFileError(`the slice is damaged: event ${ordinal} is not what it says`);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
