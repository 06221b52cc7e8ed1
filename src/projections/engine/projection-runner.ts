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
import { type DamagedEvent, isDamagedEvent } from '../../streams/damaged-event.js';
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

/** Attempts after which a failure counts as caused by the event, not as transient. */
const MAX_SINGLE_EVENT_ATTEMPTS = 3;

/** A store that is only busy fails less often in a row. */
const MIN_FAILURES_TO_REPORT = 3;

/**
 * Drives a projection run: catches up, then follows the log. The next batch is read only when the last one is
 * committed. When a store fails, the run restarts from its checkpoint after a backoff; an event that cannot be folded
 * goes to the dead-letter queue.
 */
export class ProjectionRunner {
  private readonly progress: ProgressWaiter;
  private readonly wakeups = new Subject<void>();
  private readonly stopped = new BehaviorSubject(false);
  private readonly busy = new BehaviorSubject(false);
  private readonly idleTasks: IdleTaskQueue;
  private readonly crashLoopGuard: CrashLoopGuard;
  private readonly deadLetterQueue: DeadLetterQueue;
  /** Attempts to read events whose pages cannot be read, since the last event that could. */
  private unreadableAttempts = 0;
  private checkpoint: Position | undefined;
  private readonly idleWatermark: IdleWatermark;
  private currentPoll: Promise<PollResult> = Promise.resolve('empty');
  private outcome: RunOutcome | undefined;
  private isRunning = false;
  /** Consecutive failures. */
  private failures = 0;
  private lastFailure = '';
  /** Start of the work for the next commit, by a monotonic clock. */
  private busySince = 0;
  /** A commit that the store has not confirmed: it may have been applied all the same. */
  private unconfirmed: Commit | undefined;
  /** Whether the memory of the fold may differ from what is committed. */
  private isDirty = false;
  private isRestored = false;
  /** Position that the memory of the fold reflected when it was handed over. */
  private foldPosition: Position | undefined;

  constructor(
    private readonly run: ProjectionRun,
    private readonly parts: ProjectionRunnerParts,
  ) {
    this.progress = new ProgressWaiter(parts.scheduler);
    this.idleWatermark = new IdleWatermark(parts.idleCheckpointIntervalMs);
    this.idleTasks = new IdleTaskQueue(parts.scheduler);
    this.deadLetterQueue = parts.deadLetterQueue ?? DEFAULT_DEAD_LETTER_QUEUE;
    this.crashLoopGuard = new CrashLoopGuard(
      run.name,
      this.deadLetterQueue,
      parts.journal,
      parts.suspectRetryDelayMs,
      parts.scheduler,
    );
    this.foldPosition = parts.foldPosition;
  }

  /** Position of the last commit; undefined before the first. */
  get position(): Position | undefined {
    return this.checkpoint;
  }

  /** Whether the memory of the fold equals what is committed, so that another runner may take it over. */
  get isClean(): boolean {
    return this.isRestored && !this.isDirty;
  }

  /** Why the run makes no progress after several consecutive failures; undefined again after a successful poll. */
  get failure(): string | undefined {
    return this.failures < MIN_FAILURES_TO_REPORT
      ? undefined
      : `${this.run.name} failed ${this.failures} times in a row: ${this.lastFailure}`;
  }

  /** Runs until it ends. Call once. Never rejects: failures are retried. */
  async start(): Promise<RunOutcome> {
    const { hints, pollingIntervals = LIVE_POLLING_INTERVALS, scheduler = asyncScheduler } = this.parts;
    const wakes = merge(hints, this.wakeups);
    const poll = (): Observable<PollResult> => defer(() => (this.currentPoll = this.poll()));
    const polls = defer(() => from(this.restore())).pipe(
      switchMap(() => createPollingLoop(poll, wakes, pollingIntervals, scheduler)),
      retry({ delay: (error) => timer(this.recordFailure(error), scheduler) }),
      takeWhile(() => this.outcome === undefined, true),
      takeUntil(this.stopped.pipe(filter((stop) => stop))),
    );
    this.isRunning = true;
    await lastValueFrom(polls, { defaultValue: 'empty' });
    await this.currentPoll.catch(() => undefined); // its failure was logged by the pipeline or no longer matters
    this.isRunning = false;
    this.busy.next(false);
    await this.idleTasks.run();
    return this.outcome ?? { kind: 'stopped', position: this.checkpoint };
  }

