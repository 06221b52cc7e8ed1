import assert from 'node:assert/strict';
import { createAlertQueries } from '../../../src/queries/diagnostics/alert-queries.js';
import type { AlertRule } from '../../../src/diagnostics/alerting/alert-rule-model.js';
import type { AlertEvent, AlertRuleEvent } from '../../../src/streams/events/alert-events.js';
import { createDefaultAlertRules } from '../../../src/streams/events/grid-defaults.js';
import type { GridEvent } from '../../../src/streams/events/grid-events.js';
import { alertsStream, gridStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';

const by = { actor: 'owner', at: 1 };
const rule: AlertRule = {
  id: 'r1',
  name: 'Slow',
  metric: 'latency_p95',
  operator: '>',
  threshold: 900,
  severity: 'info',
  windowMinutes: 5,
  forMinutes: 0,
  minRequests: 20,
  enabled: true,
};

function gridCreated(gridId: string): GridEvent {
  return { type: 'GridCreated.v1', data: { ...by, gridId, name: 'shop' } };
}

function fired(gridId: string, alertId: string, at: number): AlertEvent {
  return {
    type: 'AlertFired.v2',
    data: {
      gridId,
      alertId,
      ruleId: 'r1',
      ruleName: 'Slow',
      serviceName: 'cart',
      condition: 'latency_p95 > 900ms',
      severity: 'info',
      value: 950,
      at,
    },
  };
}

async function append(log: ProjectedLog, ...events: (GridEvent | AlertRuleEvent | AlertEvent)[]): Promise<void> {
  for (const { type, data } of events) {
    const isAlert = /^Alert(Fired|SeverityChanged|Resolved)/.test(type);
    await log.events.append((isAlert ? alertsStream : gridStream)(data.gridId), 'any', [
      { id: crypto.randomUUID(), type, data },
    ]);
  }
}

/** Ends at once and continues after a restart, which must make no difference. */
for (const restarted of [false, true]) {
  describe(`alerts projection${restarted ? ', restarted after every event' : ''}`, () => {
    let log: ProjectedLog;
    beforeEach(() => void (log = new ProjectedLog()));
    afterEach(() => log.remove());
    const given = async (...events: Parameters<typeof append>[1][]): Promise<ReturnType<typeof createAlertQueries>> => {
      for (const event of events) {
        await append(log, event);
        if (restarted) await log.restart();
      }
      await log.settle();
      return createAlertQueries(log.store);
    };

    it('creates the default rules with a Grid, which can be changed and deleted like others', async () => {
      const [errors, latency, apdex, pressure] = createDefaultAlertRules('g') as AlertRule[];
      const queries = await given(
        gridCreated('g'),
        gridCreated('h'),
        { type: 'AlertRuleChanged.v3', data: { ...by, gridId: 'g', rule: { ...latency, enabled: false } } },
        { type: 'AlertRuleDeleted.v1', data: { ...by, gridId: 'g', ruleId: apdex.id } },
        { type: 'AlertRuleCreated.v3', data: { ...by, gridId: 'g', rule } },
      );
      assert.deepEqual(await queries.alertRules('g'), [errors, { ...latency, enabled: false }, pressure, rule]);
      assert.equal((await queries.alertRules('h')).length, 4);
    });

    it('replaces a rule as a whole', async () => {
      const queries = await given(
        gridCreated('g'),
        {
          type: 'AlertRuleCreated.v3',
          data: { ...by, gridId: 'g', rule: { ...rule, serviceName: 'cart', criticalThreshold: 1_000 } },
        },
        { type: 'AlertRuleChanged.v3', data: { ...by, gridId: 'g', rule } },
      );
      assert.deepEqual(
        (await queries.alertRules('g')).find(({ id }) => id === 'r1'),
        rule,
      );
    });

    it('follows an alert from firing to its end', async () => {
      const queries = await given(
        gridCreated('g'),
        fired('g', 'a', 100),
        fired('g', 'b', 200),
        fired('h', 'c', 300),
        {
          type: 'AlertSeverityChanged.v1',
          data: { gridId: 'g', alertId: 'a', severity: 'critical', value: 2_000, at: 400 },
        },
        { type: 'AlertResolved.v1', data: { gridId: 'g', alertId: 'b', reason: 'cleared', at: 500 } },
      );
      const common = {
        gridId: 'g',
        ruleId: 'r1',
        ruleName: 'Slow',
        serviceName: 'cart',
        condition: 'latency_p95 > 900ms',
      };
      const a = { ...common, id: 'a', severity: 'critical', value: 2_000, firedAt: 100, open: true };
      const b = { ...common, id: 'b', severity: 'info', value: 950, firedAt: 200, resolvedAt: 500, open: false };
      assert.deepEqual((await queries.openAlerts()).map(({ id }) => id).sort(), ['a', 'c']);
      assert.deepEqual(await queries.alertsDuring('g', { fromMs: 0, toMs: 1_000 }), [a, b]);
      assert.deepEqual(await queries.alertsDuring('g', { fromMs: 500, toMs: 1_000 }), [a, b]);
      assert.deepEqual(await queries.alertsDuring('g', { fromMs: 501, toMs: 1_000 }), [a]);
      assert.deepEqual(await queries.alertsDuring('g', { fromMs: 0, toMs: 100 }), []);
      assert.deepEqual(await queries.alertsDuring('g', { fromMs: 0, toMs: 200 }), [a]);
    });
  });
}

describe('alerts projection over an existing log', () => {
  it('is built from the beginning, and again from there', async () => {
    const log = new ProjectedLog();
    try {
      await append(log, gridCreated('g'), fired('g', 'a', 100));
      const projector = await log.settle();
      assert.equal((await createAlertQueries(log.store).openAlerts()).length, 1);
      await projector.rebuild('alerts', () => undefined);
      assert.equal((await projector.verify('alerts')).equal, true);
      assert.equal((await createAlertQueries(log.store).alertRules('g')).length, 4);
    } finally {
      await log.remove();
    }
  });

  it('returns nothing before its first commit', async () => {
    const queries = createAlertQueries(new ProjectedLog().store);
    assert.deepEqual(
      [
        await queries.alertRules('g'),
        await queries.openAlerts(),
        await queries.alertsDuring('g', { fromMs: 0, toMs: 1 }),
      ],
      [[], [], []],
    );
  });
});
