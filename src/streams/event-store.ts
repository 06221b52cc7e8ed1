import type { Component } from '../component.js';

/**
 * Position of an event in the whole log. Opaque: compare positions only with `===` and `<`; a larger position was
 * appended later. Positions are not dense.
 */
export type Position = string & { readonly __brand: 'Position' };

/** Position before the first event. */
export const START = '' as Position;

/** Index of an event in its stream: 0-based and dense. */
export type Revision = number;

/**
 * Optimistic concurrency check of an append: `any` skips it, `none` requires that the stream does not exist yet, a
 * number is the required revision of the last event.
 */
export type ExpectedRevision = Revision | 'any' | 'none';

/** An event to append. `data` is JSON; `body` is binary data that is stored unchanged. */
export interface NewEvent {
  /** UUID. */
  readonly id: string;
  /** Name and version, such as `LimitsUpdated.v1`. */
  readonly type: string;
  readonly data: object;
  readonly body?: Uint8Array;
}

/** An event read from the log. */
export interface RecordedEvent<Data = unknown> {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  /** Absent if the event has no body or the reader excluded bodies. */
  readonly body?: Uint8Array;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  /** Milliseconds since 1970 by the clock of the event store; never decreases along positions. */
  readonly recordedAt: number;
}

export type AppendResult =
  | { readonly ok: true; readonly position: Position; readonly revision: Revision }
  | { readonly ok: false; readonly conflict: true; readonly revision: Revision | 'none' };

export interface ReadAllOptions {
  /** Only streams whose name starts with one of these prefixes; absent or empty: all streams. */
  readonly prefixes?: readonly string[];
  /** Maximum number of events that match the prefixes. */
  readonly limit: number;
  /**
   * Ends the batch after the event with which the total of body bytes reaches this value; at least one event is
   * returned. Excluded bodies do not count. Default: unlimited.
   */
  readonly maxBytes?: number;
  /** False: the store may omit bodies. Default true. */
  readonly bodies?: boolean;
}

/**
 * PORT: read side of the event log. Ranges are inclusive unless stated otherwise. Events are upcast to their newest
 * version (see events/event-registry.ts). An event that no longer matches its checksum MUST NOT be returned:
 * `readStream` and `readEvent` reject with a `DamagedEvent` that names its revision if that can be read; `readAll` and
 * `subscribe` first return the events before it, then reject with a `DamagedEvent` whose position is the place to
 * continue from.
 */
export interface EventReader extends Component {
  /**
   * Events of one stream, oldest first, from revision `from` (default 0), at most `limit` (default: all). An unknown
   * stream MUST yield an empty array.
   */
  readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]>;

  /**
   * Events of all streams in position order, strictly after `after`. MUST return only durable events, and MUST NOT
   * return an event while one with a smaller position can still appear. `limit` counts matching events only.
   */
  readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]>;

  /** The event with this revision including its body, or undefined. */
  readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined>;

  /** Position of the newest durable event, START for an empty log. */
  head(): Promise<Position>;

  /**
   * Batches of events after `after`, in order, until `signal` aborts: first the existing events, then new ones as they
   * become durable. The next batch is read only when the consumer requests it. Events MUST NOT be skipped or repeated.
   * Batches are never empty.
   */
  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]>;

  /** Gives back what the reader has cached, such as pages of the file; they are read again when they are needed. */
  releaseMemory?(): void;
}

/** PORT: the append-only event log, the source of truth of the service. */
export interface EventStore extends EventReader {
  /**
   * Maximum total bytes (data and bodies) of one `append`. Larger bodies are split into parts (see telemetry-body.ts).
   */
  readonly maxAppendBytes: number;

  /**
   * Appends all events or none. Resolves only when they are durable, so that they survive a power failure. Of
   * concurrent appends with the same numeric or `none` expectation exactly one MUST succeed; the others resolve to a
   * conflict that contains the stream's last revision. `revision` and `position` of the result are those of the last
   * event. An empty list appends nothing and returns the stream's last revision (-1: the stream does not exist) and the
   * head. The store takes ownership of the body buffers: the caller MUST NOT use them afterwards. Rejects with
   * `too-large` above `maxAppendBytes`, and with `unavailable` when the store cannot write now (disk full, connection
   * lost): then nothing was appended, or the outcome is unknown.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * Deletes events recorded before `beforeTime` (ms since 1970) from the streams whose names start with `prefix`.
   * Revisions and positions of the remaining events MUST NOT change, and a stream without events MUST continue with its
   * next revision. A store MAY delete events later. Returns the number of deleted events and of freed body bytes, which
   * are undefined in a store that frees them later.
   */
  truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number | undefined }>;
}
