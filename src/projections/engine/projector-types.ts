import type { SchedulerLike } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, Position } from '../../streams/event-store.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import type { PoisonEventJournal } from './crash-loop-guard.js';
import type { ProjectionGroup } from '../projection-groups.js';
import type { PollingIntervals } from './polling-loop.js';
import type { DigestComparison } from './read-model-verification.js';
import type { ShardScope } from '../sharding/shard-scope.js';
import type { TelemetryReceived } from '../../streams/events/telemetry-events.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Commit } from './projection-runner.js';
import { findSignal } from '../telemetry/telemetry-fold.js';

export interface RebuildOutcome extends Partial<DigestComparison> {
  readonly projection: string;
  readonly events: number;
  readonly seconds: number;
  /** Where the read model stood when queries began to read it, and its digest there; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that it lacks because they could not be folded. */
  readonly parked: number;
}

/** Whether a parked event would fold now. */
export interface DryRunOutcome {
  readonly position: Position;
  /** The group of projections. */
  readonly projection: string;
  readonly folds: boolean;
  /** Why not. */
  readonly error?: string;
}

/** What trying parked events again came to. */
export interface RetryOutcome {
  readonly tried: readonly DryRunOutcome[];
  /** Projections that were built anew, because an event that they lack folds now. */
  readonly rebuilt: readonly RebuildOutcome[];
  /** Events that are still parked, of all projections. */
  readonly left: number;
}

export interface RetryOptions {
  /** Only what this projection lacks; absent: all. */
  readonly projection?: string;
  /** Also events that have ended the process: when one does so again, the next process passes it by. */
  readonly fatal?: boolean;
}

export interface ProjectionDigest {
  readonly projection: string;
  /** Undefined before the first event. */
  readonly position: Position | undefined;
  readonly digest: string;
}

/** Whether the live read model says the same as a fresh replay of the log up to the same position. */
export interface VerificationOutcome {
  readonly projection: string;
  readonly position: Position | undefined;
  readonly live: string;
  readonly replayed: string;
  readonly equal: boolean;
}

export interface ProjectorParts {
  /** Which projections it keeps; default: all. */
  readonly groups?: readonly ProjectionGroup[];
  /** Of whose telemetry; default: of all Grids. */
  readonly scope?: ShardScope;
  readonly events: EventReader;
  /** This projector is its only writer. */
  readonly store: ReadModelStore;
  /** An empty store for one verification; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly onProjected?: (projected: CommitReport) => void;
  /** Told how many events are parked: at the start, and when it may have changed. */
  readonly onDeadLetterCount?: (count: number) => void;
  /** Told when another projector has taken over a group of projections: this one writes it no more. */
  readonly onFenced?: () => void;
  /** What events the process before died of; default: not known. */
  readonly journal?: PoisonEventJournal;
  readonly scheduler?: SchedulerLike;
  readonly pace?: PollingIntervals;
  /** See RunnerParts. */
  readonly markEveryMs?: number;
  /** How long a digest waits for a moment in which nothing moves (ms). */
  readonly patienceMs?: number;
  /** How long queries that began before a swap may still read the former version (ms). */
  readonly graceMs?: number;
  /** Spans that are recognised by identity alone; for tests. */
  readonly spanHorizon?: number;
}

/** What one commit of the projector amounted to. Plain data. */
export interface CommitReport {
  /** Group of projections that committed: `access` or `telemetry`. */
  readonly group: string;
  /** The share of Grids that it was about; absent: all Grids. */
  readonly share?: number;
  readonly position: Position;
  /** Accepted records of the commit's requests, repeated requests included: they leave the backlog too. */
  readonly records: Readonly<Record<Signal, number>>;
  /** Events that it passed by because they cannot be projected. */
  readonly parked: number;
  /** Milliseconds since the oldest of its requests arrived; absent where it had none. */
  readonly lagMs?: number;
  /** Milliseconds of work that it took. */
  readonly busyMs: number;
}

/** `now` in ms since 1970. */
export function toCommitReport(group: string, { events, position, busyMs, parked }: Commit, now: number): CommitReport {
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
  return { group, position, records, parked, busyMs, ...lag };
}
