import type { Position } from '../../streams/event-store.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Collection } from '../read-model-store.js';

/** An event that a projection could not fold and skipped; it awaits an operator. */
export interface DeadLetterDocument {
  readonly position: Position;
  /** Name of the projection group that failed on it. */
  readonly projection: string;
  /** Projections whose read models miss it; absent in documents of older versions: all of the group. */
  readonly lacking?: readonly string[];
  /** Checkpoint of the run before the event: the position to read on from. Absent in documents of older versions. */
  readonly after?: Position;
  /** Absent if the event cannot be read any more. */
  readonly type?: string;
  readonly stream?: string;
  readonly revision?: number;
  /** What an export request contains; absent for other events, and if the event cannot be read. */
  readonly records?: DeadLetterRecords;
  readonly error: string;
  /** The stored bytes differ from those that were appended, so no program can project it. */
  readonly damaged?: true;
  /** Folding it crashed the process repeatedly. */
  readonly fatal?: true;
  /** Log time of the event, ms since 1970; absent if it cannot be read any more. */
  readonly at?: number;
}

/** Records of an export request. */
export interface DeadLetterRecords {
  readonly gridId: string;
  readonly signal: Signal;
  readonly accepted: number;
  readonly rejected: number;
}

/**
 * Events that a run of projections has skipped. `run`: `live` for those that the live read models miss, or the name of
 * a rebuild.
 */
export function deadLetterCollection(run: string): Collection<DeadLetterDocument> {
  return { name: run === 'live' ? 'parked-events' : `parked-events.${run}`, indexes: [['projection']] };
}

export const LIVE_DEAD_LETTERS = deadLetterCollection('live');

export function deadLetterId({ projection, position }: Pick<DeadLetterDocument, 'projection' | 'position'>): string {
  return `${projection}/${position}`;
}
