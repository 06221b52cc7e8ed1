import assert from 'node:assert/strict';
import fc from 'fast-check';
import type {
  AlertFiring,
  AlertMinute,
  MetricAlertRule,
} from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import {
  CLEAR_STATE,
  advanceAlertState,
  type AlertState,
} from '../../../../src/diagnostics/alerting/alert-lifecycle.js';
import { BacktestRun } from '../../../../src/diagnostics/alerting/metric-rule-backtest.js';
import { evaluateMetricRule } from '../../../../src/diagnostics/alerting/metric-rule-evaluator.js';
import type { AlertRecord } from '../../../../src/diagnostics/diagnostics-input.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { after, backtest, failing, minute, rule } from './given-minutes.js';

const RANGE = { fromMs: after(0), toMs: after(60) };
const NOW = after(90);

function errorsAt(errors: Readonly<Record<number, number>>, service?: string): AlertMinute[] {
  return Array.from({ length: 60 }, (_, at) => failing(at, errors[at] ?? 0, service));
}

function recorded(id: string, fromMinute: number, toMinute?: number, serviceName = 'shop'): AlertRecord {
  const times = { firedAt: after(fromMinute), ...(toMinute !== undefined && { resolvedAt: after(toMinute) }) };
  return {
    id,
    ruleId: 'other',
    ruleName: 'Other',
    serviceName,
    condition: 'apdex < 0.7',
    severity: 'warning',
    value: 0.5,
    ...times,
  };
}

