import assert from 'node:assert/strict';
import { alertsDecider } from '../../../src/commands/alerts/alert-decider.js';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import { eventCountDecider } from '../../../src/commands/slos/event-count-decider.js';
import { assessSlo, type SloAssessment } from '../../../src/diagnostics/slos/slo-assessment.js';
import { type EventCounts, NO_EVENTS } from '../../../src/diagnostics/slos/slo-model.js';
import { SloPolicy } from '../../../src/policies/slo-policy.js';
import { evolveAlert } from '../../../src/projections/alerts-projection.js';
import type { NewEventCounts } from '../../../src/queries/slos/slo-query-types.js';
import type { AlertDocument } from '../../../src/read-models/documents/alert-documents.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { AlertEvent } from '../../../src/streams/events/alert-events.js';
import { alertsStream, slosStream } from '../../../src/streams/stream-names.js';
import { SLO } from '../../support/fake-slos.js';

const GRID = 'g';
const CLEAR: EventCounts = { good: 100, total: 100 };
const PAGE: EventCounts = { good: 50, total: 100 };
const TICKET: EventCounts = { good: 97, total: 100 };

function assess(counts: EventCounts, alerts = true, serviceName = 'checkout'): SloAssessment {
  const burn = { '5m': counts, '30m': counts, '1h': counts, '6h': counts, '3d': counts };
  const window = { fromMs: 0, toMs: 1 };
  const indicator = { ...SLO.indicator, serviceName };
  return assessSlo(
    { ...SLO, windowDays: 30, indicator, alerts },
    { window, events: counts, excluded: NO_EVENTS, burn, coveredFromMs: 0 },
  );
}

