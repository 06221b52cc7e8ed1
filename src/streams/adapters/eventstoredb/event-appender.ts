import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as pause } from 'node:timers/promises';
import { HindsightError } from '../../../errors.js';
import type { EncodedEvent } from '../../event-encoding.js';
import type { AppendResult, ExpectedRevision, Revision } from '../../event-store.js';
import { isPermanentError, toHindsightError, withTimeout } from './eventstoredb-errors.js';
import { encodeFrame, eventId, eventPosition, eventRevision, toPosition } from './event-wire-format.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import type { EventLogReader } from './event-log-reader.js';
import { buildAppendRequest, buildStreamRead, NO_LIMIT, type ProposedEvent } from './eventstoredb-requests.js';
import type { StreamMetadata } from './stream-metadata.js';

/** Delays between attempts; the last one repeats. */
const RETRY_DELAYS_MS = [20, 50, 100, 200, 400];

const MAX_CACHED_STREAMS = 100_000;

/**
 * Timers may fire this much early. With less time left no attempt is made: its timeout would only hide the earlier
 * failure.
 */
const MIN_TIME_LEFT_MS = 1;

interface PendingAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** Deadline by `performance.now()`. Nothing is sent after it. */
  readonly deadline: number;
}

/** An append that was sent and has an unknown outcome. */
interface UnacknowledgedAppend extends PendingAppend {
  /** If the events are in the log, they come after this revision. */
  readonly baseRevision: Revision;
  /**
   * Last revision of the stream as last reported by the server; the stream may no longer show the events up to there.
   */
  lastReported: Revision;
}

/** Result of a lookup in the stream: the appended events, or the last revision of other events. */
type StreamLookup =
  { readonly appended: AppendResult } | { readonly appended?: undefined; readonly last: Revision | undefined };

/**
 * Appends with exactly-once semantics: an append whose response was lost is found or repeated, never duplicated. If the
 * caller expects a revision, the server recognizes repeated events by their ids. With `any` it recognizes them only on
 * a best-effort basis, so the next attempt searches the stream after its last known revision for the events, and
 * otherwise expects the stream to end where that search ended.
 */
export class EventAppender {
  readonly #revisionCache = new RevisionCache(MAX_CACHED_STREAMS);
  readonly #pendingLookups = new RequestCoalescer<Revision>();

