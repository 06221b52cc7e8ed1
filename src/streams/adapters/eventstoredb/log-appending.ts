import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as pause } from 'node:timers/promises';
import { HindsightError } from '../../../errors.js';
import type { EncodedEvent } from '../../encoded-event.js';
import type { AppendResult, ExpectedRevision, Revision } from '../../event-store.js';
import { failureOf, isFinal, within } from './failures.js';
import { framed } from './framing.js';
import { KnownRevisions } from './known-revisions.js';
import type { LogClient } from './log-client.js';
import type { LogReading } from './log-reading.js';
import { positionOf } from './positions.js';
import { idIn, positionIn, revisionIn } from './recorded-events.js';
import { ALL, appendRequest, streamRead } from './requests.js';
import type { ProposedEvent } from './requests.js';
import { SharedQuestions } from './shared-questions.js';
import type { StreamMetadata } from './stream-metadata.js';

/** Between attempts; the last one repeats. */
const PAUSES_MS = [20, 50, 100, 200, 400];
const STREAMS_KNOWN = 100_000;
/** Timers may come this much too early; who has no more time left tries nothing that could only hide the failure before. */
const LAST_MS = 1;

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** By the clock of `performance`. Nothing is sent after it. */
  readonly giveUpAt: number;
}

/** An append that was sent, with an unknown outcome. */
interface Lost extends Append {
  /** The events stand behind this revision, if they are in the log. */
  readonly behind: Revision;
  /** The stream ended here when it was last told; it may no longer show the events up to there. */
  lastTold: Revision;
}

/** What a look at the stream found: the events of the append, or the last of others. */
type Sight = { readonly landed: AppendResult } | { readonly landed?: undefined; readonly last: Revision | undefined };

/**
 * Appends whose answer got lost are found or repeated, never doubled. Where the caller expects a revision, the server
 * knows the events again by their ids. Where he does not, it only tries to, so the next attempt looks whether the events
 * came after what the stream was known to hold, and else expects the stream to be as it was seen.
 */
export class LogAppending {
  readonly #known = new KnownRevisions(STREAMS_KNOWN);
  readonly #asked = new SharedQuestions<Revision>();

  /** What has no outcome after `timeoutMs`, all attempts together, rejects; an attempt waits for half of what is left. */
  constructor(
    private readonly client: () => LogClient, private readonly reading: LogReading, private readonly metadata: StreamMetadata,
    private readonly timeoutMs: number,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    const proposed = events.map((event): ProposedEvent => ({ id: event.id, type: event.type, frame: framed(stream, event) }));
    try {
      return await this.#untilSettled({ stream, expected, events: proposed, giveUpAt: performance.now() + this.timeoutMs });
    } catch (error) {
      throw failureOf(error, 'appending');
    }
  }

  /** Last revision of a stream, -1 where it does not exist. */
  async lastRevision(stream: string): Promise<Revision> {
    const last = await this.reading.lastOf(stream);
    const revision = last === undefined ? (await this.metadata.firstRevision(stream)) - 1 : revisionIn(last);
    this.#known.reached(stream, revision);
    return revision;
  }

