import { PARKED_EVENTS, parkedEventId, type ParkedEventDocument } from '../read-models/parked-events.js';
import type { Change, Collection } from '../read-models/store.js';
import type { DamagedEvent } from '../streams/damaged-event.js';
import { START, type Position, type RecordedEvent } from '../streams/event-store.js';

/** Where a run notes the events that it passes by. */
export interface Parking {
  readonly collection: Collection<ParkedEventDocument>;
  /** Projections of the run that lack an event of this type when it is passed by; undefined: it cannot be read. */
  lacking(type: string | undefined): readonly string[];
  /** Whether this event is known to end the process: it is passed by without a try. */
  isFatal(position: Position): boolean;
}

/** What a run knows of an event that it passes by. */
export interface Passed {
  readonly group: string;
  /** Checkpoint of the run. */
  readonly after: Position | undefined;
  readonly isFatal?: boolean;
}

/** For a run of its own: nothing is known before. */
export const PARKING: Parking = { collection: PARKED_EVENTS, lacking: () => [], isFatal: () => false };

/** An event whose fold fails, or ends the process. */
export function parkedEvent({ position, type, stream, revision, recordedAt: at }: RecordedEvent, error: string, { group, after, isFatal }: Passed, parking: Parking): ParkedEventDocument {
  const fatal = isFatal === true ? ({ fatal: true } as const) : {};
  return { position, projection: group, lacking: parking.lacking(type), after: after ?? START, type, stream, revision, error, at, ...fatal };
}

/** An event that the log cannot give. */
export function parkedDamage({ position, message: error }: DamagedEvent, { group, after }: Passed, parking: Parking): ParkedEventDocument {
  return { position, projection: group, lacking: parking.lacking(undefined), after: after ?? START, error };
}

export function putParked(collection: Collection<ParkedEventDocument>, document: ParkedEventDocument): Change {
  return { kind: 'put', collection, id: parkedEventId(document), document };
}
