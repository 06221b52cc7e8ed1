import { doubleCapacity, MIN_ROW_CAPACITY } from './column-capacity.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../trace-identifiers.js';
import { StringInterner } from './string-interner.js';

/**
 * Log records of export requests as columns, analogous to SpanColumns. The time is `time_unix_nano`, else the observed
 * time, else the time of arrival.
 */
export interface LogColumns {
  count: number;
  timeUs: Float64Array;
  timeNs: Uint16Array;
  /** 1–24; 0 (unspecified) is stored as 9, Information. */
  severity: Uint8Array;
  service: Uint32Array;
  /** 16 and 8 bytes per row; all zero: absent or malformed (uncorrelated). */
  traceId: Uint8Array;
  spanId: Uint8Array;
  resource: Uint32Array;
  /** Revision of the event that holds the record, in the Grid's telemetry stream. */
  revision: Uint32Array;
  /**
   * Byte offset of the log record message in the decompressed body, its length, and its ordinal in the request
   * (including rejected records).
   */
  offset: Uint32Array;
  length: Uint32Array;
  ordinal: Uint32Array;
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  tokenCount: number;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  /** Words of the body (see full-text.ts) as ids of `words`, in their order and with repetitions. */
  wordEnd: Uint32Array;
  wordIds: Uint32Array;
  wordCount: number;
  /**
   * 1 if the body has more than MAX_ORDERED_WORDS words: then its words are distinct, in the order of their first
   * occurrence.
   */
  unordered: Uint8Array;
  /** 1 if the record has the attribute `exception.type` or `exception.message`. */
  exception: Uint8Array;
  /**
   * `exception.type` and `exception.message` as ids of `strings`, truncated to MAX_EXCEPTION_CHARACTERS; the empty
   * string for records without exception.
   */
  exceptionType: Uint32Array;
  exceptionMessage: Uint32Array;
  /** The body with all variable parts replaced by `*` (see log-template.ts), an id of `templates`. */
  template: Uint32Array;
  /** Survives `clear()`, which replaces it once it is large (see StringInterner.isLarge). */
  templates: StringInterner;
  strings: StringInterner;
  words: StringInterner;
  keys: Set<string>;
  clear(): void;
}

/** Creates empty columns with capacity for `capacity` rows; they grow on demand. */
export function createLogColumns(capacity = 8192): LogColumns {
  return new GrowingLogColumns(Math.max(MIN_ROW_CAPACITY, capacity));
}

const TOKENS_PER_ROW = 8;
const WORDS_PER_ROW = 16;

class GrowingLogColumns implements LogColumns {
  count = 0;
  tokenCount = 0;
  wordCount = 0;
  timeUs: Float64Array;
  timeNs: Uint16Array;
  severity: Uint8Array;
  service: Uint32Array;
  traceId: Uint8Array;
  spanId: Uint8Array;
  resource: Uint32Array;
  revision: Uint32Array;
  offset: Uint32Array;
  length: Uint32Array;
  ordinal: Uint32Array;
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[] = [];
  wordEnd: Uint32Array;
  wordIds: Uint32Array;
  unordered: Uint8Array;
  exception: Uint8Array;
  exceptionType: Uint32Array;
  exceptionMessage: Uint32Array;
  template: Uint32Array;
  templates = new StringInterner();
  strings = new StringInterner();
  words = new StringInterner();
  keys = new Set<string>();

  constructor(rows: number) {
    this.timeUs = new Float64Array(rows);
    this.timeNs = new Uint16Array(rows);
    this.severity = new Uint8Array(rows);
    this.service = new Uint32Array(rows);
    this.traceId = new Uint8Array(rows * TRACE_ID_BYTES);
    this.spanId = new Uint8Array(rows * SPAN_ID_BYTES);
    this.resource = new Uint32Array(rows);
    this.revision = new Uint32Array(rows);
    this.offset = new Uint32Array(rows);
    this.length = new Uint32Array(rows);
    this.ordinal = new Uint32Array(rows);
    this.tokenEnd = new Uint32Array(rows);
    this.tokens = new Uint32Array(rows * TOKENS_PER_ROW);
    this.tokenChecks = new Uint16Array(rows * TOKENS_PER_ROW);
    this.wordEnd = new Uint32Array(rows);
    this.wordIds = new Uint32Array(rows * WORDS_PER_ROW);
    this.unordered = new Uint8Array(rows);
    this.exception = new Uint8Array(rows);
    this.exceptionType = new Uint32Array(rows);
    this.exceptionMessage = new Uint32Array(rows);
    this.template = new Uint32Array(rows);
  }

  clear(): void {
    this.count = 0;
    this.tokenCount = 0;
    this.wordCount = 0;
    this.resourceTokens = [];
    this.keys.clear();
    if (this.templates.isLarge) this.templates = new StringInterner();
    if (this.strings.isLarge) this.strings = new StringInterner();
    if (this.words.isLarge) this.words = new StringInterner();
  }
}

/** Ensures capacity for one more row. */
export function reserveLogRow(columns: LogColumns): void {
  if (columns.count < columns.timeUs.length) return;
  columns.timeUs = doubleCapacity(columns.timeUs);
  columns.timeNs = doubleCapacity(columns.timeNs);
  columns.severity = doubleCapacity(columns.severity);
  columns.service = doubleCapacity(columns.service);
  columns.traceId = doubleCapacity(columns.traceId);
  columns.spanId = doubleCapacity(columns.spanId);
  columns.resource = doubleCapacity(columns.resource);
  columns.revision = doubleCapacity(columns.revision);
  columns.offset = doubleCapacity(columns.offset);
  columns.length = doubleCapacity(columns.length);
  columns.ordinal = doubleCapacity(columns.ordinal);
  columns.tokenEnd = doubleCapacity(columns.tokenEnd);
  columns.wordEnd = doubleCapacity(columns.wordEnd);
  columns.unordered = doubleCapacity(columns.unordered);
  columns.exception = doubleCapacity(columns.exception);
  columns.exceptionType = doubleCapacity(columns.exceptionType);
  columns.exceptionMessage = doubleCapacity(columns.exceptionMessage);
  columns.template = doubleCapacity(columns.template);
}

/** Ensures capacity for one more word. */
export function reserveWord(columns: LogColumns): void {
  if (columns.wordCount < columns.wordIds.length) return;
  columns.wordIds = doubleCapacity(columns.wordIds);
}
