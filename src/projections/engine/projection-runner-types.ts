import type { Observable, SchedulerLike } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, Position, RecordedEvent } from '../../streams/event-store.js';
import type { PoisonEventJournal } from './crash-loop-guard.js';
import type { PollingIntervals } from './polling-loop.js';
import type { DeadLetterQueue } from './dead-letter-queue.js';

/** How a run ended. */
export type RunOutcome =
  /** It was asked to. */
  | { readonly kind: 'stopped'; readonly position: Position | undefined }
  /** Everything up to `until` is folded. */
  | { readonly kind: 'reached'; readonly position: Position | undefined }
  /** Another projector has moved the checkpoint: this one MUST NOT write any more. */
  | { readonly kind: 'fenced'; readonly found: Position | undefined };

export interface Commit {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  /** Events of it that were passed by. */
  readonly parked: number;
  /** Time (ms) that reading, folding and committing took since the last commit; pauses do not count. */
  readonly busyMs: number;
}

export interface ProjectionRunnerParts {
  readonly events: EventReader;
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Each emission means that the log may have grown. */
  readonly hints: Observable<unknown>;
  /** Told after every commit, parked events included. MUST NOT throw. */
  readonly onCommit?: (commit: Commit) => void;
  /** Ends the run when everything up to here is folded; absent: never. */
  readonly until?: Position;
  readonly pace?: PollingIntervals;
  /**
   * Where nothing concerns the run for so long (ms), its checkpoints move on all the same, so that another process that goes
   * on from them need not read what was read. Absent: never.
   */
  readonly markEveryMs?: number;
  readonly scheduler?: SchedulerLike;
  /** Awaited before each read and each portion: lets runs go first that matter more. */
  readonly yieldToOthers?: () => Promise<void>;
  /** Default: no note of what is tried. */
  readonly journal?: PoisonEventJournal;
  readonly deadLetterQueue?: DeadLetterQueue;
  /** How long (ms) an event waits that one death more condemns (`Caution`). */
  readonly calmMs?: number;
  /** The fold stands at this checkpoint already, where that is still the one in the store. */
  readonly standsAt?: Position;
}
