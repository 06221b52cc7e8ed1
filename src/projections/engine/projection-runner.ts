import { setImmediate } from 'node:timers/promises';
import {
  asyncScheduler,
  BehaviorSubject,
  defer,
  filter,
  firstValueFrom,
  from,
  lastValueFrom,
  merge,
  type Observable,
  retry,
  Subject,
  switchMap,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import { hasCode } from '../../errors.js';
import type { DeadLetterDocument } from '../../read-models/documents/dead-letter-documents.js';
import type { DocumentChange } from '../../read-models/read-model-store.js';
import { isDamagedEvent } from '../../streams/damaged-event.js';
import { START, type Position, type RecordedEvent } from '../../streams/event-store.js';
import {
  backoffDelayMs,
  createPollingLoop,
  isFullBatch,
  LIVE_POLLING_INTERVALS,
  type PollResult,
  READ_LIMITS,
} from './polling-loop.js';
import { CrashLoopGuard } from './crash-loop-guard.js';
import { IdleTaskQueue } from './idle-tasks.js';
import type { ProjectionRun } from '../projection.js';
import {
  createDamagedEventDeadLetter,
  createDeadLetter,
  DEFAULT_DEAD_LETTER_QUEUE,
  putDeadLetter,
  type DeadLetterQueue,
} from './dead-letter-queue.js';
import { IdleWatermark, ProgressWaiter } from './run-progress.js';
import { summarizeError } from './projection-failures.js';
import type { Commit, ProjectionRunnerParts, RunOutcome } from './projection-runner-types.js';

export type { Commit, ProjectionRunnerParts as RunnerParts, RunOutcome } from './projection-runner-types.js';

/** Often enough to tell a bad event from bad luck. */
const MAX_SINGLE_EVENT_ATTEMPTS = 3;

/** More failures in a row than a store has that is only busy. */
const MIN_FAILURES_TO_REPORT = 3;

/**
 * Drives a run: catches up, then follows the log. The next batch is read only when the last is committed.
 * When a store fails, it starts again from the checkpoint after a pause; an event that cannot be folded is parked.
 */
export class ProjectionRunner {
  private readonly progress: ProgressWaiter;
  private readonly wakeups = new Subject<void>();
  private readonly stopped = new BehaviorSubject(false);
  private readonly busy = new BehaviorSubject(false);
  private readonly idleTasks: IdleTaskQueue;
  private readonly crashLoopGuard: CrashLoopGuard;
  private readonly deadLetterQueue: DeadLetterQueue;
  private checkpoint: Position | undefined;
  private readonly idleWatermark: IdleWatermark;
  private currentPoll: Promise<PollResult> = Promise.resolve('empty');
  private outcome: RunOutcome | undefined;
  private active = false;
  /** In a row, with the reason of the last. */
  private failures = 0;
  private reason = '';
  /** When the work for the next commit began, by a clock that never goes back. */
  private busySince = 0;
  /** What was handed to the store without an answer: it may have been committed all the same. */
  private unanswered: Commit | undefined;
  /** Whether the fold's memory may differ from what is committed. */
  private dirty = false;
  private isRestored = false;
  /** Where the fold stood when it was left clean. */
  private standsAt: Position | undefined;

  constructor(
    private readonly run: ProjectionRun,
    private readonly parts: ProjectionRunnerParts,
  ) {
    this.progress = new ProgressWaiter(parts.scheduler);
    this.idleWatermark = new IdleWatermark(parts.markEveryMs);
    this.idleTasks = new IdleTaskQueue(parts.scheduler);
    this.deadLetterQueue = parts.deadLetterQueue ?? DEFAULT_DEAD_LETTER_QUEUE;
    this.crashLoopGuard = new CrashLoopGuard(
      run.name,
      this.deadLetterQueue,
      parts.journal,
      parts.calmMs,
      parts.scheduler,
    );
    this.standsAt = parts.standsAt;
  }

  /** Position of the last commit; undefined before the first. */
  get position(): Position | undefined {
    return this.checkpoint;
  }

  /** Whether the fold's memory is what is committed: whoever goes on from here may take it over. */
  get isClean(): boolean {
    return this.isRestored && !this.dirty;
  }

  /** Why it does not get on, when it has failed several times in a row; undefined again with the next turn that succeeds. */
  get failure(): string | undefined {
    return this.failures < MIN_FAILURES_TO_REPORT
      ? undefined
      : `${this.run.name} failed ${this.failures} times in a row: ${this.reason}`;
  }

  /** Runs until it ends. Call once. Never rejects: what fails is tried again. */
  async start(): Promise<RunOutcome> {
    const { hints, pace = LIVE_POLLING_INTERVALS, scheduler = asyncScheduler } = this.parts;
    const wakes = merge(hints, this.wakeups);
    const takeTurn = (): Observable<PollResult> => defer(() => (this.currentPoll = this.poll()));
    const turns = defer(() => from(this.restore())).pipe(
      switchMap(() => createPollingLoop(takeTurn, wakes, pace, scheduler)),
      retry({ delay: (error) => timer(this.recordFailure(error), scheduler) }),
      takeWhile(() => this.outcome === undefined, true),
      takeUntil(this.stopped.pipe(filter((stop) => stop))),
    );
    this.active = true;
    await lastValueFrom(turns, { defaultValue: 'empty' });
    await this.currentPoll.catch(() => undefined); // its failure was reported by the pipeline, or no longer matters
    this.active = false;
    this.busy.next(false);
    await this.idleTasks.run();
    return this.outcome ?? { kind: 'stopped', position: this.checkpoint };
  }

  /** Ends the run after the commit under way, and waits for it. Legal twice, and before the start. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.currentPoll.catch(() => undefined);
  }

  /** Whether a turn is under way, or the next one due at once. */
  get isBusy(): boolean {
    return this.busy.value;
  }

  /** Resolves as soon as it is not busy. */
  async whenIdle(): Promise<void> {
    await firstValueFrom(this.busy.pipe(filter((busy) => !busy)));
  }

  /** True once everything up to `position` that concerns this run is committed; false when that takes longer. */
  waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.waitForPosition(position, timeoutMs);
  }

  /**
   * Does `work` while no turn is under way: memory and store then agree, and nothing moves. Rejects with `unavailable`
   * when that moment does not come within `timeoutMs`, because the stores fail.
   */
  async runWhenIdle<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (!this.active) return work();
    const done = this.idleTasks.add(work, timeoutMs);
    this.wakeups.next();
    return done;
  }

  private async restore(): Promise<void> {
    const found = await Promise.all(this.run.checkpoints.map((name) => this.parts.store.readCheckpoint(name)));
    if (found.some((position) => position !== found[0]))
      throw new Error(`checkpoints of ${this.run.name} differ: ${found.join(', ')}`);
    this.checkpoint = found[0];
    this.idleWatermark.reset(performance.now());
    this.crashLoopGuard.begin(this.checkpoint);
    if (this.unanswered !== undefined && this.unanswered.position === this.checkpoint)
      this.parts.onCommit?.(this.unanswered);
    this.unanswered = undefined;
    const isThere = this.standsAt !== undefined && this.standsAt === this.checkpoint;
    this.standsAt = undefined;
    this.isRestored = isThere;
    if (!isThere) await this.run.fold.restore();
    this.isRestored = true;
    this.dirty = false;
    this.progress.advance(this.checkpoint ?? START);
  }

  private recordFailure(error: unknown): number {
    const delay = backoffDelayMs(++this.failures);
    this.reason = summarizeError(error);
    this.parts.log.warn('projection failed and will be tried again', {
      run: this.run.name,
      error,
      failures: this.failures,
      delayMs: delay,
    });
    return delay;
  }

  private async poll(): Promise<PollResult> {
    this.busy.next(true);
    let found: PollResult = 'empty';
    try {
      found = await this.processNextBatch();
      this.failures = 0;
      return found;
    } finally {
      this.busy.next(found === 'full');
    }
  }

  private async processNextBatch(): Promise<PollResult> {
    await this.idleTasks.run();
    await this.parts.yieldToOthers?.();
    this.busySince = performance.now();
    const head = await this.parts.events.head();
    const batch = await this.read();
    if (batch === 'damaged') return 'full';
    const wanted = this.filterUpToEnd(batch);
    await this.commitAll(wanted);
    if (this.stopped.value || this.outcome !== undefined) return 'empty';
    // A short batch may end before a damaged event: only an empty one tells that there is no more.
    if (batch.length > 0 && wanted.length === batch.length) return isFullBatch(batch) ? 'full' : 'drained';
    if (batch.length === 0 && this.idleWatermark.advance(head, this.checkpoint, this.busySince))
      await this.commit([], [], head);
    if (this.outcome === undefined) this.advanceToHead(head, wanted.length < batch.length);
    return 'empty';
  }

  /** Nothing up to `head` can appear any more: it was durable before a read that found nothing. */
  private advanceToHead(head: Position, passed: boolean): void {
    const { until } = this.parts;
    if (passed || (until !== undefined && head >= until)) this.outcome = { kind: 'reached', position: this.checkpoint };
    else this.progress.advance(head);
  }

  private async read(): Promise<RecordedEvent[] | 'damaged'> {
    try {
      return await this.parts.events.readAll(this.idleWatermark.readFrom(this.checkpoint), {
        prefixes: this.run.prefixes,
        ...READ_LIMITS,
      });
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      const { until } = this.parts;
      if (until !== undefined && error.position > until) return [];
      await this.commitDeadLetter(
        createDamagedEventDeadLetter(error, { group: this.run.group, after: this.checkpoint }, this.deadLetterQueue),
        [],
      );
      return 'damaged';
    }
  }

  private filterUpToEnd(batch: RecordedEvent[]): RecordedEvent[] {
    const { until } = this.parts;
    return until === undefined ? batch : batch.filter((event) => event.position <= until);
  }

  private async commitAll(batch: readonly RecordedEvent[]): Promise<void> {
    let from = 0;
    while (from < batch.length && this.outcome === undefined && !this.stopped.value) {
      const to = from + this.run.fold.commitSize(batch, from);
      await this.commitBatch(batch.slice(from, to));
      from = to;
      await setImmediate(); // stores may answer without ever leaving the thread to others
      await this.parts.yieldToOthers?.();
    }
  }

  private async commitBatch(portion: readonly RecordedEvent[]): Promise<void> {
    for (const piece of this.crashLoopGuard.split(portion)) {
      if (!(await this.crashLoopGuard.waitBeforeRetry(piece, this.stopped))) return;
      await this.commitChunk(piece);
    }
    this.crashLoopGuard.finish();
  }

  private async commitChunk(events: readonly RecordedEvent[]): Promise<void> {
    if (this.outcome !== undefined) return;
    if (!events.some((event) => this.crashLoopGuard.isFatal(event)) && (await this.tryCommit(events)) === undefined)
      return;
    for (const event of events) await this.commitSingleEvent(event);
  }

  private async commitSingleEvent(event: RecordedEvent): Promise<void> {
    if (this.outcome !== undefined) return;
    if (this.crashLoopGuard.isFatal(event))
      return this.moveToDeadLetters(event, 'the process ended each time while it was folded', true);
    let failure: unknown;
    for (let attempt = 1; attempt <= MAX_SINGLE_EVENT_ATTEMPTS; attempt++) {
      failure = await this.tryCommit([event]);
      if (failure === undefined) return;
    }
    return this.moveToDeadLetters(event, String(failure), false);
  }

  private async moveToDeadLetters(event: RecordedEvent, error: string, isFatal: boolean): Promise<void> {
    await this.restoreIfDirty();
    await this.commitDeadLetter(
      createDeadLetter(event, error, { group: this.run.group, after: this.checkpoint, isFatal }, this.deadLetterQueue),
      [event],
    );
  }

  /** Answers the failure of the fold, if it is the events' fault. */
  private async tryCommit(events: readonly RecordedEvent[]): Promise<unknown> {
    await this.restoreIfDirty();
    this.crashLoopGuard.recordAttempt(this.checkpoint, events);
    this.dirty = true;
    let changes: DocumentChange[];
    try {
      changes = await this.run.fold.fold(events);
    } catch (error) {
      if (hasCode(error, 'unavailable')) throw error;
      return error ?? new Error('failed without a reason');
    }
    await this.commit(changes, events, events[events.length - 1].position);
    this.dirty = false;
    return undefined;
  }

  private async restoreIfDirty(): Promise<void> {
    if (this.dirty) await this.restore();
  }

  private async commitDeadLetter(document: DeadLetterDocument, events: readonly RecordedEvent[]): Promise<void> {
    this.parts.log.error('event parked: it cannot be projected', { ...document });
    await this.commit([putDeadLetter(this.deadLetterQueue.collection, document)], events, document.position, 1);
  }

  private async commit(
    changes: readonly DocumentChange[],
    events: readonly RecordedEvent[],
    position: Position,
    parked = 0,
  ): Promise<void> {
    const expected = this.checkpoint;
    const checkpoints = this.run.checkpoints.map((projection) => ({ projection, expected, position }));
    this.unanswered = { events, position, parked, busyMs: performance.now() - this.busySince };
    const result = await this.parts.store.commit(changes, checkpoints);
    this.unanswered = undefined;
    if (!result.ok) {
      this.outcome = { kind: 'fenced', found: result.found };
      this.parts.log.error('projection stopped: another projector owns its checkpoint', {
        run: this.run.name,
        expected,
        found: result.found,
      });
      return;
    }
    const now = performance.now();
    this.checkpoint = position;
    this.idleWatermark.reset(now);
    this.failures = 0;
    this.progress.advance(position);
    this.parts.onCommit?.({ events, position, parked, busyMs: now - this.busySince });
    this.busySince = now;
  }
}
