import type { Component } from '../component.js';

/** What a span says beside its name; never a body, a key, a token or a name that users gave. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'server' | 'internal';

/** A piece of work under way. */
export interface ActiveSpan {
  /** Runs `work` so that spans which begin in it are children of this one. */
  runWithin<Result>(work: () => Result): Result;
  /** Ends it, once. `failed`: the work was not done, through our fault. */
  end(fields: SpanAttributes, failed: boolean): void;
}

/**
 * PORT: where Hindsight tells of its own work. Methods MUST NOT throw and MUST NOT wait: what cannot be told is lost.
 */
export interface Tracer extends Pick<Component, 'close'> {
  start(name: string, kind: SpanKind, fields?: SpanAttributes): ActiveSpan;
  /** Work that is already done: `tookMs` until now. */
  recordCompleted(name: string, tookMs: number, fields: SpanAttributes): void;
}
