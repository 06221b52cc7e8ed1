import type { Signal } from '../signals.js';
import { WireWriter } from './wire-writer.js';

export type WireFormat = 'protobuf' | 'json';

/** google.rpc.Code values that ingestion answers with. */
export const RPC_CODE = {
  ok: 0,
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  /** Becomes a BadRequest detail. */
  readonly violations?: readonly { readonly field: string; readonly description: string }[];
  /** Becomes a RetryInfo detail: the sender may try again after so long. */
  readonly retryAfterMs?: number;
}

/** Responses have to stay under 4 MiB; a message says what it has to say in far less. UTF-16 units. */
const MAX_MESSAGE = 2048;
const MAX_VIOLATIONS = 100;

const REJECTED_NAMES: Readonly<Record<Signal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

const TYPE_URL = 'type.googleapis.com/';
const BAD_REQUEST = `${TYPE_URL}google.rpc.BadRequest`;
const RETRY_INFO = `${TYPE_URL}google.rpc.RetryInfo`;

/** Tags: ExportTraceServiceResponse and its siblings have the same numbers. */
const PARTIAL_SUCCESS = 10;
const PARTIAL = { rejected: 8, message: 18 } as const;
const STATUS = { code: 8, message: 18, detail: 26 } as const;
const ANY = { typeUrl: 10, value: 18 } as const;
const VIOLATION = { field: 10, description: 18 } as const;
const BAD_REQUEST_VIOLATION = 10;
const RETRY_DELAY = 10;
const DURATION = { seconds: 8, nanos: 16 } as const;

/**
 * Export<Signal>ServiceResponse. `partial_success` stays unset on full success; with `rejected` 0 the message is a
 * warning.
 */
export function encodeExportResponse(signal: Signal, format: WireFormat, rejected: number, message: string): Uint8Array {
  const partial = rejected > 0 || message !== '';
  if (format === 'json') {
    const partialSuccess = { [REJECTED_NAMES[signal]]: String(rejected), errorMessage: cut(message) };
    return jsonBytes(partial ? { partialSuccess } : {});
  }
  const writer = new WireWriter();
  if (partial) {
    const mark = writer.begin(PARTIAL_SUCCESS);
    if (rejected > 0) writer.integer(PARTIAL.rejected, rejected);
    if (message !== '') writer.text(PARTIAL.message, cut(message));
    writer.end(mark);
  }
  return writer.finish();
}

/** google.rpc.Status, the body of every OTLP/HTTP error; for gRPC the protobuf form is `grpc-status-details-bin`. */
export function encodeStatus(format: WireFormat, status: RpcStatus): Uint8Array {
  const short: RpcStatus = {
    ...status,
    message: cut(status.message),
    violations: status.violations?.slice(0, MAX_VIOLATIONS).map(({ field, description }) => ({ field: cut(field), description: cut(description) })),
  };
  return format === 'json' ? statusJson(short) : statusProtobuf(short);
}

function statusJson({ code, message, violations, retryAfterMs }: RpcStatus): Uint8Array {
  const details: object[] = [];
  if (violations !== undefined) details.push({ '@type': BAD_REQUEST, fieldViolations: violations });
  if (retryAfterMs !== undefined) details.push({ '@type': RETRY_INFO, retryDelay: `${retryAfterMs / 1000}s` });
  return jsonBytes({ code, message, ...(details.length > 0 ? { details } : {}) });
}

function statusProtobuf({ code, message, violations, retryAfterMs }: RpcStatus): Uint8Array {
  const writer = new WireWriter();
  writer.integer(STATUS.code, code);
  writer.text(STATUS.message, message);
  if (violations !== undefined) {
    detail(writer, BAD_REQUEST, () => {
      for (const { field, description } of violations) {
        const violation = writer.begin(BAD_REQUEST_VIOLATION);
        writer.text(VIOLATION.field, field);
        writer.text(VIOLATION.description, description);
        writer.end(violation);
      }
    });
  }
  if (retryAfterMs !== undefined) {
    detail(writer, RETRY_INFO, () => {
      const delay = writer.begin(RETRY_DELAY);
      writer.integer(DURATION.seconds, Math.floor(retryAfterMs / 1000));
      writer.integer(DURATION.nanos, Math.round((retryAfterMs % 1000) * 1e6));
      writer.end(delay);
    });
  }
  return writer.finish();
}

/** A google.protobuf.Any among the details. */
function detail(writer: WireWriter, typeUrl: string, value: () => void): void {
  const any = writer.begin(STATUS.detail);
  writer.text(ANY.typeUrl, typeUrl);
  const message = writer.begin(ANY.value);
  value();
  writer.end(message);
  writer.end(any);
}

function cut(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1)}…`;
}

function jsonBytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
