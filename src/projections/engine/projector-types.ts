import type { SchedulerLike } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, Position } from '../../streams/event-store.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import type { PoisonEventJournal } from './crash-loop-guard.js';
import type { ProjectionGroup } from '../projection-groups.js';
import type { PollingIntervals } from './polling-loop.js';
import type { DigestComparison, ReplayDamage } from './read-model-verification.js';
import type { ShardScope } from '../sharding/shard-scope.js';
import type { Signal } from '../../telemetry/signals.js';

export interface RebuildOutcome extends Partial<DigestComparison> {
  readonly projection: string;
  readonly events: number;
  readonly seconds: number;
  /** Position of the read model when queries started to read it; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that it misses because they could not be folded. Its name stands in what `replay --json` prints. */
  readonly parked: number;
}

export interface RebuildOptions {
  /** Events that are folded although they have crashed the process. */
  readonly retried?: ReadonlySet<Position>;
  /** Whether the new read model may lack damaged events that the one in use has. */
  readonly acceptLoss?: boolean;
  /**
   * Begins with the first event instead of where an unfinished rebuild stopped: for what events that were appended
   * since change about earlier ones.
   */
  readonly fresh?: boolean;
}

/** Whether a dead letter would fold now. */
export interface DryRunOutcome {
  readonly position: Position;
  /** Name of the projection group. */
  readonly projection: string;
  readonly folds: boolean;
  /** Why it does not fold. */
  readonly error?: string;
}

/** Result of retrying dead letters. */
export interface RetryOutcome {
  readonly tried: readonly DryRunOutcome[];
  /** Projections that were rebuilt because an event that they miss folds now. */
  readonly rebuilt: readonly RebuildOutcome[];
  /** Dead letters that are left, of all projections. */
  readonly left: number;
}

export interface RetryOptions {
  /** Only events that this projection misses; absent: all. */
  readonly projection?: string;
  /** Also retry events that crashed the process. If one crashes it again, the next process skips it. */
  readonly fatal?: boolean;
}

export interface ProjectionDigest {
  readonly projection: string;
  /** Undefined before the first event. */
  readonly position: Position | undefined;
  readonly digest: string;
}

/** Whether the live read model equals a fresh replay of the log up to the same position. */
export interface VerificationOutcome {
  readonly projection: string;
  readonly position: Position | undefined;
  readonly live: string;
  readonly replayed: string;
  readonly equal: boolean;
  /** Damaged events that the replay skipped; absent if there are none. */
  readonly damage?: ReplayDamage;
}

export interface ProjectorParts {
  /** Projection groups to run; default: all. */
  readonly groups?: readonly ProjectionGroup[];
  /** Grids whose telemetry is projected; default: all. */
  readonly scope?: ShardScope;
  readonly events: EventReader;
  /** The projector is the only writer of this store. */
  readonly store: ReadModelStore;
  /** Opens an empty store for one verification; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly onProjected?: (projected: CommitReport) => void;
  /** Called with the number of dead letters: at the start, and when it may have changed. */
  readonly onDeadLetterCount?: (count: number) => void;
  /** Called when another projector has taken over a group of projections: this one no longer writes it. */
  readonly onFenced?: () => void;
  /** What the previous process was folding when it crashed; default: not known. */
  readonly journal?: PoisonEventJournal;
  readonly scheduler?: SchedulerLike;
  readonly pollingIntervals?: PollingIntervals;
  /** See ProjectionRunnerParts. */
  readonly idleCheckpointIntervalMs?: number;
  /** How long a digest waits for the run to become idle (ms). */
  readonly idleTimeoutMs?: number;
  /** How long queries that started before a switch may still read the former version (ms). */
  readonly graceMs?: number;
  /** Spans that are recognised by identity alone; for tests. */
  readonly spanHorizon?: number;
}

/** Summary of one commit of the projector. Plain data. */
export interface CommitReport {
  /** Projection group that committed: `access`, `telemetry` … */
  readonly group: string;
  /** Shard that committed; absent: all Grids. */
  readonly shard?: number;
  readonly position: Position;
  /** Accepted records of the commit's requests, including repeated requests: they leave the backlog too. */
  readonly records: Readonly<Record<Signal, number>>;
  /** Events that were moved to the dead-letter queue. */
  readonly deadLetters: number;
  /** Milliseconds since the oldest of its requests arrived; absent if it had none. */
  readonly lagMs?: number;
  /** Milliseconds of work that it took. */
  readonly busyMs: number;
}
