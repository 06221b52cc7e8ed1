import { asyncScheduler, firstValueFrom, from, map, type Observable, race, timer } from 'rxjs';
import { HindsightError } from '../../errors.js';
import { LIVE_DEAD_LETTERS } from '../../read-models/documents/dead-letter-documents.js';
import type { Position } from '../../streams/event-store.js';
import type { ProjectionRun } from '../projection.js';
import type { ProjectionGroup, RunSources, ProjectionVersions } from '../projection-groups.js';
import { createDeadLetterQueue } from './dead-letter-queue.js';
import { ProjectionRunner, type Commit, type RunnerParts, type RunOutcome } from './projection-runner.js';

export interface LiveProjectionGroupParts extends Omit<RunnerParts, 'until' | 'onCommit' | 'hints'> {
  readonly hints: Observable<unknown>;
  readonly sources: RunSources;
  /** How long who wants to work between two turns waits for that (ms). */
  readonly patienceMs?: number;
  readonly onCommit: (group: ProjectionGroup, commit: Commit) => void;
  readonly onEnd: (group: ProjectionGroup, outcome: RunOutcome) => void;
}

/** A live run that has stopped. */
export interface HaltedRun {
  readonly position: Position | undefined;
  /** Undefined where its memory is not what is committed. */
  readonly run: ProjectionRun | undefined;
}

/** As what it goes on. */
export interface Continuation {
  readonly versions: ProjectionVersions;
  /** Stands at the position where the live run stopped; absent: what it keeps in memory is loaded. */
  readonly run?: ProjectionRun | undefined;
}

/** Longer than any pause after a failure, shorter than operators wait. */
const IDLE_TIMEOUT_MS = 30_000;

/** The run that keeps a group of projections current, whichever versions it has at the time. */
export class LiveProjectionGroup {
  private versions = new Map<string, number>();
  private run: ProjectionRun | undefined;
  private runner: ProjectionRunner | undefined;
  private ended: Promise<RunOutcome> | undefined;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(
    readonly group: ProjectionGroup,
    private readonly parts: LiveProjectionGroupParts,
  ) {}

  activeVersion(projection: string): number | undefined {
    return this.versions.get(projection);
  }

  /** Position of the last commit. */
  get position(): Position | undefined {
    return this.runner?.position;
  }

  /** Whether a turn is under way, or the next one due at once. */
  get isBusy(): boolean {
    return this.runner?.isBusy ?? false;
  }

  /** Resolves as soon as it is not busy. */
  async whenIdle(): Promise<void> {
    await this.runner?.whenIdle();
  }

  /** Why it does not get on; undefined as long as it does. */
  get failure(): string | undefined {
    return this.runner?.failure;
  }

  /** `run`: what is kept in memory stands at `standsAt` already. */
  start(versions: ProjectionVersions, run?: ProjectionRun, standsAt?: Position): void {
    this.versions = new Map(versions);
    if (versions.size === 0 && !this.group.standsAlone) return;
    const { group, parts } = this;
    this.run = run ?? group.createRun(versions, 'live', parts.sources);
    const memory = run === undefined || standsAt === undefined ? {} : { standsAt };
    const parking = createDeadLetterQueue(group, [...versions.keys()], LIVE_DEAD_LETTERS);
    const runner = new ProjectionRunner(this.run, {
      ...parts,
      ...memory,
      deadLetterQueue: parking,
      onCommit: (commit) => parts.onCommit(group, commit),
    });
    this.runner = runner;
    this.ended = runner.start();
    void this.ended.then((outcome) => parts.onEnd(group, outcome));
  }

  /** Stops, lets `change` decide as what it goes on from where it stopped, and goes on. */
  async change(change: (halted: HaltedRun) => Promise<Continuation>): Promise<void> {
    const changed = this.changing.then(async () => {
      const { runner, run } = this;
      const outcome = await this.halt();
      if (outcome?.kind === 'fenced')
        throw new HindsightError('unavailable', `another projector keeps ${this.group.name} now`);
      const before = this.versions;
      try {
        const next = await change({ position: outcome?.position, run: runner?.isClean === true ? run : undefined });
        this.start(next.versions, next.run, outcome?.position);
      } catch (error) {
        this.start(before);
        throw error;
      }
    });
    this.changing = changed.catch(() => undefined);
    return changed;
  }

  /** Does `work` while nothing moves. Rejects with `unavailable` when that moment does not come soon. */
  async runWhenIdle<T>(work: () => Promise<T>): Promise<T> {
    const { scheduler = asyncScheduler, patienceMs = IDLE_TIMEOUT_MS } = this.parts;
    const deadline = scheduler.now() + patienceMs;
    const late = timer(patienceMs, scheduler).pipe(map(() => 'late'));
    if ((await firstValueFrom(race(from(this.changing), late))) === 'late')
      throw new HindsightError('unavailable', `${this.group.name} is being changed; try again`);
    return this.runner === undefined ? work() : this.runner.runWhenIdle(work, Math.max(0, deadline - scheduler.now()));
  }

  /** True once everything up to `position` that concerns the group is committed, by this run or the one that follows it. */
  async waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const { scheduler = asyncScheduler } = this.parts;
    const deadline = scheduler.now() + timeoutMs;
    for (let waited: ProjectionRunner | undefined; ;) {
      await this.changing;
      const { runner, ended } = this;
      if (runner === undefined || runner === waited) return false;
      waited = runner;
      const arrived = runner.waitForPosition(position, Math.max(0, deadline - scheduler.now()));
      const answer = await Promise.race([arrived, ended?.then(() => undefined)]);
      if (answer !== undefined) return answer;
    }
  }

  async stop(): Promise<void> {
    await this.changing;
    await this.halt();
  }

  private async halt(): Promise<RunOutcome | undefined> {
    await this.runner?.stop();
    const outcome = await this.ended;
    this.run = undefined;
    this.runner = undefined;
    this.ended = undefined;
    return outcome;
  }
}
