import type { Position } from '../../streams/event-store.js';
import type { Collection } from '../read-model-store.js';

/** An event that a projection could not digest; it was passed by and awaits an operator. */
export interface DeadLetterDocument {
  readonly position: Position;
  /** The group of projections that failed on it. */
  readonly projection: string;
  /** Projections whose read model lacks it; absent in documents of older programs: all of the group. */
  readonly lacking?: readonly string[];
  /** Checkpoint of the run before it: the place to read on from. Absent in documents of older programs. */
  readonly after?: Position;
  /** Absent where the event cannot be read any more. */
  readonly type?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly error: string;
  /** Folding it has ended the process more than once. */
  readonly fatal?: true;
  /** Log time of the event, ms since 1970; absent where it cannot be read any more. */
  readonly at?: number;
}

/**
 * Events that a run of projections has passed by. `run` names the run: `live` for those that the read models in use lack,
 * or that of a rebuild.
 */
export function deadLetterCollection(run: string): Collection<DeadLetterDocument> {
  return { name: run === 'live' ? 'parked-events' : `parked-events.${run}`, indexes: [['projection']] };
}

export const LIVE_DEAD_LETTERS = deadLetterCollection('live');

export function deadLetterId({ projection, position }: Pick<DeadLetterDocument, 'projection' | 'position'>): string {
  return `${projection}/${position}`;
}
