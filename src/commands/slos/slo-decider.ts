import { SLO_BOUNDS, type Indicator, type Slo } from '../../diagnostics/slos/slo-model.js';
import type { FieldError } from '../../errors.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import type { SloEvent, StoredSlo } from '../../streams/events/slo-events.js';
import { type Decider, type Decision, type Precondition, reject, rejectChangedMeanwhile } from '../decider.js';
import { validateSlo, type NewSlo } from './slo-validation.js';

/** An objective with the times at which it was created and last changed, ms since 1970. */
export interface DatedSlo extends Slo {
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface SloCommandBase extends Authored {
  readonly gridId: string;
  readonly sloId: string;
  /** Condition on the objective to replace or delete. */
  readonly onlyIf?: Precondition<DatedSlo> | undefined;
}

export type SloCommand =
  | (SloCommandBase & { readonly type: 'CreateSlo' | 'ChangeSlo'; readonly slo: NewSlo })
  | (SloCommandBase & { readonly type: 'DeleteSlo' });

/** Events of a Grid's stream that the decider handles. */
export type SlosEvent = Extract<GridEvent, { readonly type: 'GridCreated.v1' }> | SloEvent;

/** Objectives by id; undefined before the Grid exists. */
export type SlosState = ReadonlyMap<string, DatedSlo> | undefined;

/** Service level objectives of a Grid, in the stream of its other settings. */
export const slosDecider: Decider<SloCommand, SlosState, SlosEvent> = {
  eventTypes: new Set<SlosEvent['type']>(['GridCreated.v1', 'SloCreated.v2', 'SloChanged.v2', 'SloDeleted.v1']),
  initialState: undefined,
  decide,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
};

function evolveAll(state: SlosState, events: readonly SlosEvent[]): SlosState {
  const slos = new Map(state);
  for (const { type, data } of events) {
    if (type === 'SloDeleted.v1') slos.delete(data.sloId);
    else if (type !== 'GridCreated.v1') {
      const { slo, at } = data;
      // Commands validate objectives before they reach the log.
      slos.set(slo.id, { ...(slo as Slo), createdAt: slos.get(slo.id)?.createdAt ?? at, updatedAt: at });
    }
  }
  return slos;
}

function decide(command: SloCommand, slos: SlosState): Decision<SlosEvent> {
  if (slos === undefined) return reject('not-found', 'There is no such Grid.');
  const { actor, at, gridId, sloId } = command;
  const before = slos.get(sloId);
  if (command.type === 'CreateSlo') return createSlo(command, slos);
  if (before === undefined) return reject('not-found', 'The Grid has no objective with this id.');
  if (command.onlyIf?.(before) === false) return rejectChangedMeanwhile('objective');
  if (command.type === 'DeleteSlo') return [{ type: 'SloDeleted.v1', data: { actor, at, gridId, sloId } }];
  const errors = validateSlo(command.slo);
  if (errors.length > 0) return rejectInvalid(errors);
  const slo = toStoredSlo(sloId, command.slo);
  return JSON.stringify(slo) === JSON.stringify(toStoredSlo(sloId, before))
    ? []
    : [{ type: 'SloChanged.v2', data: { actor, at, gridId, slo } }];
}

function createSlo(
  { actor, at, gridId, sloId, slo }: Extract<SloCommand, { readonly slo: NewSlo }>,
  slos: NonNullable<SlosState>,
): Decision<SlosEvent> {
  const errors = validateSlo(slo);
  if (errors.length > 0) return rejectInvalid(errors);
  if (slos.has(sloId)) return reject('conflict', 'An objective with this id already exists.');
  if (slos.size >= SLO_BOUNDS.slosOfAGrid)
    return reject('conflict', `A Grid can have at most ${SLO_BOUNDS.slosOfAGrid} objectives: delete one first.`);
  return [{ type: 'SloCreated.v2', data: { actor, at, gridId, slo: toStoredSlo(sloId, slo) } }];
}

/** Copies the stored members; drops any others that were sent. */
function toStoredSlo(id: string, slo: NewSlo): StoredSlo {
  const { name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance = false } = slo;
  return {
    ...{ id, name, indicator: toStoredIndicator(indicator), objective, windowDays, calendar, alerts },
    ...(excludesMaintenance && { excludesMaintenance }),
  };
}

function toStoredIndicator({ type, serviceName, operation, thresholdMs, signal, good, all }: Indicator): Indicator {
  return { type, serviceName, operation, thresholdMs, signal, good, all };
}

function rejectInvalid(errors: readonly FieldError[]): Decision<SlosEvent> {
  return reject('invalid-request', 'The objective is invalid.', errors);
}