describe('policy of objectives', () => {
  let store: MemoryEventStore;
  let assessments: SloAssessment[];
  let newCounts: NewEventCounts | undefined;
  let evaluateSlo: (sloId: string) => Promise<SloAssessment | undefined>;
  let logged: { readonly message: string; readonly fields: object }[];
  let policy: SloPolicy;
  let clock = 0;

  const events = async (): Promise<AlertEvent[]> =>
    (await store.readStream(alertsStream(GRID))).map(({ type, data }) => ({ type, data }) as AlertEvent);

  async function openAlerts(): Promise<AlertDocument[]> {
    const alerts = new Map<string, AlertDocument | undefined>();
    for (const event of await events())
      alerts.set(event.data.alertId, evolveAlert(alerts.get(event.data.alertId), event));
    return [...alerts.values()].filter((alert) => alert?.open === true) as AlertDocument[];
  }

  const typesOf = async (): Promise<string[]> => (await events()).map(({ type }) => type.replace(/\.v\d+$/, ''));

  beforeEach(() => {
    store = new MemoryEventStore();
    assessments = [];
    newCounts = undefined;
    logged = [];
    evaluateSlo = async (sloId) => assessments.find(({ slo }) => slo.id === sloId);
    policy = new SloPolicy({
      slos: {
        allSlos: async () => assessments.map(({ slo }) => ({ gridId: GRID, slo })),
        evaluateSlo: (_gridId, sloId) => evaluateSlo(sloId),
        countNewEvents: async () => newCounts,
      },
      openAlerts,
      findOwner: async () => 'owner',
      observe: createCommandHandler(store, alertsDecider),
      record: createCommandHandler(store, eventCountDecider),
      log: {
        info: (message: string, fields: object) => {
          if (message !== 'Alert changed') logged.push({ message, fields });
        },
        error: (message: string, fields: object) => logged.push({ message, fields }),
      } as never,
      scheduler: { now: () => clock } as never,
    });
  });
  afterEach(() => policy.stop());

  async function poll(at: number): Promise<void> {
    clock = at;
    await policy.poll(at);
    await policy.whenIdle();
  }

  it('raises one alert, which becomes a page, and ends it two minutes after it is clear', async () => {
    assessments = [assess(TICKET)];
    await poll(1_000);
    await poll(16_000);
    const [fired] = await events();
    assert.deepEqual(fired.type === 'AlertFired.v2' && { ...fired.data, alertId: '' }, {
      ...{ gridId: GRID, alertId: '', ruleId: SLO.id, ruleName: SLO.name, serviceName: 'checkout' },
      ...{ condition: 'burn_rate > 1 over 3d and 6h', severity: 'warning', value: 3, at: 1_000 },
    });
    assessments = [assess(PAGE)];
    await poll(31_000);
    assessments = [assess(CLEAR)];
    await poll(40_000);
    await poll(159_999);
    assert.deepEqual(await typesOf(), ['AlertFired', 'AlertSeverityChanged']);
    await poll(160_000);
    await poll(175_000);
    assert.deepEqual(await typesOf(), ['AlertFired', 'AlertSeverityChanged', 'AlertResolved']);
    assert.equal((await openAlerts()).length, 0);
  });

  it('starts the two minutes again when it burns meanwhile', async () => {
    for (const [at, counts] of [
      [0, PAGE],
      [10, CLEAR],
      [100, PAGE],
      [110, CLEAR],
      [229, CLEAR],
    ] as const) {
      assessments = [assess(counts)];
      await poll(at * 1_000);
    }
    assert.deepEqual(await typesOf(), ['AlertFired']);
  });

  it('ends alerts of objectives that were deleted or do not alert any more', async () => {
    assessments = [assess(PAGE)];
    await poll(0);
    assessments = [assess(PAGE, false)];
    await poll(1_000);
    assessments = [assess(PAGE)];
    await poll(2_000);
    assessments = [];
    await poll(3_000);
    const reasons = (await events()).flatMap((event) => (event.type === 'AlertResolved.v1' ? [event.data.reason] : []));
    assert.deepEqual(reasons, ['rule-disabled', 'rule-deleted']);
  });

  it('ends an alert when its objective concerns another service, and raises one for that', async () => {
    assessments = [assess(PAGE)];
    await poll(0);
    // A query has no service: its alerts have the name of the objective as that of their rule.
    assessments = [assess(PAGE, true, '')];
    await poll(15_000);
    assert.deepEqual(await typesOf(), ['AlertFired', 'AlertResolved', 'AlertFired']);
    assert.deepEqual(
      (await openAlerts()).map(({ serviceName, ruleName }) => [serviceName, ruleName]),
      [['', SLO.name]],
    );
  });

  it('records events every hour', async () => {
    assessments = [assess(CLEAR)];
    const counts = (after: number, through: number): NewEventCounts => ({
      ...{ gridId: GRID, sloId: SLO.id, definedAt: 1, after, through, hours: [[5, 1, 2]] },
    });
    newCounts = counts(-1, 3);
    await poll(0);
    newCounts = counts(3, 8);
    await poll(3_599_999);
    assert.equal((await store.readStream(slosStream(GRID))).length, 1);
    await poll(3_600_000);
    assert.deepEqual(
      (await store.readStream(slosStream(GRID))).map(({ data }) => data),
      [
        { ...counts(-1, 3), at: 0 },
        { ...counts(3, 8), at: 3_600_000 },
      ],
    );
  });

  it('evaluates objectives although others cannot be counted, whose alerts it keeps, and says which', async () => {
    const other = { ...assess(PAGE), slo: { ...SLO, id: 'other', name: 'Other' } };
    assessments = [assess(PAGE)];
    await poll(0);
    assessments = [assess(CLEAR), other];
    let reason: string | undefined = 'The event at position 7 is damaged';
    evaluateSlo = async (sloId) => {
      if (sloId === SLO.id && reason !== undefined) throw new Error(reason);
      return assessments.find(({ slo }) => slo.id === sloId);
    };
    for (let at = 15_000; at <= 600_000; at += 15_000) await poll(at);
    assert.deepEqual(await typesOf(), ['AlertFired', 'AlertFired']);
    reason = 'The query exceeded its time limit.';
    await poll(615_000);
    reason = undefined;
    await poll(630_000);
    const failed = 'Failed to evaluate objectives; retrying';
    assert.deepEqual(
      logged.map(({ message, fields }) => ({ message, ...fields })),
      [
        { message: failed, gridId: GRID, sloId: SLO.id, error: new Error('The event at position 7 is damaged') },
        { message: failed, gridId: GRID, sloId: SLO.id, error: new Error('The query exceeded its time limit.') },
        { message: 'Objectives are evaluated again', gridId: GRID, sloId: SLO.id },
      ],
    );
    // Unknown is not clear: the two minutes begin with the first answer.
    await poll(749_999);
    assert.equal((await openAlerts()).length, 2);
    await poll(750_000);
    assert.deepEqual(
      (await openAlerts()).map(({ ruleId }) => ruleId),
      ['other'],
    );
  });

  it('does not wait for a slow objective before it evaluates others, and evaluates it once at a time', async () => {
    assessments = [assess(PAGE), { ...assess(PAGE), slo: { ...SLO, id: 'other' } }];
    let finish = (): void => undefined;
    const asked: string[] = [];
    evaluateSlo = async (sloId) => {
      asked.push(sloId);
      if (sloId === SLO.id) await new Promise<void>((resolve) => (finish = resolve));
      return assessments.find(({ slo }) => slo.id === sloId);
    };
    for (const at of [0, 15_000]) {
      await policy.poll(at);
      while (asked.filter((id) => id === 'other').length <= at / 15_000) await new Promise(setImmediate);
      while ((await events()).length === 0) await new Promise(setImmediate);
    }
    assert.deepEqual(asked, [SLO.id, 'other', 'other']);
    assert.deepEqual(
      (await openAlerts()).map(({ ruleId }) => ruleId),
      ['other'],
    );
    finish();
    await policy.whenIdle();
    assert.equal((await openAlerts()).length, 2);
  });
});
