import { MAX_LIMIT, INITIAL_LIMITS, type GridLimits } from '../../accounting/usage-limits.js';
import type { FieldError } from '../../errors.js';
import type { LimitsUpdated } from '../../streams/events/assistant-events.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import { reject, type Decider, type Decision } from '../decider.js';
import { toFieldErrors, checkWholeNumber } from '../field-validation.js';

export interface UpdateLimits extends Authored {
  readonly type: 'UpdateLimits';
  readonly gridId: string;
  readonly changes: Partial<GridLimits>;
}

type GridCreated = Extract<GridEvent, { readonly type: 'GridCreated.v1' }>;
export type LimitsEvent = GridCreated | LimitsUpdated;

/** Undefined until the Grid is created. */
export type LimitsState = GridLimits | undefined;

const eventTypes: ReadonlySet<string> = new Set<LimitsEvent['type']>(['GridCreated.v1', 'LimitsUpdated.v1']);
const LIMIT_NAMES = Object.keys(INITIAL_LIMITS) as readonly (keyof GridLimits)[];

/**
 * The limits of a Grid, in the stream of its other settings. Who sets a limit to what it is already has set it all the same:
 * the answer and the audit tell who confirmed it, and when.
 */
export const limitsDecider: Decider<UpdateLimits, LimitsState, LimitsEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolve,
};

function decide({ actor, at, gridId, changes }: UpdateLimits, limits: LimitsState): Decision<LimitsEvent> {
  if (limits === undefined) return reject('not-found', 'There is no such Grid.');
  const faults = validateLimits(changes);
  if (faults.length > 0) return reject('invalid-request', 'The limits have faults.', faults);
  return [{ type: 'LimitsUpdated.v1', data: { actor, at, gridId, changes: selectLimits(changes) } }];
}

/** All faults at once. Takes anything for a limit: what was sent need not have the types that it claims. */
export function validateLimits(changes: Partial<GridLimits>): FieldError[] {
  const limits = selectLimits(changes);
  if (Object.keys(limits).length === 0)
    return LIMIT_NAMES.flatMap((name) => toFieldErrors(name, 'must be given where no other limit is'));
  return Object.entries(limits).flatMap(([name, limit]) =>
    toFieldErrors(name, checkWholeNumber(limit, { min: 0, max: MAX_LIMIT })),
  );
}

/** Nothing but limits gets into the log. */
function selectLimits(changes: Partial<GridLimits>): Partial<GridLimits> {
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]),
  );
}

function evolve(limits: LimitsState, event: LimitsEvent): LimitsState {
  switch (event.type) {
    case 'GridCreated.v1':
      return INITIAL_LIMITS;
    case 'LimitsUpdated.v1':
      return { ...(limits ?? INITIAL_LIMITS), ...event.data.changes };
    default:
      return throwUnknownEvent(event);
  }
}

function throwUnknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}