describe('backtest', () => {
  const quick = rule({ windowMinutes: 5 });

  it('returns when a rule fires, its peak value and when it resolves', () => {
    // 20 requests a minute, 100 in five. Above 5 % from the end of minute 10 (6 of 100) until minute 10 has left the window; clear for 2 minutes then.
    const { firings } = backtest(quick, errorsAt({ 10: 6, 12: 4 }), RANGE, NOW);
    assert.deepEqual(firings, [{ serviceName: 'shop', firedAt: after(11), resolvedAt: after(18), peakValue: 10 }]);
  });

  it('has the least value for the peak where small values are bad', () => {
    const { firings } = backtest(
      rule({ metric: 'apdex', operator: '<', threshold: 0.9, windowMinutes: 1 }),
      errorsAt({ 10: 4, 11: 10 }),
      RANGE,
      NOW,
    );
    assert.deepEqual(
      firings.map(({ peakValue }) => peakValue),
      [0.5],
    );
  });

  it('returns null if it would still fire, and starts with the range if it fired before', () => {
    const { firings } = backtest(quick, errorsAt({ 0: 20, 57: 20 }), { fromMs: after(3), toMs: after(59) }, NOW);
    assert.deepEqual(
      firings.map(({ firedAt, resolvedAt }) => [firedAt, resolvedAt]),
      [
        [after(3), after(8)],
        [after(58), null],
      ],
    );
  });

  it('counts firings a week', () => {
    const run = (toMs: number): number =>
      backtest(quick, errorsAt({ 10: 20 }), { fromMs: after(0), toMs }, after(20_000)).perWeek;
    assert.equal(run(after(60)), 168);
    assert.equal(run(after(7 * 24 * 60)), 1);
    assert.equal(run(after(8 * 24 * 60)), 0.88);
    assert.deepEqual(backtest(quick, [], { fromMs: after(0), toMs: after(0) }, NOW), {
      firings: [],
      perWeek: 0,
      missed: [],
    });
  });

  it('knows no future: a range that goes on ends with the last whole minute', () => {
    const { firings } = backtest(
      quick,
      errorsAt({ 10: 20 }),
      { fromMs: after(0), toMs: after(500) },
      after(10) + 59_999,
    );
    assert.deepEqual(firings, []);
  });

  it('lists recorded incidents that the rule would have missed', () => {
    const minutes = [...errorsAt({ 10: 20 }), ...errorsAt({}, 'cart')].sort((a, b) => a.minute - b.minute);
    const alerts = [
      recorded('told', 12, 14),
      recorded('told just then', 2, 11),
      recorded('missed', 40, 45),
      recorded('open', 50),
      recorded('cart', 12, 14, 'cart'),
      recorded('before', -9, -2),
      recorded('later', 61),
    ];
    assert.deepEqual(
      backtest(quick, minutes, RANGE, NOW, alerts).missed.map(({ id }) => id),
      ['missed', 'open', 'cart'],
    );
    assert.deepEqual(
      backtest({ ...quick, serviceName: 'shop' }, minutes, RANGE, NOW, alerts).missed.map(({ id }) => id),
      ['missed', 'open'],
    );
  });

  it('asks for the minutes that its first windows need', () => {
    assert.deepEqual(
      new BacktestRun(rule({ windowMinutes: 15, forMinutes: 5 }), { fromMs: after(30) + 1, toMs: after(60) - 1 }, NOW)
        .requiredWindow,
      { fromMs: after(10), toMs: after(60) },
    );
  });

  it('is as if somebody had looked at every minute, for any rule and any telemetry', () => {
    const requests = fc.record({
      service: fc.constantFrom('a', 'b'),
      ms: fc.array(fc.constantFrom(10, 700, 3_000), { minLength: 1, maxLength: 8 }),
      errors: fc.constantFrom(0, 0, 0, 1),
    });
    const minutes = fc
      .uniqueArray(
        fc.record({
          at: fc.integer({ min: -20, max: 39 }),
          list: fc.uniqueArray(requests, { selector: ({ service }) => service }),
          pool: fc.constantFrom(50, 95),
        }),
        { maxLength: 40, selector: ({ at }) => at },
      )
      .map((list) => list.sort((a, b) => a.at - b.at).map(({ at, list: of, pool }) => minute(at, of, { pool })));
    const rules = fc
      .record({
        metric: fc.constantFrom('error_rate', 'latency_avg', 'latency_p95', 'apdex', 'request_rate', 'pressure'),
        windowMinutes: fc.integer({ min: 1, max: 6 }),
        forMinutes: fc.integer({ min: 0, max: 3 }),
        minRequests: fc.constantFrom(0, 5),
        upward: fc.boolean(),
        critical: fc.boolean(),
      })
      .map(({ metric, upward, critical, ...rest }): MetricAlertRule => {
        const threshold = {
          error_rate: 10,
          latency_avg: 600,
          latency_p95: 1_000,
          apdex: 0.8,
          request_rate: 0.05,
          pressure: 90,
        }[metric];
        return rule({
          metric,
          threshold,
          operator: upward ? '>=' : '<',
          ...rest,
          ...(critical && { criticalThreshold: threshold * (upward ? 1.5 : 0.5) }),
        });
      });
    fc.assert(
      fc.property(minutes, rules, (seen, asked) => {
        assert.deepEqual(
          backtest(asked, seen, { fromMs: after(0), toMs: after(40) }, NOW).firings,
          lookedAt(asked, seen, 0, 40),
        );
      }),
      { numRuns: 300 },
    );
  });
});

/** By the evaluator and the states alone, each minute for itself. */
function lookedAt(asked: MetricAlertRule, minutes: readonly AlertMinute[], first: number, last: number): AlertFiring[] {
  const firings: AlertFiring[] = [];
  for (const serviceName of ['a', 'b', 'shop']) {
    let state: AlertState = CLEAR_STATE;
    let firing: { firedAt: number; values: number[] } | undefined;
    const close = (resolvedAt: number | null): void => {
      if (firing === undefined) return;
      const peakValue = asked.operator === '>=' ? Math.max(...firing.values) : Math.min(...firing.values);
      firings.push({ serviceName, firedAt: firing.firedAt, resolvedAt, peakValue });
      firing = undefined;
    };
    for (let at = first; at <= last; at++) {
      const known = minutes.filter((each) => each.minute * MINUTE_MS < after(at));
      const evaluation = evaluateMetricRule(asked, known, after(at)).find((each) => each.serviceName === serviceName);
      const taken = advanceAlertState(state, evaluation, after(at));
      state = taken.state;
      if (taken.change === 'fired') firing = { firedAt: after(at), values: [] };
      if (evaluation?.breached === true) firing?.values.push(evaluation.value ?? NaN);
      if (taken.change === 'resolved') close(after(at));
    }
    close(null);
  }
  return firings.sort((a, b) => a.firedAt - b.firedAt || (a.serviceName < b.serviceName ? -1 : 1));
}
