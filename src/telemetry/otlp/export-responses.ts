import type { Signal } from '../signals.js';
import { WireWriter } from './wire/wire-writer.js';

export type WireFormat = 'protobuf' | 'json';

/** google.rpc.Code values that ingestion returns. */
export const RPC_CODE = {
  ok: 0,
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Content of a google.rpc.Status. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  /** Encoded as a BadRequest detail. */
  readonly violations?: readonly { readonly field: string; readonly description: string }[];
  /** Encoded as a RetryInfo detail: the sender may retry after this many ms. */
  readonly retryAfterMs?: number;
}

/** In UTF-16 units. Keeps responses far below the 4 MiB limit. */
const MAX_MESSAGE_LENGTH = 2048;
const MAX_VIOLATIONS = 100;

const REJECTED_NAMES: Readonly<Record<Signal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

const TYPE_URL = 'type.googleapis.com/';
const BAD_REQUEST = `${TYPE_URL}google.rpc.BadRequest`;
const RETRY_INFO = `${TYPE_URL}google.rpc.RetryInfo`;

/** Field tags; ExportTraceServiceResponse and the responses of the other signals share the same numbers. */
const PARTIAL_SUCCESS = 10;
const PARTIAL = { rejected: 8, message: 18 } as const;
const STATUS = { code: 8, message: 18, detail: 26 } as const;
const ANY = { typeUrl: 10, value: 18 } as const;
const VIOLATION = { field: 10, description: 18 } as const;
const BAD_REQUEST_VIOLATION = 10;
const RETRY_DELAY = 10;
const DURATION = { seconds: 8, nanos: 16 } as const;

/**
 * Encodes an Export<Signal>ServiceResponse. `partial_success` is unset on full success; with `rejected` 0 the message
 * is a warning.
 */
export function encodeExportResponse(
  signal: Signal,
  format: WireFormat,
  rejected: number,
  message: string,
): Uint8Array {
  const isPartial = rejected > 0 || message !== '';
  if (format === 'json') {
    const partialSuccess = { [REJECTED_NAMES[signal]]: String(rejected), errorMessage: truncateMessage(message) };
    return encodeJson(isPartial ? { partialSuccess } : {});
  }
  const writer = new WireWriter();
  if (isPartial) {
    const mark = writer.beginField(PARTIAL_SUCCESS);
    if (rejected > 0) writer.writeIntegerField(PARTIAL.rejected, rejected);
    if (message !== '') writer.writeTextField(PARTIAL.message, truncateMessage(message));
    writer.endField(mark);
  }
  return writer.finish();
}

/**
 * Encodes a google.rpc.Status, the body of every OTLP/HTTP error; for gRPC the protobuf form is
 * `grpc-status-details-bin`.
 */
export function encodeStatus(format: WireFormat, status: RpcStatus): Uint8Array {
  const truncated: RpcStatus = {
    ...status,
    message: truncateMessage(status.message),
    violations: status.violations
      ?.slice(0, MAX_VIOLATIONS)
      .map(({ field, description }) => ({ field: truncateMessage(field), description: truncateMessage(description) })),
  };
  return format === 'json' ? encodeStatusJson(truncated) : encodeStatusProtobuf(truncated);
}

function encodeStatusJson({ code, message, violations, retryAfterMs }: RpcStatus): Uint8Array {
  const details: object[] = [];
  if (violations !== undefined) details.push({ '@type': BAD_REQUEST, fieldViolations: violations });
  if (retryAfterMs !== undefined) details.push({ '@type': RETRY_INFO, retryDelay: `${retryAfterMs / 1000}s` });
  return encodeJson({ code, message, ...(details.length > 0 ? { details } : {}) });
}

function encodeStatusProtobuf({ code, message, violations, retryAfterMs }: RpcStatus): Uint8Array {
  const writer = new WireWriter();
  writer.writeIntegerField(STATUS.code, code);
  writer.writeTextField(STATUS.message, message);
  if (violations !== undefined) {
    writeDetail(writer, BAD_REQUEST, () => {
      for (const { field, description } of violations) {
        const violation = writer.beginField(BAD_REQUEST_VIOLATION);
        writer.writeTextField(VIOLATION.field, field);
        writer.writeTextField(VIOLATION.description, description);
        writer.endField(violation);
      }
    });
  }
  if (retryAfterMs !== undefined) {
    writeDetail(writer, RETRY_INFO, () => {
      const delay = writer.beginField(RETRY_DELAY);
      writer.writeIntegerField(DURATION.seconds, Math.floor(retryAfterMs / 1000));
      writer.writeIntegerField(DURATION.nanos, Math.round((retryAfterMs % 1000) * 1e6));
      writer.endField(delay);
    });
  }
  return writer.finish();
}

/** Writes one detail as google.protobuf.Any. */
function writeDetail(writer: WireWriter, typeUrl: string, writeValue: () => void): void {
  const any = writer.beginField(STATUS.detail);
  writer.writeTextField(ANY.typeUrl, typeUrl);
  const message = writer.beginField(ANY.value);
  writeValue();
  writer.endField(message);
  writer.endField(any);
}

function truncateMessage(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}

function encodeJson(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
