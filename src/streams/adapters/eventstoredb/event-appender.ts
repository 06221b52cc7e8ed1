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

/** Between attempts; the last one repeats. */
const RETRY_DELAYS_MS = [20, 50, 100, 200, 400];

const MAX_CACHED_STREAMS = 100_000;

/** Timers may come this much too early; who has no more time left tries nothing that could only hide the failure before. */
const MIN_TIME_LEFT_MS = 1;

interface PendingAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** By the clock of `performance`. Nothing is sent after it. */
  readonly giveUpAt: number;
}

/** An append that was sent, with an unknown outcome. */
interface UnacknowledgedAppend extends PendingAppend {
  /** The events stand behind this revision, if they are in the log. */
  readonly behind: Revision;
  /** The stream ended here when it was last told; it may no longer show the events up to there. */
  lastTold: Revision;
}

/** What a look at the stream found: the events of the append, or the last of others. */
type StreamLookup =
  { readonly landed: AppendResult } | { readonly landed?: undefined; readonly last: Revision | undefined };

/**
 * Appends whose answer got lost are found or repeated, never doubled. Where the caller expects a revision, the server
 * knows the events again by their ids. Where he does not, it only tries to, so the next attempt looks whether the events
 * came after what the stream was known to hold, and else expects the stream to be as it was seen.
 */
export class EventAppender {
  readonly #known = new RevisionCache(MAX_CACHED_STREAMS);
  readonly #asked = new RequestCoalescer<Revision>();

  /** What has no outcome after `timeoutMs`, all attempts together, rejects; an attempt waits for half of what is left. */
  constructor(
    private readonly client: () => StreamsRpcClient,
    private readonly reading: EventLogReader,
    private readonly metadata: StreamMetadata,
    private readonly timeoutMs: number,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    const proposed = events.map((event): ProposedEvent => ({
      id: event.id,
      type: event.type,
      frame: encodeFrame(stream, event),
    }));
    try {
      return await this.#appendWithRetries({
        stream,
        expected,
        events: proposed,
        giveUpAt: performance.now() + this.timeoutMs,
      });
    } catch (error) {
      throw toHindsightError(error, 'appending');
    }
  }

  /** Last revision of a stream, -1 where it does not exist. */
  async lastRevision(stream: string): Promise<Revision> {
    const last = await this.reading.readLast(stream);
    const revision = last === undefined ? (await this.metadata.readFirstRevision(stream)) - 1 : eventRevision(last);
    this.#known.record(stream, revision);
    return revision;
  }

  /** Told by the expectation, by an earlier append of this process, or by the stream once. */
  async #findBaseRevision(stream: string, expected: ExpectedRevision): Promise<Revision> {
    if (typeof expected === 'number') return expected;
    if (expected === 'none') return -1;
    // An answer that got lost must not be waited for by those who come later: they ask anew.
    return (
      this.#known.get(stream) ??
      this.#asked.run(stream, () => withTimeout(this.timeoutMs / 2, this.lastRevision(stream)))
    );
  }

  async #appendWithRetries(append: PendingAppend): Promise<AppendResult> {
    let failure: unknown = createTimeoutError();
    let lost: UnacknowledgedAppend | undefined;
    const sent = (behind: Revision): void => void (lost ??= { ...append, behind, lastTold: behind });
    for (let attempt = 0; timeLeft(append) > MIN_TIME_LEFT_MS; attempt++) {
      try {
        const result = await withTimeout(
          timeLeft(append),
          lost === undefined ? this.#attemptFirst(append, sent) : this.#attemptAgain(lost),
        );
        if (result !== undefined) return result;
      } catch (error) {
        if (isPermanentError(error)) throw error;
        failure = error;
      }
      await pause(
        Math.min(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)], Math.max(timeLeft(append), 0)),
      );
    }
    throw failure;
  }

  /** Says `sent` with a revision that the events will stand behind, before anything goes out. */
  async #attemptFirst(append: PendingAppend, sent: (behind: Revision) => void): Promise<AppendResult> {
    sent(await this.#findBaseRevision(append.stream, append.expected));
    const answer = await this.#send(append, append.expected);
    const conflict = parseConflict(answer);
    if (conflict !== undefined) return conflict;
    const success = answer.getSuccess()!;
    const revision = Number(success.getCurrentRevision());
    const position = success.getPosition();
    if (append.events.length > 1 || position === undefined) return this.#toResult(append.stream, revision);
    this.#known.record(append.stream, revision);
    return {
      ok: true,
      revision,
      position: toPosition({ commit: position.getCommitPosition(), prepare: position.getPreparePosition() }),
    };
  }

  /** After an attempt with an unknown outcome. Undefined: others appended between the look and the attempt. */
  async #attemptAgain(lost: UnacknowledgedAppend): Promise<AppendResult | undefined> {
    const sight = await this.#findAppended(lost);
    if (sight.landed !== undefined) return sight.landed;
    const anchor = Math.max(sight.last ?? -1, lost.lastTold);
    const answer = await this.#send(lost, lost.expected === 'any' ? (anchor < 0 ? 'none' : anchor) : lost.expected);
    const conflict = parseConflict(answer);
    if (conflict === undefined) return this.#toResult(lost.stream, Number(answer.getSuccess()!.getCurrentRevision()));
    if (lost.expected === 'any') {
      if (conflict.revision !== 'none') lost.lastTold = conflict.revision;
      return undefined;
    }
    return (await this.#findAppended(lost)).landed ?? conflict;
  }

  async #send({ stream, events, giveUpAt }: PendingAppend, expected: ExpectedRevision): Promise<AppendResp> {
    const left = timeLeft({ giveUpAt });
    if (left <= 0) throw createTimeoutError();
    return this.client().append(buildAppendRequest(stream, expected, events), Math.ceil(left / 2));
  }

  /** An expectation leaves one place where the events can be; without one they can be anywhere behind. */
  async #findAppended({ stream, expected, events, behind }: UnacknowledgedAppend): Promise<StreamLookup> {
    let last: Revision | undefined;
    for await (const event of this.reading.streamEvents(
      buildStreamRead(stream, behind + 1, expected === 'any' ? NO_LIMIT : 1),
    )) {
      last = eventRevision(event);
      if (eventId(event) === events[0].id.toLowerCase())
        return { landed: await this.#toResult(stream, last + events.length - 1) };
    }
    return { last };
  }

  /**
   * What the server tells of several events, and of events that it knew already, may be the place of the first. An event that the
   * stream does not show, because an operator hid what is to come, stands before the head.
   */
  async #toResult(stream: string, revision: Revision): Promise<AppendResult> {
    this.#known.record(stream, revision);
    for await (const event of this.reading.streamEvents(buildStreamRead(stream, revision, 1))) {
      if (eventRevision(event) === revision) return { ok: true, revision, position: eventPosition(event) };
    }
    return { ok: true, revision, position: await this.reading.head() };
  }
}

