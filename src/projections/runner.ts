import { setImmediate } from 'node:timers/promises';
import {
  asyncScheduler, BehaviorSubject, defer, filter, firstValueFrom, from, lastValueFrom, merge, type Observable, retry, Subject, switchMap, takeUntil,
  takeWhile, timer,
} from 'rxjs';
import { hasCode } from '../errors.js';
import type { ParkedEventDocument } from '../read-models/parked-events.js';
import type { Change } from '../read-models/store.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { START, type Position, type RecordedEvent } from '../streams/event-store.js';
import { isPlenty, READ } from './batch.js';
import { Caution } from './caution.js';
import { Errands } from './errands.js';
import type { Run } from './fold.js';
import { backOff, LIVE_PACE, paced, type Found } from './pace.js';
import { parkedDamage, parkedEvent, PARKING, putParked, type Parking } from './parking.js';
import { QuietStretch } from './quiet-stretch.js';
import { Reach } from './reach.js';
import { reasonOf } from './reason.js';
import type { Commit, RunnerParts, RunOutcome } from './runner-parts.js';

export type { Commit, RunnerParts, RunOutcome } from './runner-parts.js';

/** Often enough to tell a bad event from bad luck. */
const ATTEMPTS_ALONE = 3;

/** More failures in a row than a store has that is only busy. */
const WORTH_TELLING = 3;

/**
 * Drives a run: catches up, then follows the log. The next batch is read only when the last is committed.
 * When a store fails, it starts again from the checkpoint after a pause; an event that cannot be folded is parked.
 */
