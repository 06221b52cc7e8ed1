import assert from 'node:assert/strict';
import { deriveDiagnosisChanges, NO_MEMORY, type DiagnosisMemory } from '../../../src/policies/diagnosis-alerts.js';
import type { NotifiedCause } from '../../../src/streams/events/notification-events.js';
import {
  alert,
  CAUSE,
  CHANNEL_ID,
  fired,
  GRID,
  MINUTE,
  Notifications,
  route,
  SECOND,
  settings,
  T0,
} from '../commands/notifications/given-notifications.js';

describe('alerts of a diagnosis alone', () => {
  let notifications: Notifications;
  let memory: DiagnosisMemory;
  beforeEach(() => {
    notifications = new Notifications();
    memory = NO_MEMORY;
  });
  const look = (at: number, causes: readonly NotifiedCause[]): string[] => {
    const routes = new Map([['route', route({ groupWaitSeconds: 0 })]]);
    const { state } = notifications;
    const result = deriveDiagnosisChanges({ gridId: GRID, at, causes, state, routes, memory });
    ({ memory } = result);
    const { through } = state;
    const { changes } = result;
    if (changes.length > 0)
      notifications.do({ type: 'RouteAlerts', gridId: GRID, at, after: through, through, changes });
    return changes.map(({ change }) => change);
  };
  const plan = (at: number) => notifications.plan(at, settings(route({ groupWaitSeconds: 0 })), [CAUSE]);

  it('fire once a critical cause has stayed, and end two minutes after it is gone', () => {
    assert.deepEqual(look(T0, [CAUSE]), []);
    assert.deepEqual(look(T0 + 10 * SECOND, [CAUSE]), []);
    assert.deepEqual(look(T0 + 15 * SECOND, [CAUSE]), ['fired']);
    assert.match(plan(T0 + 15 * SECOND)[0], new RegExp(`^firing ${CHANNEL_ID} `));
    assert.deepEqual(look(T0 + MINUTE, [CAUSE]), []);
    assert.deepEqual(look(T0 + 2 * MINUTE, [{ ...CAUSE, severity: 'info' }]), [], 'it has recovered');
    assert.deepEqual(look(T0 + 3 * MINUTE, [CAUSE]), [], 'it is there again');
    assert.deepEqual(look(T0 + 4 * MINUTE, []), []);
    assert.deepEqual(look(T0 + 6 * MINUTE, []), ['resolved']);
    assert.match(plan(T0 + 6 * MINUTE)[0], new RegExp(`^resolved ${CHANNEL_ID} `));
  });

  it('fire as soon as a cause that has stayed becomes critical', () => {
    assert.deepEqual(look(T0, [{ ...CAUSE, severity: 'warning' }]), []);
    assert.deepEqual(look(T0 + MINUTE, [CAUSE]), ['fired']);
  });

  it('take as long after the clock was set back', () => {
    look(T0, [CAUSE]);
    const back = T0 - 50 * SECOND;
    assert.deepEqual(look(back, [CAUSE]), []);
    assert.deepEqual(look(back + 15 * SECOND, [CAUSE]), ['fired']);
    look(T0 + MINUTE, []);
    assert.deepEqual(look(back + MINUTE, []), []);
    assert.deepEqual(look(back + 3 * MINUTE, []), ['resolved']);
  });

  it('do not fire for a blip, a warning, an unlikely cause, or beside an alert of a rule', () => {
    look(T0, [CAUSE]);
    look(T0 + 5 * SECOND, []);
    assert.deepEqual(look(T0 + 15 * SECOND, [CAUSE]), []);
    for (const cause of [
      { ...CAUSE, severity: 'warning' },
      { ...CAUSE, confidence: 0.2 },
    ])
      for (const at of [T0 + MINUTE, T0 + 2 * MINUTE]) assert.deepEqual(look(at, [cause]), []);
    notifications.route(T0 + 2 * MINUTE, fired(alert('checkout')));
    for (const at of [T0 + 3 * MINUTE, T0 + 4 * MINUTE]) assert.deepEqual(look(at, [CAUSE]), []);
  });

  it('fire and end beside alerts of services that have nothing to do with the cause', () => {
    notifications.route(T0, fired(alert('elsewhere')));
    look(T0, [CAUSE]);
    assert.deepEqual(look(T0 + 15 * SECOND, [CAUSE]), ['fired']);
    plan(T0 + 15 * SECOND);
    look(T0 + MINUTE, []);
    assert.deepEqual(look(T0 + 3 * MINUTE, []), ['resolved']);
  });

  it('are acknowledged once, which stops their reminders', () => {
    look(T0, [CAUSE]);
    look(T0 + 15 * SECOND, [CAUSE]);
    plan(T0 + 15 * SECOND);
    notifications.deliver(T0 + 20 * SECOND);
    const [group] = [...notifications.state.groups.values()];
    const [alertId] = [...group.alerts.keys()];
    const acknowledge = () =>
      notifications.do({ type: 'AcknowledgeDiagnosis', gridId: GRID, at: T0 + MINUTE, alertId }).length;
    assert.deepEqual([acknowledge(), acknowledge()], [1, 0]);
    assert.deepEqual(plan(T0 + 120 * MINUTE), []);
    assert.equal(
      notifications.do({ type: 'AcknowledgeDiagnosis', gridId: GRID, at: T0, alertId: 'unknown' }).length,
      0,
    );
  });

  it('say nothing of symptoms that rules see later, and do not end before them', () => {
    look(T0, [CAUSE]);
    look(T0 + 15 * SECOND, [CAUSE]);
    plan(T0 + 15 * SECOND);
    notifications.deliver(T0 + 20 * SECOND);
    notifications.route(T0 + MINUTE, fired(alert('checkout')));
    assert.deepEqual(plan(T0 + 10 * MINUTE), []);
    for (const at of [T0 + 11 * MINUTE, T0 + 14 * MINUTE]) assert.deepEqual(look(at, []), []);
    notifications.route(T0 + 15 * MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + 15 * MINUTE });
    assert.deepEqual(plan(T0 + 15 * MINUTE), ['closed silenced checkout']);
    look(T0 + 15 * MINUTE, []);
    assert.deepEqual(look(T0 + 17 * MINUTE, []), ['resolved']);
    assert.match(plan(T0 + 17 * MINUTE)[0], /^resolved/);
  });

  it('end although an alert of an affected service fires, if another cause explains it', () => {
    look(T0, [CAUSE]);
    look(T0 + 15 * SECOND, [CAUSE]);
    plan(T0 + 15 * SECOND);
    notifications.deliver(T0 + 20 * SECOND);
    notifications.route(T0 + MINUTE, fired(alert('checkout')));
    const other = { ...CAUSE, serviceName: 'orders', affectedServices: ['checkout'] };
    look(T0 + 3 * MINUTE, [other]);
    assert.deepEqual(look(T0 + 5 * MINUTE, [other]), ['resolved']);
  });
});
