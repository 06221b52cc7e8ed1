import assert from 'node:assert/strict';
import {
  alertsDecider,
  type AlertObservation,
  type ObserveAlerts,
} from '../../../../src/commands/alerts/alert-decider.js';
import type { Severity } from '../../../../src/diagnostics/diagnostic-results.js';
import type { AlertEvent } from '../../../../src/streams/events/alert-events.js';
import { specify } from '../given.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const AT = 1_700_000_000_000;
const { given } = specify(alertsDecider);

function breach(severity: Severity = 'warning', serviceName = 'shop', ruleId = 'r1'): AlertObservation {
  return {
    kind: 'breached',
    ruleId,
    ruleName: 'High error rate',
    serviceName,
    condition: 'error_rate > 5%',
    severity,
    value: 7.5,
  };
}

function over(
  alertId: string,
  reason: Extract<AlertObservation, { kind: 'over' }>['reason'] = 'cleared',
): AlertObservation {
  return { kind: 'over', alertId, reason };
}

function observe(at: number, ...findings: AlertObservation[]): ObserveAlerts {
  return { type: 'Observe', gridId, at, findings };
}

/** As the decider itself says it. */
function events(at: number, finding: AlertObservation, ...before: readonly AlertEvent[]): readonly AlertEvent[] {
  const state = before.reduce(alertsDecider.evolve, alertsDecider.initialState);
  return alertsDecider.decide(observe(at, finding), state) as readonly AlertEvent[];
}

const [fired] = events(AT, breach());
assert.equal(fired.type, 'AlertFired.v2');
const { alertId } = fired.data;
const [resolved] = events(AT + 10, over(alertId), fired);

describe('alerts: decider', () => {
  it('fires an alert with all details', () => {
    given()
      .when(observe(AT, breach()))
      .then({
        type: 'AlertFired.v2',
        data: {
          gridId,
          alertId,
          ruleId: 'r1',
          ruleName: 'High error rate',
          serviceName: 'shop',
          condition: 'error_rate > 5%',
          severity: 'warning',
          value: 7.5,
          at: AT,
        },
      });
  });
  it('fires once per rule and service', () => {
    given(fired)
      .when(observe(AT + 5, breach()))
      .then();
    given()
      .when(observe(AT, breach(), breach()))
      .then(fired);
    given(fired)
      .when(observe(AT, breach('warning', 'cart'), breach('warning', 'shop', 'r2')))
      .then(...events(AT, breach('warning', 'cart')), ...events(AT, breach('warning', 'shop', 'r2')));
  });
  it('fires once for each group of a rule, with its labels', () => {
    const gold = { ...breach(), labels: { tier: 'gold' } };
    const free = { ...breach(), labels: { tier: 'free' } };
    const [firedGold] = events(AT, gold, fired);
    assert.deepEqual(firedGold.type === 'AlertFired.v2' && firedGold.data.labels, { tier: 'gold' });
    assert.notEqual(firedGold.data.alertId, alertId);
    given(fired, firedGold)
      .when(observe(AT + 1, gold))
      .then();
    const [firedFree] = events(AT + 1, free, fired, firedGold);
    assert.deepEqual(firedFree.type === 'AlertFired.v2' && firedFree.data.labels, { tier: 'free' });
  });

  it('escalates, but never de-escalates', () => {
    const escalated: AlertEvent = {
      type: 'AlertSeverityChanged.v1',
      data: { gridId, alertId, severity: 'critical', value: 7.5, at: AT + 5 },
    };
    given(fired)
      .when(observe(AT + 5, breach('critical')))
      .then(escalated);
    for (const severity of ['info', 'warning', 'critical'] as const)
      given(fired, escalated)
        .when(observe(AT + 9, breach(severity)))
        .then();
  });
  it('fires and resolves a thousand alerts at once', () => {
    const fireAndEnd = (count: number): void => {
      const firing = alertsDecider.decide(
        observe(AT, ...Array.from({ length: count }, (_, i) => breach('warning', `service-${i}`))),
        alertsDecider.initialState,
      ) as readonly AlertEvent[];
      const state = alertsDecider.evolveAll!(alertsDecider.initialState, firing);
      const ending = alertsDecider.decide(
        observe(AT + 1, ...firing.map(({ data }) => over(data.alertId))),
        state,
      ) as readonly AlertEvent[];
      assert.deepEqual(
        [firing.length, ending.length, alertsDecider.evolveAll!(state, ending).open.size],
        [count, count, 0],
      );
    };
    fireAndEnd(1_000);
  });
  it('evolves event by event and all at once alike', () => {
    const all = [
      fired,
      ...events(AT + 5, breach('critical'), fired),
      ...events(AT + 6, breach('warning', 'cart'), fired),
      resolved,
    ];
    assert.deepEqual(
      alertsDecider.evolveAll!(alertsDecider.initialState, all),
      all.reduce(alertsDecider.evolve, alertsDecider.initialState),
    );
  });
  it('ends it for its reason, once', () => {
    for (const reason of ['cleared', 'rule-deleted', 'rule-disabled', 'rule-changed'] as const) {
      given(fired)
        .when(observe(AT + 10, over(alertId, reason), over(alertId)))
        .then({ type: 'AlertResolved.v1', data: { gridId, alertId, reason, at: AT + 10 } });
    }
    given(fired, resolved)
      .when(observe(AT + 20, over(alertId)))
      .then();
    given()
      .when(observe(AT, over('unknown')))
      .then();
  });
  it('fires again after its end, as another alert', () => {
    const [again] = events(AT + 20, breach(), fired, resolved);
    assert.ok(again.type === 'AlertFired.v2' && again.data.alertId !== alertId);
    given(fired, resolved, again)
      .when(observe(AT + 30, over(alertId)))
      .then();
  });
  it('ignores observations from before its end', () => {
    given(fired, resolved)
      .when(observe(AT + 9, breach()))
      .then();
    given(fired, resolved)
      .when(observe(AT + 9, breach('warning', 'cart')))
      .then(...events(AT + 9, breach('warning', 'cart')));
  });
  it('ends by the old rule and fires by the new one at once', () => {
    const renewed: AlertObservation = { ...breach(), condition: 'error_rate > 6%' } as AlertObservation;
    const [begun] = events(AT + 10, renewed, fired, resolved);
    given(fired)
      .when(observe(AT + 10, over(alertId, 'rule-changed'), renewed))
      .then({ type: 'AlertResolved.v1', data: { gridId, alertId, reason: 'rule-changed', at: AT + 10 } }, begun);
  });
  it('drops resolution times after an hour: its state does not grow with the stream', () => {
    const later = [fired, resolved, ...events(AT + 1, breach('warning', 'cart'))].concat({
      type: 'AlertResolved.v1',
      data: {
        gridId,
        alertId: events(AT + 1, breach('warning', 'cart'))[0].data.alertId,
        reason: 'cleared',
        at: AT + 4_000_000,
      },
    });
    const state = later.reduce(alertsDecider.evolve, alertsDecider.initialState);
    assert.deepEqual([state.open.size, [...state.resolved.values()]], [0, [AT + 4_000_000]]);
  });
});
