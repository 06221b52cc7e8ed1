import type { Observable, SchedulerLike } from 'rxjs';
import type { Logger } from '../../self-telemetry/logger.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { EventReader, Position, RecordedEvent } from '../../streams/event-store.js';
import type { PoisonEventJournal } from './crash-loop-guard.js';
import type { PollingIntervals } from './polling-loop.js';
import type { DeadLetterQueue } from './dead-letter-queue.js';

/** How a run ended. */
export type RunOutcome =
  /** `stop` was called. */
  | { readonly kind: 'stopped'; readonly position: Position | undefined }
  /** Everything up to `until` is folded. */
  | { readonly kind: 'reached'; readonly position: Position | undefined }
  /** Another projector moved the checkpoint: this one MUST NOT write any more. */
  | { readonly kind: 'fenced'; readonly found: Position | undefined };

export interface Commit {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  /** Events that were moved to the dead-letter queue. */
  readonly deadLetters: number;
  /** Time (ms) spent on reading, folding and committing since the last commit; pauses do not count. */
  readonly busyMs: number;
}

export interface ProjectionRunnerParts {
  readonly events: EventReader;
  readonly store: ReadModelStore;
  readonly log: Logger;
  /** Each emission means that the log may have grown. */
  readonly hints: Observable<unknown>;
  /** Called after every commit, including commits of dead letters. MUST NOT throw. */
  readonly onCommit?: (commit: Commit) => void;
  /** The run ends when everything up to this position is folded; absent: it never ends by itself. */
  readonly until?: Position;
  readonly pollingIntervals?: PollingIntervals;
  /**
   * If no event concerns the run for this long (ms), its checkpoints advance all the same, so that a successor need not
   * read the skipped part of the log again. Absent: never.
   */
  readonly idleCheckpointIntervalMs?: number;
  readonly scheduler?: SchedulerLike;
  /** Awaited before each read and each batch: lets more important runs go first. */
  readonly yieldToOthers?: () => Promise<void>;
  /** Default: attempts are not recorded. */
  readonly journal?: PoisonEventJournal;
  readonly deadLetterQueue?: DeadLetterQueue;
  /** Delay (ms) before the attempt after which an event would be condemned (see CrashLoopGuard). */
  readonly suspectRetryDelayMs?: number;
  /** Position that the memory of the fold reflects already; ignored if the stored checkpoint is another one. */
  readonly foldPosition?: Position;
}