  /** Ends the run after the commit in progress, and waits for it. Idempotent; may be called before `start`. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.currentPoll.catch(() => undefined);
  }

  /** Whether a poll is in progress or the next one is due immediately. */
  get isBusy(): boolean {
    return this.busy.value;
  }

  /** Resolves as soon as the run is idle. */
  async whenIdle(): Promise<void> {
    await firstValueFrom(this.busy.pipe(filter((busy) => !busy)));
  }

  /** True once everything up to `position` that concerns this run is committed; false after `timeoutMs`. */
  waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.waitForPosition(position, timeoutMs);
  }

  /**
   * Runs `work` between two polls, when memory and store agree and nothing changes. Rejects with `unavailable` if that
   * takes longer than `timeoutMs` because the stores fail.
   */
  async runWhenIdle<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (!this.isRunning) return work();
    const done = this.idleTasks.add(work, timeoutMs);
    this.wakeups.next();
    return done;
  }

  private async restore(): Promise<void> {
    const stored = await Promise.all(this.run.checkpoints.map((name) => this.parts.store.readCheckpoint(name)));
    if (stored.some((position) => position !== stored[0]))
      throw new Error(`checkpoints of ${this.run.name} differ: ${stored.join(', ')}`);
    this.checkpoint = stored[0];
    this.idleWatermark.reset(performance.now());
    this.crashLoopGuard.begin(this.checkpoint);
    if (this.unconfirmed !== undefined && this.unconfirmed.position === this.checkpoint)
      this.parts.onCommit?.(this.unconfirmed);
    this.unconfirmed = undefined;
    const isCurrent = this.foldPosition !== undefined && this.foldPosition === this.checkpoint;
    this.foldPosition = undefined;
    this.isRestored = isCurrent;
    if (!isCurrent) await this.run.fold.restore();
    this.isRestored = true;
    this.isDirty = false;
    this.progress.advance(this.checkpoint ?? START);
  }

  private recordFailure(error: unknown): number {
    const delay = backoffDelayMs(++this.failures);
    this.lastFailure = summarizeError(error);
    this.parts.log.warn('Projection failed; retrying', {
      run: this.run.name,
      error,
      failures: this.failures,
      delayMs: delay,
    });
    return delay;
  }

  private async poll(): Promise<PollResult> {
    this.busy.next(true);
    let result: PollResult = 'empty';
    try {
      result = await this.processNextBatch();
      this.failures = 0;
      return result;
    } finally {
      this.busy.next(result === 'full');
    }
  }

  private async processNextBatch(): Promise<PollResult> {
    await this.idleTasks.run();
    await this.parts.yieldToOthers?.();
    this.busySince = performance.now();
    const head = await this.parts.events.head();
    const batch = await this.read();
    if (batch === 'damaged') return 'full';
    const events = this.filterUpToEnd(batch);
    await this.commitAll(events);
    if (this.stopped.value || this.outcome !== undefined) return 'empty';
    // A short batch may end before a damaged event: only an empty one means that there is no more.
    if (batch.length > 0 && events.length === batch.length) return isFullBatch(batch) ? 'full' : 'drained';
    if (batch.length === 0 && this.idleWatermark.advance(head, this.checkpoint, this.busySince))
      await this.commit([], [], head);
    if (this.outcome === undefined) this.advanceToHead(head, events.length < batch.length);
    return 'empty';
  }

  /** Nothing up to `head` can appear any more: it was durable before a read that returned nothing. */
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
      if (this.mayBecomeReadable(error)) throw error;
      await this.commitDeadLetter(
        createDamagedEventDeadLetter(error, { group: this.run.group, after: this.checkpoint }, this.deadLetterQueue),
        [],
      );
      return 'damaged';
    }
  }

  /** Whether to read again: the disk may fail for a moment. Only for the first of several such events in a row. */
  private mayBecomeReadable({ isUnreadable }: DamagedEvent): boolean {
    return isUnreadable && ++this.unreadableAttempts < MAX_SINGLE_EVENT_ATTEMPTS;
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
      await setImmediate(); // stores may respond without ever yielding the thread
      await this.parts.yieldToOthers?.();
    }
  }

  private async commitBatch(batch: readonly RecordedEvent[]): Promise<void> {
    for (const chunk of this.crashLoopGuard.split(batch)) {
      if (!(await this.crashLoopGuard.waitBeforeRetry(chunk, this.stopped))) return;
      await this.commitChunk(chunk);
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
      return this.moveToDeadLetters(event, 'the process crashed each time it folded this event', { isFatal: true });
    let failure: unknown;
    for (let attempt = 1; attempt <= MAX_SINGLE_EVENT_ATTEMPTS; attempt++) {
      failure = await this.tryCommit([event]);
      if (failure === undefined) return;
    }
    return this.moveToDeadLetters(event, String(failure), { isDamaged: isDamagedEvent(failure) });
  }

  private async moveToDeadLetters(
    event: RecordedEvent,
    error: string,
    cause: { readonly isFatal?: boolean; readonly isDamaged?: boolean },
  ): Promise<void> {
    await this.restoreIfDirty();
    await this.commitDeadLetter(
      createDeadLetter(event, error, { group: this.run.group, after: this.checkpoint, ...cause }, this.deadLetterQueue),
      [event],
    );
  }

  /** Returns the failure of the fold if the events caused it. Rejects if a store failed. */
  private async tryCommit(events: readonly RecordedEvent[]): Promise<unknown> {
    await this.restoreIfDirty();
    this.crashLoopGuard.recordAttempt(this.checkpoint, events);
    this.isDirty = true;
    let changes: DocumentChange[];
    try {
      changes = await this.run.fold.fold(events);
    } catch (error) {
      if (hasCode(error, 'unavailable')) throw error;
      return error ?? new Error('failed without a reason');
    }
    await this.commit(changes, events, events[events.length - 1].position);
    this.isDirty = false;
    return undefined;
  }

  private async restoreIfDirty(): Promise<void> {
    if (this.isDirty) await this.restore();
  }

  private async commitDeadLetter(document: DeadLetterDocument, events: readonly RecordedEvent[]): Promise<void> {
    this.parts.log.error('Event moved to the dead-letter queue: it cannot be projected', { ...document });
    await this.commit([putDeadLetter(this.deadLetterQueue.collection, document)], events, document.position, 1);
  }

  private async commit(
    changes: readonly DocumentChange[],
    events: readonly RecordedEvent[],
    position: Position,
    deadLetters = 0,
  ): Promise<void> {
    const expected = this.checkpoint;
    const checkpoints = this.run.checkpoints.map((projection) => ({ projection, expected, position }));
    this.unconfirmed = { events, position, deadLetters, busyMs: performance.now() - this.busySince };
    const result = await this.parts.store.commit(changes, checkpoints);
    this.unconfirmed = undefined;
    if (!result.ok) {
      this.outcome = { kind: 'fenced', found: result.found };
      this.parts.log.error('Projection stopped: another projector owns its checkpoint', {
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
    if (deadLetters === 0 && events.length > 0) this.unreadableAttempts = 0;
    this.progress.advance(position);
    this.parts.onCommit?.({ events, position, deadLetters, busyMs: now - this.busySince });
    this.busySince = now;
  }
}
