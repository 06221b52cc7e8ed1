import type { Interner } from './interner.js';

/** Value of `StatusCode` on the wire that means ERROR (opentelemetry/proto/trace/v1 Status). */
export const STATUS_ERROR = 2;

/**
 * Spans of export requests as columns: row i of every array is the i-th accepted span, in the order of the body.
 * Filled by telemetry/otlp/span-decoder.ts, emptied with `clear()`, grown by doubling. Strings are ids of `strings`.
 * A column is valid up to `count` only.
 */
export interface SpanColumns {
  count: number;
  /** Split times, see time.ts. */
  startUs: Float64Array;
  startNs: Uint16Array;
  /** end − start in ns, may be negative; exact up to 2^53. */
  durationNs: Float64Array;
  /** 16 bytes a row. */
  traceId: Uint8Array;
  /** 8 bytes a row. */
  spanId: Uint8Array;
  /** 8 bytes a row, zero: none. */
  parentId: Uint8Array;
  service: Uint32Array;
  operation: Uint32Array;
  /** SpanKind on the wire; 0 counts as INTERNAL. */
  kind: Uint8Array;
  /** 0 unset, 1 ok, 2 error. */
  status: Uint8Array;
  /** 0: none. */
  httpStatus: Uint16Array;
  /** Index into the batch's resources, see `resourceTokens`. */
  resource: Uint32Array;
  /** Revision of the event that holds the record, in the Grid's telemetry stream. */
  revision: Uint32Array;
  /** Byte offset of the span message (first byte after its length prefix) in the inflated body, and its length. */
  offset: Uint32Array;
  length: Uint32Array;
  /** Tokens of row i: from tokenEnd[i-1] (0 for row 0) to tokenEnd[i], both halves of a 48-bit hash, see tokens.ts. */
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  tokenCount: number;
  /** Tokens of the attributes of each resource of the batch, in the order of `resource`. */
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  /** Services and operations; survives `clear()`, and is replaced by `clear()` once it holds more than 65,536 strings. */
  strings: Interner;
  /** Attribute keys seen since the last `clear()`, of spans and resources. */
  keys: Set<string>;
  clear(): void;
}
