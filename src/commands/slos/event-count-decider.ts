import type { SloEventsCounted } from '../../streams/events/slo-events.js';
import type { Decider, Decision } from '../decider.js';

/** Records the events of an objective in telemetry that no record includes yet. */
export type RecordEventCounts = { readonly type: 'RecordEventCounts' } & SloEventsCounted['data'];

/** Of each objective, which indicator was counted and through which revision. */
export type EventCountState = ReadonlyMap<string, { readonly definedAt: number; readonly through: number }>;

/**
 * What was counted for the objectives of a Grid. Two processes may count the same telemetry: what follows a revision is
 * recorded once.
 */
export const eventCountDecider: Decider<RecordEventCounts, EventCountState, SloEventsCounted> = {
  eventTypes: new Set<SloEventsCounted['type']>(['SloEventsCounted.v2']),
  initialState: new Map(),
  decide,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
};

/** A new indicator is counted from the first telemetry on; a process that still counts the former one is late. */
function decide({ type: _, ...data }: RecordEventCounts, state: EventCountState): Decision<SloEventsCounted> {
  const known = state.get(data.sloId);
  if (known !== undefined && data.definedAt < known.definedAt) return [];
  const through = known?.definedAt === data.definedAt ? known.through : -1;
  return data.after === through && data.through > through ? [{ type: 'SloEventsCounted.v2', data }] : [];
}

function evolveAll(state: EventCountState, events: readonly SloEventsCounted[]): EventCountState {
  const counted = new Map(state);
  for (const { data } of events) counted.set(data.sloId, { definedAt: data.definedAt, through: data.through });
  return counted;
}
