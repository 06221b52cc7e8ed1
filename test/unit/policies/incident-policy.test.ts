import assert from 'node:assert/strict';
import { alertsDecider } from '../../../src/commands/alerts/alert-decider.js';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import { incidentDecider } from '../../../src/commands/incidents/incident-decider.js';
import { notificationDecider } from '../../../src/commands/notifications/notification-decider.js';
import { isOpenDiagnosis } from '../../../src/commands/notifications/notification-state.js';
import type { Diagnosis } from '../../../src/diagnostics/diagnostic-results.js';
import { DIAGNOSIS_RULE_ID } from '../../../src/notifications/notification-model.js';
import { IncidentPolicy } from '../../../src/policies/incident-policy.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { alertsStream, incidentsStream, notificationsStream } from '../../../src/streams/stream-names.js';
import { GRID, MINUTE, SECOND, T0 } from '../commands/incidents/given-incidents.js';

function diagnosis(serviceName: string, changes: Partial<Diagnosis> = {}): Diagnosis {
  return {
    cause: `${serviceName} fails`,
    kind: 'errors',
    serviceName,
    confidence: 0.9,
    severity: 'critical',
    affectedServices: ['web'],
    evidence: ['9 % of the requests fail'],
    firstDetected: T0 - MINUTE,
    impactedTraceCount: 1,
    sampleTraceIds: [],
    ...changes,
  };
}

/** A log, and any number of processes that follow it. */
class World {
  readonly store = new MemoryEventStore();
  now = T0;
  diagnoses = 0;
  diagnose: () => Promise<readonly Diagnosis[]> = async () => [];
  open = new Set<string>();
  owned = true;
  readonly errors: unknown[] = [];
  readonly alerts = createCommandHandler(this.store, alertsDecider);
  readonly notifications = createCommandHandler(this.store, notificationDecider);

  policy(): IncidentPolicy {
    return new IncidentPolicy({
      log: this.store,
      incidents: createCommandHandler(this.store, incidentDecider),
      alerts: this.alerts,
      notifications: this.notifications,
      grids: { withTraffic: async () => [GRID], withOpenIncidents: async () => [], owns: () => this.owned },
      openAlerts: async () => [...this.open].map((id) => ({ id, gridId: GRID })),
      diagnose: () => ((this.diagnoses += 1), this.diagnose()),
      now: () => this.now,
      logger: { ...SILENT_LOGGER, error: (_, fields) => void this.errors.push(fields?.['error']) },
    });
  }

  /** Fires an alert; its id. */
  async fire(serviceName: string): Promise<string> {
    const finding = {
      kind: 'breached',
      ruleId: 'r',
      ruleName: 'R',
      condition: 'c',
      severity: 'warning',
      value: 1,
    } as const;
    const command = { type: 'Observe', gridId: GRID, at: this.now, findings: [{ ...finding, serviceName }] } as const;
    const { state } = await this.alerts(alertsStream(GRID), command);
    const alertId = state.open.get(`r ${serviceName}`)!.alertId;
    this.open.add(alertId);
    return alertId;
  }

  async end(alertId: string): Promise<void> {
    const findings = [{ kind: 'over', alertId, reason: 'cleared' }] as const;
    await this.alerts(alertsStream(GRID), { type: 'Observe', gridId: GRID, at: this.now, findings });
    this.open.delete(alertId);
  }

  /** Polls every three seconds for a while. */
  async follow(policy: IncidentPolicy, forMs: number): Promise<void> {
    for (const until = this.now + forMs; this.now <= until; this.now += 3 * SECOND) await policy.poll();
  }

  async events(): Promise<string[]> {
    return (await this.store.readStream(incidentsStream(GRID))).map(({ type }) => type.replace(/\.v\d+$/, ''));
  }
}

