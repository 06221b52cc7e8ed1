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

/** Undefined before the Grid exists. */
export type LimitsState = GridLimits | undefined;

const eventTypes: ReadonlySet<string> = new Set<LimitsEvent['type']>(['GridCreated.v1', 'LimitsUpdated.v1']);
const LIMIT_NAMES = Object.keys(INITIAL_LIMITS) as readonly (keyof GridLimits)[];

/**
 * Limits of a Grid, in the stream of its other settings. Setting a limit to its current value is also recorded: the
 * result and the audit log say who confirmed it and when.
 */
export const limitsDecider: Decider<UpdateLimits, LimitsState, LimitsEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolve,
};

function decide({ actor, at, gridId, changes }: UpdateLimits, limits: LimitsState): Decision<LimitsEvent> {
  if (limits === undefined) return reject('not-found', 'There is no such Grid.');
  const errors = validateLimits(changes);
  if (errors.length > 0) return reject('invalid-request', 'The limits are invalid.', errors);
  return [{ type: 'LimitsUpdated.v1', data: { actor, at, gridId, changes: selectLimits(changes) } }];
}

/** All field errors. Accepts values of any type, because input is not typed at run time. */
export function validateLimits(changes: Partial<GridLimits>): FieldError[] {
  const limits = selectLimits(changes);
  if (Object.keys(limits).length === 0)
    return LIMIT_NAMES.flatMap((name) => toFieldErrors(name, 'is required if no other limit is given'));
  return Object.entries(limits).flatMap(([name, limit]) =>
    toFieldErrors(name, checkWholeNumber(limit, { min: 0, max: MAX_LIMIT })),
  );
}

/** Drops anything but limits, so that events contain nothing else. */
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
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}
