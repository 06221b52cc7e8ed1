import { doubleCapacity, MIN_ROW_CAPACITY } from './column-capacity.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../trace-identifiers.js';
import { StringInterner } from './string-interner.js';

/** Value of `StatusCode` on the wire that means ERROR (opentelemetry/proto/trace/v1 Status). */
export const STATUS_ERROR = 2;

/**
 * Spans of export requests as columns: row i of every array is the i-th accepted span, in the order of the body. Filled
 * by telemetry/otlp/decoding/span-decoder.ts, emptied with `clear()`, grown by doubling. Strings are ids of `strings`.
 * A column is valid only up to `count`.
 */
export interface SpanColumns {
  count: number;
  /** Split times, see unix-time.ts. */
  startUs: Float64Array;
  startNs: Uint16Array;
  /** end − start in ns, may be negative; exact up to 2^53. */
  durationNs: Float64Array;
  /** 16 bytes per row. */
  traceId: Uint8Array;
  /** 8 bytes per row. */
  spanId: Uint8Array;
  /** 8 bytes per row; all zero if there is no parent. */
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
  /** Byte offset of the span message (first byte after its length prefix) in the decompressed body, and its length. */
  offset: Uint32Array;
  length: Uint32Array;
  /**
   * Tokens of row i: from tokenEnd[i-1] (0 for row 0) to tokenEnd[i]; `tokens` and `tokenChecks` hold the two parts of
   * a 48-bit hash, see attribute-tokens.ts.
   */
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  tokenCount: number;
  /** Tokens of the attributes of each resource of the batch, indexed by `resource`. */
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  /**
   * Service called by a CLIENT or PRODUCER span according to its own attributes: the first non-empty one of
   * `peer.service`, `db.namespace`, `messaging.destination.name`, `server.address`, `db.system.name`,
   * `messaging.system`, `rpc.system`, or of their deprecated names. The empty string if there is none, and for other
   * span kinds.
   */
  peer: Uint32Array;
  /** `service.version` and `service.instance.id` of each resource of the batch, indexed by `resource`; "" if absent. */
  resourceVersions: number[];
  resourceInstances: number[];
  /** Exceptions recorded as span events, ordered by row; entries of rows past `count` are invalid. */
  exceptionCount: number;
  exceptionRow: Uint32Array;
  /** Truncated to MAX_EXCEPTION_CHARACTERS. */
  exceptionType: Uint32Array;
  exceptionMessage: Uint32Array;
  /** Time of the event in whole µs, clamped to its span; the end of the span if the event has no time. */
  exceptionUs: Float64Array;
  /**
   * Services, operations, peers, versions, instances, exceptions; survives `clear()`, which replaces it once it is
   * large (see StringInterner.isLarge).
   */
  strings: StringInterner;
  /** Attribute keys of spans and resources seen since the last `clear()`. */
  keys: Set<string>;
  clear(): void;
}

/** Creates empty columns with capacity for `capacity` rows; they grow on demand. */
export function createSpanColumns(capacity = 8192): SpanColumns {
  return new GrowingSpanColumns(Math.max(MIN_ROW_CAPACITY, capacity));
}

/** Tokens of a typical attribute list. */
const TOKENS_PER_ROW = 16;

class GrowingSpanColumns implements SpanColumns {
  count = 0;
  tokenCount = 0;
  startUs: Float64Array;
  startNs: Uint16Array;
  durationNs: Float64Array;
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentId: Uint8Array;
  service: Uint32Array;
  operation: Uint32Array;
  kind: Uint8Array;
  status: Uint8Array;
  httpStatus: Uint16Array;
  resource: Uint32Array;
  revision: Uint32Array;
  offset: Uint32Array;
  length: Uint32Array;
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[] = [];
  peer: Uint32Array;
  resourceVersions: number[] = [];
  resourceInstances: number[] = [];
  exceptionCount = 0;
  exceptionRow = new Uint32Array(64);
  exceptionType = new Uint32Array(64);
  exceptionMessage = new Uint32Array(64);
  exceptionUs = new Float64Array(64);
  strings = new StringInterner();
  keys = new Set<string>();

  constructor(rows: number) {
    this.startUs = new Float64Array(rows);
    this.startNs = new Uint16Array(rows);
    this.durationNs = new Float64Array(rows);
    this.traceId = new Uint8Array(rows * TRACE_ID_BYTES);
    this.spanId = new Uint8Array(rows * SPAN_ID_BYTES);
    this.parentId = new Uint8Array(rows * SPAN_ID_BYTES);
    this.service = new Uint32Array(rows);
    this.operation = new Uint32Array(rows);
    this.kind = new Uint8Array(rows);
    this.status = new Uint8Array(rows);
    this.httpStatus = new Uint16Array(rows);
    this.peer = new Uint32Array(rows);
    this.resource = new Uint32Array(rows);
    this.revision = new Uint32Array(rows);
    this.offset = new Uint32Array(rows);
    this.length = new Uint32Array(rows);
    this.tokenEnd = new Uint32Array(rows);
    this.tokens = new Uint32Array(rows * TOKENS_PER_ROW);
    this.tokenChecks = new Uint16Array(rows * TOKENS_PER_ROW);
  }

  clear(): void {
    this.count = 0;
    this.tokenCount = 0;
    this.exceptionCount = 0;
    this.resourceTokens = [];
    this.resourceVersions = [];
    this.resourceInstances = [];
    this.keys.clear();
    if (this.strings.isLarge) this.strings = new StringInterner();
  }
}

/** Ensures capacity for one more row. */
export function reserveSpanRow(columns: SpanColumns): void {
  if (columns.count < columns.startUs.length) return;
  columns.startUs = doubleCapacity(columns.startUs);
  columns.startNs = doubleCapacity(columns.startNs);
  columns.durationNs = doubleCapacity(columns.durationNs);
  columns.traceId = doubleCapacity(columns.traceId);
  columns.spanId = doubleCapacity(columns.spanId);
  columns.parentId = doubleCapacity(columns.parentId);
  columns.service = doubleCapacity(columns.service);
  columns.operation = doubleCapacity(columns.operation);
  columns.kind = doubleCapacity(columns.kind);
  columns.status = doubleCapacity(columns.status);
  columns.httpStatus = doubleCapacity(columns.httpStatus);
  columns.peer = doubleCapacity(columns.peer);
  columns.resource = doubleCapacity(columns.resource);
  columns.revision = doubleCapacity(columns.revision);
  columns.offset = doubleCapacity(columns.offset);
  columns.length = doubleCapacity(columns.length);
  columns.tokenEnd = doubleCapacity(columns.tokenEnd);
}

/** Ensures capacity for one more exception. */
export function reserveException(columns: SpanColumns): void {
  if (columns.exceptionCount < columns.exceptionRow.length) return;
  columns.exceptionRow = doubleCapacity(columns.exceptionRow);
  columns.exceptionType = doubleCapacity(columns.exceptionType);
  columns.exceptionMessage = doubleCapacity(columns.exceptionMessage);
  columns.exceptionUs = doubleCapacity(columns.exceptionUs);
}
