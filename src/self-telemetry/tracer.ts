import type { Component } from '../component.js';

/** Span attributes; never bodies, keys, tokens or user-defined names. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'server' | 'internal';

/** A span that has not ended. */
export interface ActiveSpan {
  /** Runs `work`; spans started in it become children of this one. */
  runWithin<Result>(work: () => Result): Result;
  /** Ends the span; call once. `failed`: the work failed through our fault. */
  end(fields: SpanAttributes, failed: boolean): void;
}

/**
 * PORT: tracing of Hindsight itself. Methods MUST NOT throw and MUST NOT block: spans that cannot be exported are
 * dropped.
 */
export interface Tracer extends Pick<Component, 'close'> {
  start(name: string, kind: SpanKind, fields?: SpanAttributes): ActiveSpan;
  /** Records work that has just ended and took `tookMs`. */
  recordCompleted(name: string, tookMs: number, fields: SpanAttributes): void;
}
