import assert from 'node:assert/strict';
import { isRejection } from '../../../src/commands/decider.js';
import { eventCountDecider, type RecordEventCounts } from '../../../src/commands/slos/event-count-decider.js';
import {
  slosDecider,
  type SloCommand,
  type SlosEvent,
  type SlosState,
} from '../../../src/commands/slos/slo-decider.js';
import { validateSlo, type NewSlo } from '../../../src/commands/slos/slo-validation.js';
import { SLO_BOUNDS, type Indicator } from '../../../src/diagnostics/slos/slo-model.js';
import type { SloEventsCounted } from '../../../src/streams/events/slo-events.js';

const INDICATOR: Indicator = {
  ...{ type: 'availability', serviceName: 'checkout', operation: '', thresholdMs: 0 },
  ...{ signal: '', good: '', all: '' },
};
const NEW: NewSlo = {
  ...{ name: 'Available', indicator: INDICATOR, objective: 99.9, windowDays: 28, calendar: false, alerts: true },
};
const BASE = { actor: 'owner', at: 7, gridId: 'g', sloId: 's1' };
const CREATED: SlosEvent = {
  type: 'SloCreated.v2',
  data: { actor: 'owner', at: 1, gridId: 'g', slo: { id: 's1', ...NEW } },
};
const state = (...events: SlosEvent[]): SlosState => slosDecider.evolveAll!(new Map(), events);
const decide = (command: SloCommand, of: SlosState) => slosDecider.decide(command, of);

describe('objectives of a Grid', () => {
  it('are created, changed and deleted; the same again changes nothing', () => {
    const { actor, at, gridId } = BASE;
    const slo = { id: 's1', ...NEW };
    assert.deepEqual(decide({ ...BASE, type: 'CreateSlo', slo: NEW }, state()), [
      { type: 'SloCreated.v2', data: { actor, at, gridId, slo } },
    ]);
    assert.deepEqual(decide({ ...BASE, type: 'ChangeSlo', slo: NEW }, state(CREATED)), []);
    assert.deepEqual(decide({ ...BASE, type: 'ChangeSlo', slo: { ...NEW, objective: 99 } }, state(CREATED)), [
      { type: 'SloChanged.v2', data: { actor, at, gridId, slo: { ...slo, objective: 99 } } },
    ]);
    assert.deepEqual(decide({ ...BASE, type: 'DeleteSlo' }, state(CREATED)), [
      { type: 'SloDeleted.v1', data: { actor, at, gridId, sloId: 's1' } },
    ]);
  });

  it('say that they exclude maintenance only if they do', () => {
    const { actor, at, gridId } = BASE;
    const excluding = { ...NEW, excludesMaintenance: true };
    assert.deepEqual(
      decide({ ...BASE, type: 'ChangeSlo', slo: { ...NEW, excludesMaintenance: false } }, state(CREATED)),
      [],
    );
    assert.deepEqual(decide({ ...BASE, type: 'ChangeSlo', slo: excluding }, state(CREATED)), [
      { type: 'SloChanged.v2', data: { actor, at, gridId, slo: { id: 's1', ...excluding } } },
    ]);
  });

  it('are refused if unknown, too many, changed meanwhile, or in a Grid that does not exist', () => {
    const code = (decision: ReturnType<typeof decide>) => isRejection(decision) && decision.rejected;
    assert.equal(code(decide({ ...BASE, type: 'DeleteSlo' }, state())), 'not-found');
    assert.equal(code(decide({ ...BASE, type: 'CreateSlo', slo: NEW }, undefined)), 'not-found');
    assert.equal(code(decide({ ...BASE, type: 'CreateSlo', slo: NEW }, state(CREATED))), 'conflict');
    assert.equal(
      code(decide({ ...BASE, type: 'DeleteSlo', onlyIf: () => false }, state(CREATED))),
      'precondition-failed',
    );
    const full = Array.from({ length: SLO_BOUNDS.slosOfAGrid }, (_, i): SlosEvent => {
      const slo = { id: `n${i}`, ...NEW };
      return { type: 'SloCreated.v2', data: { actor: 'owner', at: 1, gridId: 'g', slo } };
    });
    assert.equal(code(decide({ ...BASE, type: 'CreateSlo', slo: NEW }, state(...full))), 'conflict');
  });

  it('name every field that is wrong', () => {
    const fieldsOf = (slo: object): string[] => validateSlo({ ...NEW, ...slo }).map(({ field }) => field);
    const indicatorOf = (indicator: object): string[] => fieldsOf({ indicator: { ...INDICATOR, ...indicator } });
    assert.deepEqual(fieldsOf({}), []);
    assert.deepEqual(fieldsOf({ name: ' ', objective: 100, windowDays: 29, calendar: 'no', alerts: 1 }), [
      ...['name', 'objective', 'windowDays', 'calendar', 'alerts'],
    ]);
    for (const objective of [0, -1, 101, NaN, '99']) assert.deepEqual(fieldsOf({ objective }), ['objective']);
    assert.deepEqual(fieldsOf({ calendar: true }), ['calendar']);
    assert.deepEqual(fieldsOf({ calendar: true, windowDays: 7 }), []);
    assert.deepEqual(indicatorOf({ type: 'saturation' }), ['indicator.type']);
    assert.deepEqual(indicatorOf({ serviceName: '' }), ['indicator.serviceName']);
    assert.deepEqual(indicatorOf({ thresholdMs: 5, good: 'x' }), ['indicator.thresholdMs', 'indicator.good']);
    assert.deepEqual(indicatorOf({ type: 'latency' }), ['indicator.thresholdMs']);
    assert.deepEqual(indicatorOf({ type: 'latency', thresholdMs: -1 }), ['indicator.thresholdMs']);
    assert.deepEqual(indicatorOf({ type: 'latency', thresholdMs: 0.5 }), []);
    assert.deepEqual(indicatorOf({ type: 'query' }), [
      ...['indicator.signal', 'indicator.good', 'indicator.serviceName'],
    ]);
    assert.deepEqual(indicatorOf({ type: 'query', serviceName: '', signal: 'metrics', good: 'a = b' }), [
      'indicator.signal',
    ]);
  });
});

