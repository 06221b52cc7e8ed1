import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ALERT_METRICS, NEW_ERRORS, type ServiceMetric } from '../../../../src/diagnostics/alerting/alert-metrics.js';
import type {
  AlertMinute,
  MetricAlertRule,
  RuleEvaluation,
} from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { formatCondition } from '../../../../src/diagnostics/alerting/rule-condition.js';
import { evaluateMetricRule, requiredWindow } from '../../../../src/diagnostics/alerting/metric-rule-evaluator.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { after, failing, minute, rule, T0, type Requests } from './given-minutes.js';

function only(evaluations: readonly RuleEvaluation[]): RuleEvaluation {
  assert.equal(evaluations.length, 1);
  return evaluations[0];
}

describe('alert rule: condition', () => {
  const cases: [ServiceMetric, MetricAlertRule['operator'], number, string][] = [
    ['error_rate', '>', 5, 'error_rate > 5%'],
    ['latency_p95', '>', 2000, 'latency_p95 > 2000ms'],
    ['apdex', '<', 0.7, 'apdex < 0.7'],
    ['pressure', '>=', 90, 'pressure >= 90%'],
    ['request_rate', '<=', 0.5, 'request_rate <= 0.5/s'],
    ['latency_avg', '>', 1.5, 'latency_avg > 1.5ms'],
  ];
  for (const [metric, operator, threshold, text] of cases) {
    it(`reads ${text}`, () => assert.equal(formatCondition({ metric, operator, threshold }), text));
  }
});

describe('alert rule: value', () => {
  // Of 40 requests in two minutes: 10 of 100 ms, 20 of 600 ms, 8 of 900 ms, 2 of 4 s; 3 of them failed.
  const requests: Requests[][] = [
    [{ ms: [...Array<number>(10).fill(100), ...Array<number>(10).fill(600)], errors: 1 }],
    [{ ms: [...Array<number>(10).fill(600), ...Array<number>(8).fill(900), 4_000, 4_000], errors: 2 }],
  ];
  const minutes = requests.map((each, at) => minute(at, each));
  const values: [ServiceMetric, number][] = [
    ['error_rate', 7.5],
    ['latency_avg', 705],
    ['apdex', (10 - 1 + 28 / 2) / 40],
    ['request_rate', 0.33],
  ];
  for (const [metric, value] of values) {
    it(`of ${metric} is that of the whole window`, () => {
      assert.equal(only(evaluateMetricRule(rule({ metric, windowMinutes: 2 }), minutes, after(2))).value, value);
    });
  }

  for (const [metric, value] of [
    ['latency_p50', 600],
    ['latency_p95', 900],
    ['latency_p99', 4_000],
  ] as const) {
    it(`of ${metric} is within 1 % of the nearest rank`, () => {
      const found = only(evaluateMetricRule(rule({ metric, windowMinutes: 2 }), minutes, after(2))).value ?? NaN;
      assert.ok(Math.abs(found - value) <= value / 100, `${found}`);
    });
  }

  it('of pressure is that of the fullest resource, each by its newest reading, without regard to requests', () => {
    const readings = [
      minute(0, [], { pool: 99, cpu: 20 }),
      minute(1, [], { pool: 40 }),
      minute(2, [], { cpu: 95.126 }),
    ];
    const pressure = rule({ metric: 'pressure', operator: '>=', threshold: 90 });
    assert.deepEqual(
      [1, 2, 3].map((at) => only(evaluateMetricRule(pressure, readings, after(at))).value),
      [99, 40, 95.13],
    );
    assert.deepEqual(
      [7, 8, 9].map((at) => only(evaluateMetricRule(pressure, readings, after(at))).value),
      [95.13, undefined, undefined],
    );
    assert.deepEqual(evaluateMetricRule(pressure, readings, after(30)), []);
  });

  it('of a rate in the running minute is over the seconds that are over', () => {
    const rate = rule({ metric: 'request_rate', operator: '<', threshold: 1, windowMinutes: 1 });
    assert.equal(only(evaluateMetricRule(rate, [failing(0, 0)], T0 + 30_000)).value, 0.22); // 20 requests in the 90 s from 11:59:00
  });

  it('is compared exactly and returned rounded', () => {
    const slow = minute(0, [{ ms: Array<number>(20).fill(100.004) }]);
    const { value, breached } = only(
      evaluateMetricRule(rule({ metric: 'latency_avg', threshold: 100 }), [slow], after(1)),
    );
    assert.deepEqual([value, breached], [100, true]);
  });
});

