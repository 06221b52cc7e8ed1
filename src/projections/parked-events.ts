import { eq } from '../read-models/filter.js';
import { PARKED_EVENTS, parkedEventId, parkedEvents, type ParkedEventDocument } from '../read-models/parked-events.js';
import type { Change, Collection, ReadModelReader } from '../read-models/store.js';
import type { Position } from '../streams/event-store.js';
import type { ProjectionGroup } from './groups.js';
import { putParked, type Parking } from './parking.js';
import type { Projection } from './projection.js';

/** An event that was passed by, as operators see it. Plain data. */
export type ParkedEvent = ParkedEventDocument & { readonly lacking: readonly string[] };

/** All that read models in use lack, in the order of the log. */
export async function listParked(groups: readonly ProjectionGroup[], store: ReadModelReader): Promise<ParkedEvent[]> {
  const found = await store.find(PARKED_EVENTS, {});
  const events = found.map(({ document }) => ({ ...document, lacking: document.lacking ?? namesOf(groups.find(({ name }) => name === document.projection)) }));
  return events.sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Positions of the group's parked events that are known to end the process. */
export async function fatalEvents({ name }: ProjectionGroup, store: ReadModelReader): Promise<ReadonlySet<Position>> {
  const found = await store.find(PARKED_EVENTS, { filter: eq('projection', name) });
  return new Set(found.filter(({ document }) => document.fatal === true).map(({ document }) => document.position));
}

/** How a run of these projections of the group parks. */
export function parkingOf(group: ProjectionGroup, run: readonly string[], collection: Collection<ParkedEventDocument>, fatal?: ReadonlySet<Position>): Parking {
  return {
    collection,
    lacking: (type) => {
      const concerned = (type === undefined ? undefined : group.concerned?.(type)) ?? group.projections;
      const names = concerned.map(({ name }) => name).filter((name) => run.includes(name));
      return names.length > 0 ? names : run;
    },
    isFatal: (position) => fatal?.has(position) ?? false,
  };
}

/**
 * What a swap changes: the projection lacks what its rebuild passed by and nothing else. An event that no projection lacks
 * any more is not parked any more.
 */
export async function parkedAtSwap({ name }: Projection, group: ProjectionGroup, owner: string, store: ReadModelReader): Promise<Change[]> {
  const live = await store.find(PARKED_EVENTS, { filter: eq('projection', group.name) });
  const built = new Map((await store.find(parkedEvents(owner), {})).map(({ document }) => [document.position, document]));
  const changes = live.map(({ document }): Change => {
    const again = built.get(document.position);
    built.delete(document.position);
    const others = (document.lacking ?? namesOf(group)).filter((each) => each !== name);
    const lacking = again === undefined ? others : [...others, name];
    if (lacking.length > 0) return putParked(PARKED_EVENTS, { ...document, ...again, lacking });
    return { kind: 'delete', collection: PARKED_EVENTS, id: parkedEventId(document) };
  });
  return [...changes, ...[...built.values()].map((document) => putParked(PARKED_EVENTS, { ...document, lacking: [name] }))];
}

function namesOf(group: ProjectionGroup | undefined): string[] {
  return group?.projections.map(({ name }) => name) ?? [];
}
