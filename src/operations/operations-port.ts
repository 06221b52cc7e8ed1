import type { GridCommands } from '../commands/grids/grid-commands.js';
import type { Health } from '../component.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import type { DeadLetter } from '../projections/engine/dead-letter-queue.js';
import type { WatermarkTakenBack, RetentionOperations, RetentionReport } from './retention-operations.js';
import type { RecordReport } from './record-report.js';
import type { ImportResult } from './incident-files/incident-import.js';
import type {
  DryRunOutcome,
  RebuildOutcome,
  RetryOptions,
  RetryOutcome,
  VerificationOutcome,
} from '../projections/engine/projector-types.js';
import type { Progress } from '../projections/engine/projection-replay.js';

export type {
  DeadLetter,
  DryRunOutcome,
  WatermarkTakenBack,
  Progress,
  RebuildOutcome,
  RecordReport,
  RetentionReport,
  RetryOutcome,
  VerificationOutcome,
};

export interface ReplayOptions {
  readonly acceptLoss?: boolean;
  /** Begins with the first event instead of where an unfinished rebuild stopped. */
  readonly fresh?: boolean;
}

/** Grids, members, API keys and the audit, without role checks. The effect of a command is visible to the next call. */
export interface AdministrativeOperations extends GridCommands, AdministrationQueries {}

/** How to create a Grid from an incident file. */
export interface IncidentImportRequest {
  /** Name of the new Grid; absent: that of the exported one. */
  readonly name?: string;
  /** Id of the user who becomes Owner. */
  readonly owner: string;
  readonly actor: string;
  /** Whether to issue an API key, so that the Grid accepts further telemetry. */
  readonly withKey: boolean;
}

export interface ImportedGrid extends ImportResult {
  /** The secret API key, which cannot be read again. */
  readonly apiKey?: string;
}

/**
 * Operator commands, run by a running service or directly on its data folder. Arguments and results are plain data, as
 * they may cross the control socket. A function as last argument receives progress.
 */
export interface Operations extends AdministrativeOperations, RetentionOperations {
  /** Names of the projections that this process owns. */
  projections(): Promise<readonly string[]>;
  /** Describes the shards that other processes own. Undefined when `projections` names all projections. */
  elsewhere(): Promise<string | undefined>;
  /**
   * Rebuilds the projection beside the one in use, then switches to it. Rejects with `conflict`, and changes nothing,
   * if that would lose damaged events that the one in use has and `acceptLoss` is not set.
   */
  replay(projection: string, options: ReplayOptions, onProgress: (progress: Progress) => void): Promise<RebuildOutcome>;
  /** Compares the read model in use with a fresh replay of the log. */
  verify(projection: string): Promise<VerificationOutcome>;
  /** Outcomes of all records in the event log, by Grid and signal. */
  records(): Promise<RecordReport>;
  /** Dead letters: events that could not be projected and were skipped, in log order. */
  listDeadLetters(): Promise<readonly DeadLetter[]>;
  /** Retries dead letters, and rebuilds projections that can fold one now. */
  retryDeadLetters(options: RetryOptions, onProgress: (progress: Progress) => void): Promise<RetryOutcome>;
  /** Creates a new Grid from an incident file on this machine; the path must be absolute. Progress is in bytes. */
  importSlice(
    file: string,
    request: IncidentImportRequest,
    onProgress: (progress: Pick<Progress, 'done' | 'total'>) => void,
  ): Promise<ImportedGrid>;
}

/** Operations of a running service. */
export interface ServiceOperations extends Operations {
  /** Health of each component, as at `/ready`. */
  readiness(): Promise<Readonly<Record<string, Health>>>;
}

/** Operations on the stores of a data folder without a running service. */
export interface OfflineOperations extends Operations {
  close(): Promise<void>;
}