describe('alert rule: window', () => {
  it('is of whole minutes: it leaves out what is too old and, at a whole minute, what has just begun', () => {
    const minutes = [failing(-1, 20), failing(0, 1), failing(1, 2), failing(2, 20)];
    assert.equal(only(evaluateMetricRule(rule({ windowMinutes: 2 }), minutes, after(2))).value, 7.5);
  });

  it('takes the running minute in', () => {
    const minutes = [failing(0, 1), failing(1, 2), failing(2, 3)];
    assert.equal(only(evaluateMetricRule(rule({ windowMinutes: 2 }), minutes, after(2) + 1)).value, 10);
  });
});

describe('alert rule: ground to judge by', () => {
  it('is not there with fewer requests than the rule wants', () => {
    const few = minute(0, [{ ms: Array<number>(19).fill(100), errors: 19 }]);
    assert.deepEqual(only(evaluateMetricRule(rule(), [few], after(1))), {
      ruleId: 'r',
      serviceName: 'shop',
      value: undefined,
      breached: false,
      severity: 'warning',
    });
    assert.equal(only(evaluateMetricRule(rule({ minRequests: 19 }), [few], after(1))).breached, true);
  });

  it('is not there without requests, also for rules that want few: no data is not bad', () => {
    const quiet = rule({ metric: 'request_rate', operator: '<', threshold: 1, minRequests: 0, windowMinutes: 5 });
    assert.equal(only(evaluateMetricRule(quiet, [failing(0, 0)], after(5))).breached, true);
    assert.deepEqual(evaluateMetricRule(quiet, [failing(0, 0)], after(6)), []);
    assert.deepEqual(
      evaluateMetricRule({ ...quiet, serviceName: 'shop' }, [failing(0, 0)], after(6)).map(({ value, breached }) => [
        value,
        breached,
      ]),
      [[undefined, false]],
    );
    const idle = { ...failing(0, 0), services: [{ ...failing(0, 0).services[0], count: 0, latency: new Sketch() }] };
    assert.deepEqual(evaluateMetricRule(quiet, [idle], after(1)), []);
  });

  it('is looked for in every service, or in that of the rule alone', () => {
    const both = [
      minute(0, [
        { service: 'a', ms: Array<number>(20).fill(1), errors: 2 },
        { service: 'b', ms: Array<number>(20).fill(1), errors: 1 },
      ]),
    ];
    assert.deepEqual(
      evaluateMetricRule(rule(), both, after(1)).map(({ serviceName, value }) => [serviceName, value]),
      [
        ['a', 10],
        ['b', 5],
      ],
    );
    assert.deepEqual(
      evaluateMetricRule(rule({ serviceName: 'b' }), both, after(1)).map(({ serviceName, value }) => [
        serviceName,
        value,
      ]),
      [['b', 5]],
    );
  });
});

describe('alert rule: severity', () => {
  const critical = { severity: 'warning', criticalThreshold: 10 } as const;
  it('is critical from the critical threshold on', () => {
    assert.deepEqual(
      [1, 2].map((errors) => only(evaluateMetricRule(rule(critical), [failing(0, errors)], after(1))).severity),
      ['warning', 'critical'],
    );
  });
  it('goes downwards where small values are bad', () => {
    const apdex = rule({ metric: 'apdex', operator: '<', threshold: 0.96, severity: 'info', criticalThreshold: 0.9 });
    assert.deepEqual(
      [1, 2].map((errors) => only(evaluateMetricRule(apdex, [failing(0, errors)], after(1))).severity),
      ['info', 'critical'],
    );
  });
});