function createTimeoutError(): HindsightError {
  return new HindsightError('unavailable', 'EventStoreDB was too slow to tell about the stream');
}

function timeLeft({ giveUpAt }: Pick<PendingAppend, 'giveUpAt'>): number {
  return giveUpAt - performance.now();
}

function parseConflict(answer: AppendResp): Extract<AppendResult, { ok: false }> | undefined {
  const conflict = answer.getWrongExpectedVersion();
  if (conflict === undefined) return undefined;
  return {
    ok: false,
    conflict: true,
    revision: conflict.hasCurrentRevision() ? Number(conflict.getCurrentRevision()) : 'none',
  };
}

/**
 * For the streams that were used last: a revision that the stream had reached at some time. Events that are appended from
 * now on stand behind it.
 */
export class RevisionCache {
  readonly #revisions = new Map<string, Revision>();

  constructor(private readonly capacity: number) {}

  get(stream: string): Revision | undefined {
    return this.#revisions.get(stream);
  }

  /** -1: the stream does not exist. Revisions never go back, answers may come in any order. */
  record(stream: string, revision: Revision): void {
    const newest = Math.max(revision, this.#revisions.get(stream) ?? -1);
    this.#revisions.delete(stream);
    this.#revisions.set(stream, newest);
    if (this.#revisions.size > this.capacity) this.#revisions.delete(this.#revisions.keys().next().value!);
  }
}

/** Lets everybody who asks the same at the same time wait for one answer. */
export class RequestCoalescer<T> {
  readonly #open = new Map<string, Promise<T>>();

  async run(question: string, ask: () => Promise<T>): Promise<T> {
    let answer = this.#open.get(question);
    if (answer === undefined) {
      answer = ask().finally(() => this.#open.delete(question));
      this.#open.set(question, answer);
    }
    return answer;
  }
}
