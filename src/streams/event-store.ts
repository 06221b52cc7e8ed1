import type { Component } from '../component.js';

/**
 * Place of an event in the whole log. Opaque: only equality and the string order (`<`) mean anything,
 * and a larger position was appended later. Positions are not dense.
 */
export type Position = string & { readonly __brand: 'Position' };

/** Before every event. */
export const START = '' as Position;

/** 0-based place of an event in its stream, dense. */
export type Revision = number;

/**
 * What the writer knows of the stream: `any` for nothing, `none` for "it does not exist yet",
 * a number for the revision of its last event.
 */
export type ExpectedRevision = Revision | 'any' | 'none';

/** An event to append. `data` is JSON; `body` is bytes that the log keeps as they are. */
export interface NewEvent {
  /** UUID. */
  readonly id: string;
  /** Name and version, such as `LimitsUpdated.v1`. */
  readonly type: string;
  readonly data: object;
  readonly body?: Uint8Array;
}

/** An event as it stands in the log. */
export interface RecordedEvent<Data = unknown> {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  /** Absent where the event has none, and where the reader asked for no bodies. */
  readonly body?: Uint8Array;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  /** Milliseconds since 1970, by the clock of the log; never decreases along positions. */
  readonly recordedAt: number;
}

export type AppendResult =
  | { readonly ok: true; readonly position: Position; readonly revision: Revision }
  | { readonly ok: false; readonly conflict: true; readonly revision: Revision | 'none' };

export interface ReadAllOptions {
  /** Only streams whose name starts with one of these; absent or empty: every stream. */
  readonly prefixes?: readonly string[];
  /** At most this many events that match the prefixes. */
  readonly limit: number;
  /**
   * Stop after the event that brings the sum of body bytes to this; at least one event is given. Bodies that are left
   * out do not count. Default: no bound.
   */
  readonly maxBytes?: number;
  /** False: bodies may be left out. Default true. */
  readonly bodies?: boolean;
}

/**
 * Reading half of the log of record. All ranges are inclusive unless a sentence says otherwise.
 * Events come in their newest version (see events/registry.ts). An event that no longer matches its checksum MUST NOT be
 * given: `readStream` and `readEvent` reject with a `DamagedEvent` that names its revision where that can be read; `readAll` and `subscribe` give what stands before it,
 * then reject with a `DamagedEvent` whose position is a place to go on from.
 */
export interface EventReader extends Component {
  /**
   * Events of one stream, oldest first, from revision `from` (default 0), at most `limit` (default: all).
   * An unknown stream MUST yield an empty array.
   */
  readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]>;

  /**
   * Events of all streams in the order of their positions, strictly after `after`.
   * MUST give only durable events, and MUST NOT give an event before one with a smaller position
   * that can still appear. `limit` counts matching events only.
   */
  readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]>;

  /** The one event with this revision, body included, or undefined. */
  readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined>;

  /** Position of the newest durable event, START for an empty log. */
  head(): Promise<Position>;

  /**
   * Batches of events after `after`, in order, without end until `signal` aborts: what is there first,
   * later events as they become durable. The next batch is read only when it is asked for.
   * An event MUST NOT be left out and MUST NOT come twice. Batches are never empty.
   */
  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]>;
}

/**
 * The log of record.
 */
export interface EventStore extends EventReader {
  /** Largest sum of bytes (bodies and data) that one `append` takes. Larger bodies go in parts (see body-parts.ts). */
  readonly maxAppendBytes: number;

  /**
   * Appends all events or none. Resolves only when they are durable: they survive a power cut.
   * Of concurrent appends with one numeric or `none` expectation exactly one MUST succeed; the others resolve
   * to a conflict that names the stream's last revision.
   * `revision` and `position` of the result are those of the last event. An empty list is a no-op that
   * answers the stream's last revision (-1: the stream does not exist) and the head.
   * The store takes over the bytes of the bodies: the caller MUST NOT touch them afterwards.
   * Rejects with code `too-large` above `maxAppendBytes`, and with code `unavailable` when the store cannot write now (disk full, connection lost): then nothing
   * was appended, or the outcome is unknown.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * Removes events recorded before `beforeTime` (ms) from the streams whose names start with `prefix`.
   * Revisions and positions of what stays MUST NOT change, and a stream that lost its events MUST go on with the
   * revision that would have come next. A store MAY keep them longer.
   * Answers how many events left and how many body bytes were freed.
   */
  truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }>;
}