  /** Told by the expectation, by an earlier append of this process, or by the stream once. */
  async #behind(stream: string, expected: ExpectedRevision): Promise<Revision> {
    if (typeof expected === 'number') return expected;
    if (expected === 'none') return -1;
    // An answer that got lost must not be waited for by those who come later: they ask anew.
    return this.#known.get(stream) ?? this.#asked.once(stream, () => within(this.timeoutMs / 2, this.lastRevision(stream)));
  }

  async #untilSettled(append: Append): Promise<AppendResult> {
    let failure: unknown = tooSlow();
    let lost: Lost | undefined;
    const sent = (behind: Revision): void => void (lost ??= { ...append, behind, lastTold: behind });
    for (let attempt = 0; timeLeft(append) > LAST_MS; attempt++) {
      try {
        const result = await within(timeLeft(append), lost === undefined ? this.#first(append, sent) : this.#again(lost));
        if (result !== undefined) return result;
      } catch (error) {
        if (isFinal(error)) throw error;
        failure = error;
      }
      await pause(Math.min(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)], Math.max(timeLeft(append), 0)));
    }
    throw failure;
  }

  /** Says `sent` with a revision that the events will stand behind, before anything goes out. */
  async #first(append: Append, sent: (behind: Revision) => void): Promise<AppendResult> {
    sent(await this.#behind(append.stream, append.expected));
    const answer = await this.#send(append, append.expected);
    const conflict = conflictIn(answer);
    if (conflict !== undefined) return conflict;
    const success = answer.getSuccess()!;
    const revision = Number(success.getCurrentRevision());
    const position = success.getPosition();
    if (append.events.length > 1 || position === undefined) return this.#landed(append.stream, revision);
    this.#known.reached(append.stream, revision);
    return { ok: true, revision, position: positionOf({ commit: position.getCommitPosition(), prepare: position.getPreparePosition() }) };
  }

  /** After an attempt with an unknown outcome. Undefined: others appended between the look and the attempt. */
  async #again(lost: Lost): Promise<AppendResult | undefined> {
    const sight = await this.#look(lost);
    if (sight.landed !== undefined) return sight.landed;
    const anchor = Math.max(sight.last ?? -1, lost.lastTold);
    const answer = await this.#send(lost, lost.expected === 'any' ? (anchor < 0 ? 'none' : anchor) : lost.expected);
    const conflict = conflictIn(answer);
    if (conflict === undefined) return this.#landed(lost.stream, Number(answer.getSuccess()!.getCurrentRevision()));
    if (lost.expected === 'any') {
      if (conflict.revision !== 'none') lost.lastTold = conflict.revision;
      return undefined;
    }
    return (await this.#look(lost)).landed ?? conflict;
  }

  async #send({ stream, events, giveUpAt }: Append, expected: ExpectedRevision): Promise<AppendResp> {
    const left = timeLeft({ giveUpAt });
    if (left <= 0) throw tooSlow();
    return this.client().append(appendRequest(stream, expected, events), Math.ceil(left / 2));
  }

  /** An expectation leaves one place where the events can be; without one they can be anywhere behind. */
  async #look({ stream, expected, events, behind }: Lost): Promise<Sight> {
    let last: Revision | undefined;
    for await (const event of this.reading.events(streamRead(stream, behind + 1, expected === 'any' ? ALL : 1))) {
      last = revisionIn(event);
      if (idIn(event) === events[0].id.toLowerCase()) return { landed: await this.#landed(stream, last + events.length - 1) };
    }
    return { last };
  }

  /**
   * What the server tells of several events, and of events that it knew already, may be the place of the first. An event that the
   * stream does not show, because an operator hid what is to come, stands before the head.
   */
  async #landed(stream: string, revision: Revision): Promise<AppendResult> {
    this.#known.reached(stream, revision);
    for await (const event of this.reading.events(streamRead(stream, revision, 1))) {
      if (revisionIn(event) === revision) return { ok: true, revision, position: positionIn(event) };
    }
    return { ok: true, revision, position: await this.reading.head() };
  }
}

function tooSlow(): HindsightError {
  return new HindsightError('unavailable', 'EventStoreDB was too slow to tell about the stream');
}

function timeLeft({ giveUpAt }: Pick<Append, 'giveUpAt'>): number {
  return giveUpAt - performance.now();
}

function conflictIn(answer: AppendResp): Extract<AppendResult, { ok: false }> | undefined {
  const conflict = answer.getWrongExpectedVersion();
  if (conflict === undefined) return undefined;
  return { ok: false, conflict: true, revision: conflict.hasCurrentRevision() ? Number(conflict.getCurrentRevision()) : 'none' };
}
