import type { GridCommands } from '../commands/grids/grid-commands.js';
import type { Health } from '../component.js';
import type { AdministrationQueries } from '../queries/administration/administration-query-types.js';
import type { DeadLetter } from '../projections/engine/dead-letter-queue.js';
import type { ImportResult } from './incident-files/incident-import.js';
import type { Rebuilt, Retried, RetryOptions, Tried, Verified } from '../projections/engine/projector.js';
import type { Progress } from '../projections/engine/projection-replay.js';

export type { DeadLetter as ParkedEvent, Progress, Rebuilt, Retried, Tried, Verified };

/** Grids, members, keys and the audit; nobody's role is asked for. What a command did shows in the next answer. */
export interface AdministrativeOperations extends GridCommands, AdministrationQueries {}

/** How a slice becomes a Grid. */
export interface IncidentImportRequest {
  /** Absent: as it was called. */
  readonly name?: string;
  /** Id of the user who becomes its Owner. */
  readonly owner: string;
  readonly actor: string;
  /** Whether an API key is issued, so that more can be sent to it. */
  readonly withKey: boolean;
}

export interface ImportedGrid extends ImportResult {
  /** Shown this once. */
  readonly apiKey?: string;
}

/**
 * What an operator can have done, by a running service or on its folder. Methods take and answer plain data, for they may
 * cross a socket; a last argument that is a function hears of progress.
 */
export interface Operations extends AdministrativeOperations {
  /** Names of the projections that can be replayed. */
  projections(): Promise<readonly string[]>;
  /** Of what other processes keep: who, in a sentence for people. Undefined where `projections` names all that there are. */
  elsewhere(): Promise<string | undefined>;
  /** Builds the projection anew beside the old one and swaps. */
  replay(projection: string, onProgress: (progress: Progress) => void): Promise<Rebuilt>;
  /** Compares the read model in use with a fresh replay of the log. */
  verify(projection: string): Promise<Verified>;
  /** Events that could not be projected and were passed by, in the order of the log. */
  parked(): Promise<readonly DeadLetter[]>;
  /** Tries them again, and rebuilds what lacks one that folds now. */
  retryParked(options: RetryOptions, onProgress: (progress: Progress) => void): Promise<Retried>;
  /** Makes a new Grid of the slice in a file of this machine; the path must be absolute. Progress is in bytes. */
  importSlice(
    file: string,
    request: IncidentImportRequest,
    onProgress: (progress: Pick<Progress, 'done' | 'total'>) => void,
  ): Promise<ImportedGrid>;
}

/** A service that runs can also say how it is. */
export interface ServiceOperations extends Operations {
  /** One entry a component, as at `/ready`. */
  readiness(): Promise<Readonly<Record<string, Health>>>;
}

/** Stores that no service of this data folder works on, ready to be operated on. */
export interface OfflineOperations extends Operations {
  close(): Promise<void>;
}