describe('alert rule: duration', () => {
  const lasting = rule({ windowMinutes: 1, forMinutes: 3 });
  const bad = [0, 1, 2, 3].map((at) => failing(at, 10));
  const breachedAt = (minutes: readonly AlertMinute[], nowMs: number): boolean =>
    only(evaluateMetricRule(lasting, minutes, nowMs)).breached;

  it('must be full: true at every whole minute for so long', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((at) => breachedAt(bad, after(at))),
      [false, false, false, true],
    );
  });
  it('does not begin between two minutes', () => {
    const minutes = [...bad, failing(4, 10)];
    assert.equal(breachedAt(minutes, after(3) + 30_000), false);
    assert.equal(breachedAt(minutes, after(4) + 30_000), true);
  });
  it('restarts after an interruption, and after silence', () => {
    assert.equal(breachedAt([bad[0], failing(1, 0), bad[2], bad[3]], after(4)), false);
    assert.equal(breachedAt([bad[0], bad[2], bad[3]], after(4)), false);
  });
  it('requires no more than requiredWindow', () => {
    const { fromMs } = requiredWindow(lasting, after(4));
    const needed = [failing(-1, 0), ...bad].filter((each) => each.minute * MINUTE_MS >= fromMs);
    assert.equal(needed.length, 4);
    assert.equal(breachedAt(needed, after(4)), true);
  });
});

describe('alert rule: law', () => {
  const METRICS = ALERT_METRICS.filter((metric) => metric !== NEW_ERRORS && metric !== 'pressure');
  const requests = fc.record({
    service: fc.constantFrom('a', 'b', 'c'),
    ms: fc.array(fc.double({ min: 0, max: 9_000, noNaN: true }), { maxLength: 12 }),
    errors: fc.nat(3),
  });
  const minutesOf = fc
    .uniqueArray(
      fc.record({
        at: fc.integer({ min: 0, max: 40 }),
        list: fc.uniqueArray(requests, { selector: ({ service }) => service }),
      }),
      { selector: ({ at }) => at },
    )
    .map((list) => list.sort((a, b) => a.at - b.at).map(({ at, list: of }) => minute(at, of)));

  it('what slides out of the window leaves no trace', () => {
    fc.assert(
      fc.property(
        minutesOf,
        fc.constantFrom(...METRICS),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 42 }),
        (minutes, metric, windowMinutes, forMinutes, at) => {
          const asked = rule({ metric, windowMinutes, minRequests: 1 });
          const alone = evaluateMetricRule(
            asked,
            minutes.filter((each) => each.minute * MINUTE_MS >= after(at - windowMinutes)),
            after(at),
          );
          const slid = evaluateMetricRule({ ...asked, forMinutes }, minutes, after(at));
          const values = (list: readonly RuleEvaluation[]) =>
            list.map(({ serviceName, value }) => [serviceName, value]).sort();
          assert.deepEqual(values(slid), values(alone));
        },
      ),
    );
  });

  it('percentiles are those of all sketches merged', () => {
    fc.assert(
      fc.property(minutesOf, fc.constantFrom(50, 95, 99), (minutes, p) => {
        const merged = new Sketch();
        for (const { services } of minutes)
          for (const { service, latency } of services) if (service === 'a') merged.merge(latency);
        const found = evaluateMetricRule(
          rule({ metric: `latency_p${p}`, windowMinutes: 60, minRequests: 1, serviceName: 'a' }),
          minutes,
          after(41),
        )[0].value;
        assert.equal(found, merged.count === 0 ? undefined : Math.round(merged.percentile(p) / 1e4) / 100);
      }),
    );
  });
});