describe('record of counted events', () => {
  const command = (after: number, through: number, definedAt = 1): RecordEventCounts => ({
    ...{ type: 'RecordEventCounts', gridId: 'g', sloId: 's1', definedAt, after, through, hours: [], at: 5 },
  });
  const counted = (after: number, through: number, definedAt = 1): SloEventsCounted => {
    const { type: _, ...data } = command(after, through, definedAt);
    return { type: 'SloEventsCounted.v2', data };
  };
  const after = (...events: SloEventsCounted[]) => eventCountDecider.evolveAll!(new Map(), events);

  it('takes what follows the last one, once', () => {
    assert.deepEqual(eventCountDecider.decide(command(-1, 10), after()), [counted(-1, 10)]);
    assert.deepEqual(eventCountDecider.decide(command(-1, 12), after(counted(-1, 10))), []);
    assert.deepEqual(eventCountDecider.decide(command(10, 12), after(counted(-1, 10))), [counted(10, 12)]);
    assert.deepEqual(eventCountDecider.decide(command(10, 10), after(counted(-1, 10))), []);
  });

  it('starts anew for another indicator', () => {
    assert.deepEqual(eventCountDecider.decide(command(-1, 12, 2), after(counted(-1, 10))), [counted(-1, 12, 2)]);
    assert.deepEqual(eventCountDecider.decide(command(10, 12, 2), after(counted(-1, 10))), []);
    // A process that still counts the former indicator cannot stop the record of the new one.
    assert.deepEqual(eventCountDecider.decide(command(-1, 12, 1), after(counted(-1, 10, 2))), []);
  });
});