export class Runner {
  private readonly reach: Reach;
  private readonly nudges = new Subject<void>();
  private readonly stopped = new BehaviorSubject(false);
  private readonly busy = new BehaviorSubject(false);
  private readonly errands: Errands;
  private readonly caution: Caution;
  private readonly parking: Parking;
  private checkpoint: Position | undefined;
  private readonly quiet: QuietStretch;
  private turn: Promise<Found> = Promise.resolve('empty');
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
    private readonly run: Run,
    private readonly parts: RunnerParts,
  ) {
    this.reach = new Reach(parts.scheduler);
    this.quiet = new QuietStretch(parts.markEveryMs);
    this.errands = new Errands(parts.scheduler);
    this.parking = parts.parking ?? PARKING;
    this.caution = new Caution(run.name, this.parking, parts.attempts, parts.calmMs, parts.scheduler);
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
    return this.failures < WORTH_TELLING ? undefined : `${this.run.name} failed ${this.failures} times in a row: ${this.reason}`;
  }

  /** Runs until it ends. Call once. Never rejects: what fails is tried again. */
  async start(): Promise<RunOutcome> {
    const { hints, pace = LIVE_PACE, scheduler = asyncScheduler } = this.parts;
    const wakes = merge(hints, this.nudges);
    const takeTurn = (): Observable<Found> => defer(() => (this.turn = this.takeTurn()));
    const turns = defer(() => from(this.restore())).pipe(
      switchMap(() => paced(takeTurn, wakes, pace, scheduler)),
      retry({ delay: (error) => timer(this.failed(error), scheduler) }),
      takeWhile(() => this.outcome === undefined, true),
      takeUntil(this.stopped.pipe(filter((stop) => stop))),
    );
    this.active = true;
    await lastValueFrom(turns, { defaultValue: 'empty' });
    await this.turn.catch(() => undefined); // its failure was reported by the pipeline, or no longer matters
    this.active = false;
    this.busy.next(false);
    await this.errands.run();
    return this.outcome ?? { kind: 'stopped', position: this.checkpoint };
  }

  /** Ends the run after the commit under way, and waits for it. Legal twice, and before the start. */
  async stop(): Promise<void> {
    this.stopped.next(true);
    await this.turn.catch(() => undefined);
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
  whenAt(position: Position, timeoutMs: number): Promise<boolean> {
    return this.reach.whenAt(position, timeoutMs);
  }

  /**
   * Does `work` while no turn is under way: memory and store then agree, and nothing moves. Rejects with `unavailable`
   * when that moment does not come within `timeoutMs`, because the stores fail.
   */
  async between<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (!this.active) return work();
    const done = this.errands.add(work, timeoutMs);
    this.nudges.next();
    return done;
  }

  private async restore(): Promise<void> {
    const found = await Promise.all(this.run.checkpoints.map((name) => this.parts.store.checkpoint(name)));
    if (found.some((position) => position !== found[0])) throw new Error(`checkpoints of ${this.run.name} differ: ${found.join(', ')}`);
    this.checkpoint = found[0];
    this.quiet.begin(performance.now());
    this.caution.begin(this.checkpoint);
    if (this.unanswered !== undefined && this.unanswered.position === this.checkpoint) this.parts.onCommit?.(this.unanswered);
    this.unanswered = undefined;
    const isThere = this.standsAt !== undefined && this.standsAt === this.checkpoint;
    this.standsAt = undefined;
    this.isRestored = isThere;
    if (!isThere) await this.run.fold.restore();
    this.isRestored = true;
    this.dirty = false;
    this.reach.to(this.checkpoint ?? START);
  }

  private failed(error: unknown): number {
    const delay = backOff(++this.failures);
    this.reason = reasonOf(error);
    this.parts.log.warn('projection failed and will be tried again', { run: this.run.name, error, failures: this.failures, delayMs: delay });
    return delay;
  }

  private async takeTurn(): Promise<Found> {
    this.busy.next(true);
    let found: Found = 'empty';
    try {
      found = await this.work();
      this.failures = 0;
      return found;
    } finally {
      this.busy.next(found === 'full');
    }
  }

  private async work(): Promise<Found> {
    await this.errands.run();
    await this.parts.giveWay?.();
    this.busySince = performance.now();
    const head = await this.parts.events.head();
    const batch = await this.read();
    if (batch === 'damaged') return 'full';
    const wanted = this.upToEnd(batch);
    await this.commitAll(wanted);
    if (this.stopped.value || this.outcome !== undefined) return 'empty';
    // A short batch may end before a damaged event: only an empty one tells that there is no more.
    if (batch.length > 0 && wanted.length === batch.length) return isPlenty(batch) ? 'full' : 'drained';
    if (batch.length === 0 && this.quiet.reaches(head, this.checkpoint, this.busySince)) await this.commit([], [], head);
    if (this.outcome === undefined) this.reachEnd(head, wanted.length < batch.length);
    return 'empty';
  }

  /** Nothing up to `head` can appear any more: it was durable before a read that found nothing. */
  private reachEnd(head: Position, passed: boolean): void {
    const { until } = this.parts;
    if (passed || (until !== undefined && head >= until)) this.outcome = { kind: 'reached', position: this.checkpoint };
    else this.reach.to(head);
  }

  private async read(): Promise<RecordedEvent[] | 'damaged'> {
    try {
      return await this.parts.events.readAll(this.quiet.readFrom(this.checkpoint), { prefixes: this.run.prefixes, ...READ });
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      const { until } = this.parts;
      if (until !== undefined && error.position > until) return [];
      await this.park(parkedDamage(error, { group: this.run.group, after: this.checkpoint }, this.parking), []);
      return 'damaged';
    }
  }

  private upToEnd(batch: RecordedEvent[]): RecordedEvent[] {
    const { until } = this.parts;
    return until === undefined ? batch : batch.filter((event) => event.position <= until);
  }

  private async commitAll(batch: readonly RecordedEvent[]): Promise<void> {
    let from = 0;
    while (from < batch.length && this.outcome === undefined && !this.stopped.value) {
      const to = from + this.run.fold.portion(batch, from);
      await this.commitPortion(batch.slice(from, to));
      from = to;
      await setImmediate(); // stores may answer without ever leaving the thread to others
      await this.parts.giveWay?.();
    }
  }

  private async commitPortion(portion: readonly RecordedEvent[]): Promise<void> {
    for (const piece of this.caution.pieces(portion)) {
      if (!(await this.caution.whenCalm(piece, this.stopped))) return;
      await this.commitPiece(piece);
    }
    this.caution.end();
  }

  private async commitPiece(events: readonly RecordedEvent[]): Promise<void> {
    if (this.outcome !== undefined) return;
    if (!events.some((event) => this.caution.isFatal(event)) && (await this.tryPortion(events)) === undefined) return;
    for (const event of events) await this.commitAlone(event);
  }

  private async commitAlone(event: RecordedEvent): Promise<void> {
    if (this.outcome !== undefined) return;
    if (this.caution.isFatal(event)) return this.passBy(event, 'the process ended each time while it was folded', true);
    let failure: unknown;
    for (let attempt = 1; attempt <= ATTEMPTS_ALONE; attempt++) {
      failure = await this.tryPortion([event]);
      if (failure === undefined) return;
    }
    return this.passBy(event, String(failure), false);
  }

  private async passBy(event: RecordedEvent, error: string, isFatal: boolean): Promise<void> {
    await this.clean();
    await this.park(parkedEvent(event, error, { group: this.run.group, after: this.checkpoint, isFatal }, this.parking), [event]);
  }

  /** Answers the failure of the fold, if it is the events' fault. */
  private async tryPortion(events: readonly RecordedEvent[]): Promise<unknown> {
    await this.clean();
    this.caution.note(this.checkpoint, events);
    this.dirty = true;
    let changes: Change[];
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

  private async clean(): Promise<void> {
    if (this.dirty) await this.restore();
  }

  private async park(document: ParkedEventDocument, events: readonly RecordedEvent[]): Promise<void> {
    this.parts.log.error('event parked: it cannot be projected', { ...document });
    await this.commit([putParked(this.parking.collection, document)], events, document.position, 1);
  }

  private async commit(changes: readonly Change[], events: readonly RecordedEvent[], position: Position, parked = 0): Promise<void> {
    const expected = this.checkpoint;
    const checkpoints = this.run.checkpoints.map((projection) => ({ projection, expected, position }));
    this.unanswered = { events, position, parked, busyMs: performance.now() - this.busySince };
    const result = await this.parts.store.commit(changes, checkpoints);
    this.unanswered = undefined;
    if (!result.ok) {
      this.outcome = { kind: 'fenced', found: result.found };
      this.parts.log.error('projection stopped: another projector owns its checkpoint', { run: this.run.name, expected, found: result.found });
      return;
    }
    const now = performance.now();
    this.checkpoint = position;
    this.quiet.begin(now);
    this.failures = 0;
    this.reach.to(position);
    this.parts.onCommit?.({ events, position, parked, busyMs: now - this.busySince });
    this.busySince = now;
  }
}
