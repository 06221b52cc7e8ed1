import type { Interner } from './interner.js';

/**
 * Log records of export requests as columns, like SpanColumns. Time is `time_unix_nano`, else the observed time, else
 * when the request arrived.
 */
export interface LogColumns {
  count: number;
  timeUs: Float64Array;
  timeNs: Uint16Array;
  /** 1–24; 0 (unspecified) is stored as 9, Information. */
  severity: Uint8Array;
  service: Uint32Array;
  /** 16 and 8 bytes a row, zero: none or malformed (uncorrelated). */
  traceId: Uint8Array;
  spanId: Uint8Array;
  resource: Uint32Array;
  /** Revision of the event that holds the record, in the Grid's telemetry stream. */
  revision: Uint32Array;
  /** Byte offset of the log record message in the inflated body, its length, and its ordinal in the request (rejected ones counted). */
  offset: Uint32Array;
  length: Uint32Array;
  ordinal: Uint32Array;
  tokenEnd: Uint32Array;
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  tokenCount: number;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  /** Distinct words of the body (see words.ts), ids of `words`. */
  wordEnd: Uint32Array;
  wordIds: Uint32Array;
  wordCount: number;
  /** 1 where the record carries `exception.type` or `exception.message`. */
  exception: Uint8Array;
  strings: Interner;
  words: Interner;
  keys: Set<string>;
  clear(): void;
}