describe('the policy of incidents', () => {
  let world: World;
  beforeEach(() => void (world = new World()));
  afterEach(() => assert.deepEqual(world.errors, []));

  it('opens one for a critical cause that lasts, and resolves it after its end', async () => {
    const policy = world.policy();
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(policy, 12 * SECOND);
    assert.deepEqual(await world.events(), []);
    await world.follow(policy, 20 * SECOND);
    assert.deepEqual(await world.events(), ['IncidentOpened']);
    world.diagnose = async () => [];
    await world.follow(policy, 20 * SECOND);
    assert.deepEqual(await world.events(), ['IncidentOpened'], 'a cause may be missing for half a minute');
    await world.follow(policy, 30 * SECOND);
    assert.deepEqual((await world.events()).at(-1), 'IncidentRecovering');
    await world.follow(policy, 130 * SECOND);
    assert.deepEqual(await world.events(), ['IncidentOpened', 'IncidentRecovering', 'IncidentResolved']);
  });

  it('opens one as soon after the clock was set back', async () => {
    const policy = world.policy();
    await world.follow(policy, 6 * SECOND);
    world.diagnose = async () => [diagnosis('payment')];
    world.now -= 60 * MINUTE;
    await world.follow(policy, 6 * SECOND);
    world.now -= 10 * MINUTE;
    await world.follow(policy, 30 * SECOND);
    assert.deepEqual(await world.events(), ['IncidentOpened']);
  });

  it('does not open and recover by turns with a diagnosis that cannot decide whether the fault is over', async () => {
    const policy = world.policy();
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(policy, 30 * SECOND);
    let polls = 0;
    world.diagnose = async () => [diagnosis('payment', (polls += 1) % 2 === 0 ? {} : { recoveredAt: T0 })];
    await world.follow(policy, 5 * MINUTE);
    assert.deepEqual(await world.events(), ['IncidentOpened', 'IncidentRecovering', 'IncidentResolved']);
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(policy, 30 * SECOND);
    assert.equal((await world.events()).filter((type) => type === 'IncidentReopened').length, 1);
  });

  it('has the same incidents after a restart at any moment, and with two processes at once', async () => {
    world.diagnose = async () => [diagnosis('payment')];
    await world.fire('web');
    for (let i = 0; i < 4; i++) {
      const [one, two] = [world.policy(), world.policy()];
      await Promise.all([world.follow(one, 20 * SECOND), two.poll(), two.poll()]);
    }
    await world.fire('payment');
    await Promise.all([world.policy().poll(), world.policy().poll()]);
    const events = await world.events();
    assert.equal(events.filter((type) => type === 'IncidentOpened').length, 1, events.join(' '));
    assert.equal(events.filter((type) => type === 'IncidentAlertAdded').length, 2, events.join(' '));
  });

  it('does not let an incident recover because a restarted process has not seen its cause yet', async () => {
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(world.policy(), 30 * SECOND);
    await world.follow(world.policy(), 12 * SECOND);
    assert.deepEqual(await world.events(), ['IncidentOpened']);
  });

  it('leaves incidents as they are while the diagnosis fails', async () => {
    const policy = world.policy();
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(policy, 30 * SECOND);
    world.diagnose = async () => {
      throw new Error('away');
    };
    await world.fire('payment');
    await world.follow(policy, 10 * MINUTE);
    assert.deepEqual(await world.events(), ['IncidentOpened', 'IncidentAlertAdded']);
  });

  it('acknowledges alerts of an acknowledged incident, also those that join later', async () => {
    const policy = world.policy();
    const first = await world.fire('web');
    await world.follow(policy, 3 * SECOND);
    const incidents = createCommandHandler(world.store, incidentDecider);
    const { state } = await incidents(incidentsStream(GRID));
    const [incidentId] = state.incidents.keys();
    const by = { actor: 'ann', at: world.now, gridId: GRID, incidentId };
    await incidents(incidentsStream(GRID), { type: 'Acknowledge', ...by });
    await world.follow(policy, 3 * SECOND);
    const finding = {
      kind: 'breached',
      ruleId: 's',
      ruleName: 'S',
      condition: 'c',
      severity: 'warning',
      value: 1,
    } as const;
    const findings = [{ ...finding, serviceName: 'web' }];
    await world.alerts(alertsStream(GRID), { type: 'Observe', gridId: GRID, at: world.now, findings });
    await world.follow(policy, 6 * SECOND);
    const { state: alerts } = await world.alerts(alertsStream(GRID));
    assert.deepEqual(
      [...alerts.open.values()].map(({ isAcknowledged }) => isAcknowledged),
      [true, true],
    );
    await world.end(first);
  });

  it('acknowledges what the diagnosis alone has raised for its root-cause service', async () => {
    const policy = world.policy();
    world.diagnose = async () => [diagnosis('payment')];
    await world.follow(policy, 30 * SECOND);
    const alert = { ruleId: DIAGNOSIS_RULE_ID, ruleName: 'Diagnosis', condition: 'c', severity: 'critical', value: 1 };
    const raised = ['payment', 'other'].map((serviceName) => ({
      change: 'fired' as const,
      alert: { ...alert, alertId: `of ${serviceName}`, serviceName, firedAt: T0 },
      groups: [{ groupId: 'group', routeId: 'route', labels: {} }],
    }));
    const stream = notificationsStream(GRID);
    const route = { type: 'RouteAlerts', gridId: GRID, at: T0, after: -1, through: 0, changes: raised } as const;
    await world.notifications(stream, route);
    const incidents = createCommandHandler(world.store, incidentDecider);
    const [incidentId] = (await incidents(incidentsStream(GRID))).state.incidents.keys();
    const by = { actor: 'ann', at: world.now, gridId: GRID, incidentId };
    await incidents(incidentsStream(GRID), { type: 'Acknowledge', ...by });
    await world.follow(policy, 3 * SECOND);
    const { state } = await world.notifications(stream);
    assert.deepEqual(
      ['of payment', 'of other'].map((alertId) => isOpenDiagnosis(state, alertId)),
      [false, true],
    );
  });

  it('does not open incidents for alerts of the time before there were incidents', async () => {
    const old = await world.fire('web');
    await world.end(old);
    const lasting = await world.fire('cart');
    world.now = T0 + 2 * 60 * MINUTE;
    await world.follow(world.policy(), 6 * SECOND);
    const events = await world.store.readStream(incidentsStream(GRID));
    const added = events.filter(({ type }) => type === 'IncidentAlertAdded.v2');
    assert.deepEqual(
      added.map(({ data }) => (data as { alert: { alertId: string } }).alert.alertId),
      [lasting],
    );
  });

  it('follows only Grids that this process owns, and diagnoses idle ones every quarter of a minute', async () => {
    world.owned = false;
    await world.follow(world.policy(), 60 * SECOND);
    assert.equal(world.diagnoses, 0);
    world.owned = true;
    await world.follow(world.policy(), 60 * SECOND);
    assert.ok(world.diagnoses >= 4 && world.diagnoses <= 6, String(world.diagnoses));
  });
});
