import { NEVER } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';
import { isDamagedEvent } from '../../streams/damaged-event.js';
import { START, type EventReader, type Position } from '../../streams/event-store.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { ProjectionRun } from '../projection.js';
import type { PoisonEventJournal } from './crash-loop-guard.js';
import type { PollingIntervals } from './polling-loop.js';
import type { DeadLetterQueue } from './dead-letter-queue.js';
import { ProjectionRunner } from './projection-runner.js';
import type { Commit } from './projection-runner-types.js';

/** Progress of a rebuild, in events of the log. */
export interface Progress {
  readonly projection: string;
  readonly done: number;
  readonly total: number;
}

export interface ReplaySources {
  readonly events: EventReader;
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Awaited before each batch: lets more important runs go first. */
  readonly yieldToOthers?: () => Promise<void>;
  readonly journal?: PoisonEventJournal;
  readonly deadLetterQueue?: DeadLetterQueue;
}

const COUNT_LIMIT = 10_000;

/** A replay polls without pauses. */
const REPLAY_POLLING_INTERVALS: PollingIntervals = { everyMs: 0, idleMs: 0 };

/** Counts the events of these streams after `after` and up to `until`, including those that cannot be read. */
export async function countEvents(
  events: EventReader,
  prefixes: readonly string[],
  after: Position,
  until: Position,
): Promise<number> {
  let total = 0;
  for (let from = after; from < until;) {
    const positions = await readPositionsAfter(events, prefixes, from);
    total += positions.filter((position) => position <= until).length;
    const last = positions.at(-1);
    if (last === undefined) break;
    from = last;
  }
  return total;
}

async function readPositionsAfter(
  events: EventReader,
  prefixes: readonly string[],
  from: Position,
): Promise<Position[]> {
  try {
    const batch = await events.readAll(from, { prefixes, limit: COUNT_LIMIT, bodies: false });
    return batch.map(({ position }) => position);
  } catch (error) {
    if (!isDamagedEvent(error)) throw error;
    return [error.position];
  }
}

/**
 * Replays a run from its checkpoint to a position, with the same runner as the live run. Can be stopped, and called
 * again for a later position: the checkpoint is committed with each step.
 */
export class Replay {
  private runner: ProjectionRunner | undefined;
  private stopped = false;
  private foldPosition: Position | undefined;

  constructor(
    private readonly run: ProjectionRun,
    private readonly sources: ReplaySources,
    private readonly onCommit: (commit: Commit) => void = () => undefined,
  ) {}

  /** Why the replay makes no progress; undefined while it does. */
  get failure(): string | undefined {
    return this.runner?.failure;
  }

  /** Returns the position reached; undefined if no event concerned the run. Throws if it was stopped or fenced. */
  async runTo(until: Position | undefined): Promise<Position | undefined> {
    if (this.stopped) throw new Error(`${this.run.name} was stopped`);
    const { run, sources, onCommit, foldPosition } = this;
    this.runner = new ProjectionRunner(run, {
      ...sources,
      hints: NEVER,
      pollingIntervals: REPLAY_POLLING_INTERVALS,
      until: until ?? START,
      onCommit,
      foldPosition,
    });
    const outcome = await this.runner.start();
    this.foldPosition = outcome.kind === 'reached' ? outcome.position : undefined;
    if (outcome.kind !== 'reached') throw new Error(`${this.run.name} was ${outcome.kind} before it finished`);
    return outcome.position;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.runner?.stop();
  }
}
