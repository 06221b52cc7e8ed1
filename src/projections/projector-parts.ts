import type { SchedulerLike } from 'rxjs';
import type { Logger } from '../log.js';
import type { ReadModelStore } from '../read-models/store.js';
import type { EventReader, Position } from '../streams/event-store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import type { Attempts } from './attempts.js';
import type { ProjectionGroup } from './groups.js';
import type { Pace } from './pace.js';
import type { Projected } from './projected.js';
import type { Proof } from './proof.js';
import type { ShareScope } from './share-scope.js';

export interface Rebuilt extends Partial<Proof> {
  readonly projection: string;
  readonly events: number;
  readonly seconds: number;
  /** Where the read model stood when queries began to read it, and its digest there; undefined before the first event. */
  readonly position: Position | undefined;
  /** Events that it lacks because they could not be folded. */
  readonly parked: number;
}

/** Whether a parked event would fold now. */
export interface Tried {
  readonly position: Position;
  /** The group of projections. */
  readonly projection: string;
  readonly folds: boolean;
  /** Why not. */
  readonly error?: string;
}

/** What trying parked events again came to. */
export interface Retried {
  readonly tried: readonly Tried[];
  /** Projections that were built anew, because an event that they lack folds now. */
  readonly rebuilt: readonly Rebuilt[];
  /** Events that are still parked, of all projections. */
  readonly left: number;
}

export interface RetryOptions {
  /** Only what this projection lacks; absent: all. */
  readonly projection?: string;
  /** Also events that have ended the process: when one does so again, the next process passes it by. */
  readonly fatal?: boolean;
}

export interface Digest {
  readonly projection: string;
  /** Undefined before the first event. */
  readonly position: Position | undefined;
  readonly digest: string;
}

/** Whether the live read model says the same as a fresh replay of the log up to the same position. */
export interface Verified {
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
  readonly scope?: ShareScope;
  readonly events: EventReader;
  /** This projector is its only writer. */
  readonly store: ReadModelStore;
  /** An empty store for one verification; closed afterwards. */
  readonly scratch: () => ReadModelStore;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly onProjected?: (projected: Projected) => void;
  /** Told how many events are parked: at the start, and when it may have changed. */
  readonly onParked?: (count: number) => void;
  /** Told when another projector has taken over a group of projections: this one writes it no more. */
  readonly onFenced?: () => void;
  /** What events the process before died of; default: not known. */
  readonly attempts?: Attempts;
  readonly scheduler?: SchedulerLike;
  readonly pace?: Pace;
  /** See RunnerParts. */
  readonly markEveryMs?: number;
  /** How long a digest waits for a moment in which nothing moves (ms). */
  readonly patienceMs?: number;
  /** How long queries that began before a swap may still read the former version (ms). */
  readonly graceMs?: number;
  /** Spans that are recognised by identity alone; for tests. */
  readonly spanHorizon?: number;
}