  /** An append rejects after `timeoutMs` over all attempts; each attempt waits for half of the remaining time. */
  constructor(
    private readonly client: () => StreamsRpcClient,
    private readonly reader: EventLogReader,
    private readonly metadata: StreamMetadata,
    private readonly timeoutMs: number,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    const proposedEvents = events.map((event): ProposedEvent => ({
      id: event.id,
      type: event.type,
      frame: encodeFrame(stream, event),
    }));
    try {
      return await this.#appendWithRetries({
        stream,
        expected,
        events: proposedEvents,
        deadline: performance.now() + this.timeoutMs,
      });
    } catch (error) {
      throw toHindsightError(error, 'appending');
    }
  }

  /** Last revision of a stream, -1 if it does not exist. */
  async lastRevision(stream: string): Promise<Revision> {
    const last = await this.reader.readLast(stream);
    const revision = last === undefined ? (await this.metadata.readFirstRevision(stream)) - 1 : eventRevision(last);
    this.#revisionCache.record(stream, revision);
    return revision;
  }

  /** From the expectation, an earlier append of this process, or a lookup in the stream. */
  async #findBaseRevision(stream: string, expected: ExpectedRevision): Promise<Revision> {
    if (typeof expected === 'number') return expected;
    if (expected === 'none') return -1;
    // With a timeout, so that later callers do not wait for a lost response but send a new request.
    return (
      this.#revisionCache.get(stream) ??
      this.#pendingLookups.run(stream, () => withTimeout(this.timeoutMs / 2, this.lastRevision(stream)))
    );
  }

  async #appendWithRetries(append: PendingAppend): Promise<AppendResult> {
    let lastError: unknown = createTimeoutError();
    let unacknowledged: UnacknowledgedAppend | undefined;
    const markSent = (baseRevision: Revision): void =>
      void (unacknowledged ??= { ...append, baseRevision, lastReported: baseRevision });
    for (let attempt = 0; timeLeft(append) > MIN_TIME_LEFT_MS; attempt++) {
      try {
        const result = await withTimeout(
          timeLeft(append),
          unacknowledged === undefined ? this.#attemptFirst(append, markSent) : this.#attemptAgain(unacknowledged),
        );
        if (result !== undefined) return result;
      } catch (error) {
        if (isPermanentError(error)) throw error;
        lastError = error;
      }
      await pause(
        Math.min(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)], Math.max(timeLeft(append), 0)),
      );
    }
    throw lastError;
  }

  /** Calls `markSent` with the revision before the events, before anything is sent. */
  async #attemptFirst(append: PendingAppend, markSent: (baseRevision: Revision) => void): Promise<AppendResult> {
    markSent(await this.#findBaseRevision(append.stream, append.expected));
    const response = await this.#send(append, append.expected);
    const conflict = parseConflict(response);
    if (conflict !== undefined) return conflict;
    const success = response.getSuccess()!;
    const revision = Number(success.getCurrentRevision());
    const position = success.getPosition();
    if (append.events.length > 1 || position === undefined) return this.#toResult(append.stream, revision);
    this.#revisionCache.record(append.stream, revision);
    return {
      ok: true,
      revision,
      position: toPosition({ commit: position.getCommitPosition(), prepare: position.getPreparePosition() }),
    };
  }

  /** Repeats an append with an unknown outcome. Undefined: others appended between the lookup and this attempt. */
  async #attemptAgain(unacknowledged: UnacknowledgedAppend): Promise<AppendResult | undefined> {
    const lookup = await this.#findAppended(unacknowledged);
    if (lookup.appended !== undefined) return lookup.appended;
    const expectedLast = Math.max(lookup.last ?? -1, unacknowledged.lastReported);
    const response = await this.#send(
      unacknowledged,
      unacknowledged.expected === 'any' ? (expectedLast < 0 ? 'none' : expectedLast) : unacknowledged.expected,
    );
    const conflict = parseConflict(response);
    if (conflict === undefined)
      return this.#toResult(unacknowledged.stream, Number(response.getSuccess()!.getCurrentRevision()));
    if (unacknowledged.expected === 'any') {
      if (conflict.revision !== 'none') unacknowledged.lastReported = conflict.revision;
      return undefined;
    }
    return (await this.#findAppended(unacknowledged)).appended ?? conflict;
  }

  async #send({ stream, events, deadline }: PendingAppend, expected: ExpectedRevision): Promise<AppendResp> {
    const remainingMs = timeLeft({ deadline });
    if (remainingMs <= 0) throw createTimeoutError();
    return this.client().append(buildAppendRequest(stream, expected, events), Math.ceil(remainingMs / 2));
  }

  /**
   * With an expected revision the events have only one possible place; without one they can be anywhere after the base.
   */
  async #findAppended({ stream, expected, events, baseRevision }: UnacknowledgedAppend): Promise<StreamLookup> {
    let last: Revision | undefined;
    for await (const event of this.reader.streamEvents(
      buildStreamRead(stream, baseRevision + 1, expected === 'any' ? NO_LIMIT : 1),
    )) {
      last = eventRevision(event);
      if (eventId(event) === events[0].id.toLowerCase())
        return { appended: await this.#toResult(stream, last + events.length - 1) };
    }
    return { last };
  }

  /**
   * For several events, and for events that it recognizes, the server may report the position of the first. An event
   * that the stream does not show, because an operator set `$tb` beyond it, lies before the head.
   */
  async #toResult(stream: string, revision: Revision): Promise<AppendResult> {
    this.#revisionCache.record(stream, revision);
    for await (const event of this.reader.streamEvents(buildStreamRead(stream, revision, 1))) {
      if (eventRevision(event) === revision) return { ok: true, revision, position: eventPosition(event) };
    }
    return { ok: true, revision, position: await this.reader.head() };
  }
}

function createTimeoutError(): HindsightError {
  return new HindsightError('unavailable', 'EventStoreDB did not respond in time');
}

function timeLeft({ deadline }: Pick<PendingAppend, 'deadline'>): number {
  return deadline - performance.now();
}

function parseConflict(response: AppendResp): Extract<AppendResult, { ok: false }> | undefined {
  const conflict = response.getWrongExpectedVersion();
  if (conflict === undefined) return undefined;
  return {
    ok: false,
    conflict: true,
    revision: conflict.hasCurrentRevision() ? Number(conflict.getCurrentRevision()) : 'none',
  };
}

/** LRU cache of revisions that streams have reached. Events appended later come after them. */
export class RevisionCache {
  readonly #revisions = new Map<string, Revision>();

  constructor(private readonly capacity: number) {}

  get(stream: string): Revision | undefined {
    return this.#revisions.get(stream);
  }

  /** -1: the stream does not exist. Keeps the maximum, because responses may arrive in any order. */
  record(stream: string, revision: Revision): void {
    const newest = Math.max(revision, this.#revisions.get(stream) ?? -1);
    this.#revisions.delete(stream);
    this.#revisions.set(stream, newest);
    if (this.#revisions.size > this.capacity) this.#revisions.delete(this.#revisions.keys().next().value!);
  }
}

/** Shares one pending request between concurrent callers with the same key. */
export class RequestCoalescer<T> {
  readonly #pending = new Map<string, Promise<T>>();

  async run(key: string, request: () => Promise<T>): Promise<T> {
    let result = this.#pending.get(key);
    if (result === undefined) {
      result = request().finally(() => this.#pending.delete(key));
      this.#pending.set(key, result);
    }
    return result;
  }
}
