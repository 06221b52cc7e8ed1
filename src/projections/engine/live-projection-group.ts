import { asyncScheduler, firstValueFrom, from, map, type Observable, race, timer } from 'rxjs';
import { HindsightError } from '../../errors.js';
import { LIVE_DEAD_LETTERS } from '../../read-models/documents/dead-letter-documents.js';
import type { Position } from '../../streams/event-store.js';
import type { TelemetryReceived } from '../../streams/events/telemetry-events.js';
import type { Signal } from '../../telemetry/signals.js';
import type { ProjectionRun } from '../projection.js';
import { findSignal } from '../telemetry/telemetry-fold.js';
import type { ProjectionGroup, RunSources, ProjectionVersions } from '../projection-groups.js';
import { createDeadLetterQueue } from './dead-letter-queue.js';
import type { CommitReport } from './projector-types.js';
import { ProjectionRunner } from './projection-runner.js';
import type { Commit, ProjectionRunnerParts, RunOutcome } from './projection-runner-types.js';

export interface LiveProjectionGroupParts extends Omit<ProjectionRunnerParts, 'until' | 'onCommit' | 'hints'> {
  readonly hints: Observable<unknown>;
  readonly sources: RunSources;
  /** How long `runWhenIdle` waits for the run to become idle (ms). */
  readonly idleTimeoutMs?: number;
  readonly onCommit: (group: ProjectionGroup, commit: CommitReport) => void;
  readonly onEnd: (group: ProjectionGroup, outcome: RunOutcome) => void;
}

/** A live run that was stopped. */
export interface HaltedRun {
  readonly position: Position | undefined;
  /** Undefined if the memory of its fold differs from what is committed. */
  readonly run: ProjectionRun | undefined;
}

/** What the live run continues with. */
export interface Continuation {
  readonly versions: ProjectionVersions;
  /**
   * A run whose memory reflects the position at which the live run stopped; absent: the memory is loaded from the
   * store.
   */
  readonly run?: ProjectionRun | undefined;
}

/** Longer than any backoff after a failure, shorter than an operator waits. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Keeps the live versions of a group of projections up to date: one runner at a time, replaced when a rebuilt version
 * goes live.
 */
export class LiveProjectionGroup {
  private versions = new Map<string, number>();
  private run: ProjectionRun | undefined;
  private runner: ProjectionRunner | undefined;
  private runEnd: Promise<RunOutcome> | undefined;
  private pendingChange: Promise<unknown> = Promise.resolve();

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

  /** Whether a poll is in progress or the next one is due immediately. */
  get isBusy(): boolean {
    return this.runner?.isBusy ?? false;
  }

  /** Resolves as soon as the run is idle. */
  async whenIdle(): Promise<void> {
    await this.runner?.whenIdle();
  }

  /** Why the run makes no progress; undefined while it does. */
  get failure(): string | undefined {
    return this.runner?.failure;
  }

  /** Starts a runner for these versions. `run`: a run whose memory already reflects `foldPosition`. */
  start(versions: ProjectionVersions, run?: ProjectionRun, foldPosition?: Position): void {
    this.versions = new Map(versions);
    if (versions.size === 0 && !this.group.standsAlone) return;
    const { group, parts } = this;
    const { scheduler = asyncScheduler } = parts;
    this.run = run ?? group.createRun(versions, 'live', parts.sources);
    const memory = run === undefined || foldPosition === undefined ? {} : { foldPosition };
    const deadLetterQueue = createDeadLetterQueue(group, [...versions.keys()], LIVE_DEAD_LETTERS);
    const runner = new ProjectionRunner(this.run, {
      ...parts,
      ...memory,
      pollingIntervals: parts.pollingIntervals ?? group.pollingIntervals,
      deadLetterQueue,
      onCommit: (commit) => parts.onCommit(group, toCommitReport(group.name, commit, scheduler.now())),
    });
    this.runner = runner;
    this.runEnd = runner.start();
    void this.runEnd.then((outcome) => parts.onEnd(group, outcome));
  }

  /**
   * Stops the run, lets `change` decide what to continue with, and starts again. If `change` fails, continues with the
   * versions from before and rejects. Calls are serialised.
   */
  async change(change: (halted: HaltedRun) => Promise<Continuation>): Promise<void> {
    const changed = this.pendingChange.then(async () => {
      const { runner, run } = this;
      const outcome = await this.halt();
      if (outcome?.kind === 'fenced')
        throw new HindsightError('unavailable', `Another projector has taken over ${this.group.name}`);
      const before = this.versions;
      try {
        const next = await change({ position: outcome?.position, run: runner?.isClean === true ? run : undefined });
        this.start(next.versions, next.run, outcome?.position);
      } catch (error) {
        this.start(before);
        throw error;
      }
    });
    this.pendingChange = changed.catch(() => undefined);
    return changed;
  }

  /** Lets the fold give memory back between two commits. No effect while the run is busy or fails. */
  async releaseMemory(): Promise<void> {
    if (this.isBusy || this.failure !== undefined) return;
    await this.runWhenIdle(() => {
      if (this.runner?.isClean === true) this.run?.fold.releaseMemory?.();
      return Promise.resolve();
    });
  }

  /** Runs `work` while no commit is in progress. Rejects with `unavailable` if the run does not become idle in time. */
  async runWhenIdle<T>(work: () => Promise<T>): Promise<T> {
    const { scheduler = asyncScheduler, idleTimeoutMs = IDLE_TIMEOUT_MS } = this.parts;
    const deadline = scheduler.now() + idleTimeoutMs;
    const timeout = timer(idleTimeoutMs, scheduler).pipe(map(() => 'late'));
    if ((await firstValueFrom(race(from(this.pendingChange), timeout))) === 'late')
      throw new HindsightError('unavailable', `${this.group.name} is switching versions; try again`);
    return this.runner === undefined ? work() : this.runner.runWhenIdle(work, Math.max(0, deadline - scheduler.now()));
  }

  /**
   * True once everything up to `position` that concerns the group is committed, by this runner or its successor; false
   * after `timeoutMs`.
   */
  async waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const { scheduler = asyncScheduler } = this.parts;
    const deadline = scheduler.now() + timeoutMs;
    for (let previous: ProjectionRunner | undefined; ;) {
      await this.pendingChange;
      const { runner, runEnd } = this;
      if (runner === undefined || runner === previous) return false;
      previous = runner;
      const reached = runner.waitForPosition(position, Math.max(0, deadline - scheduler.now()));
      const isReached = await Promise.race([reached, runEnd?.then(() => undefined)]);
      if (isReached !== undefined) return isReached;
    }
  }

  async stop(): Promise<void> {
    await this.pendingChange;
    await this.halt();
  }

  private async halt(): Promise<RunOutcome | undefined> {
    await this.runner?.stop();
    const outcome = await this.runEnd;
    this.run = undefined;
    this.runner = undefined;
    this.runEnd = undefined;
    return outcome;
  }
}

/** `now` in ms since 1970. */
function toCommitReport(group: string, { events, position, busyMs, deadLetters }: Commit, now: number): CommitReport {
  const records: Record<Signal, number> = { traces: 0, logs: 0, metrics: 0 };
  let oldest = Infinity;
  for (const event of events) {
    const signal = findSignal(event);
    if (signal === undefined) continue;
    const { accepted, receivedAt } = event.data as TelemetryReceived;
    records[signal] += accepted;
    oldest = Math.min(oldest, receivedAt);
  }
  const lag = oldest === Infinity ? {} : { lagMs: Math.max(0, now - oldest) };
  return { group, position, records, deadLetters, busyMs, ...lag };
}
