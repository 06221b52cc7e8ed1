import assert from 'node:assert/strict';
import {
  groupFiringsByService,
  describeFirings,
  buildServiceLanes,
} from '../../../../portal/src/pages/alerts/backtest-firings.js';
import {
  describeSubject,
  formatCondition,
  parseCondition,
  type AlertRuleValues,
} from '../../../../portal/src/pages/alerts/alert-rule-model.js';

const rule: AlertRuleValues = {
  name: 'High error rate',
  metric: 'error_rate',
  operator: '>',
  threshold: 5,
  severity: 'warning',
  criticalThreshold: 10,
  windowMinutes: 15,
  forMinutes: 0,
  minRequests: 20,
};
const write = (unit: string) => (value: number) => `${value} ${unit}`.trim();
const MINUTE = 60_000;
const at = (minute: number) => new Date(minute * MINUTE).toISOString();

describe('alert rules', () => {
  it('are described in words', () => {
    assert.equal(formatCondition(rule, write), 'Error rate > 5 % over 15 minutes, critical > 10 %');
    assert.equal(
      formatCondition(
        {
          ...rule,
          metric: 'apdex',
          operator: '<',
          threshold: 0.7,
          criticalThreshold: undefined,
          windowMinutes: 1,
          forMinutes: 5,
        },
        write,
      ),
      'Apdex < 0.7 over 1 minute, for 5 minutes',
    );
  });

  it('on a query are described by its column, condition and groups', () => {
    const { metric: _, criticalThreshold: _critical, ...common } = rule;
    const query = {
      signal: 'spans' as const,
      where: 'kind = server',
      groupBy: ['customer.tier'],
      select: [{ fn: 'p99', field: 'duration' }],
    };
    assert.equal(
      formatCondition({ ...common, query, threshold: 500 }, write),
      'p99(duration) of spans where kind = server by customer.tier > 500 ms over 15 minutes',
    );
    assert.equal(parseCondition('count of logs >= 3 where a > 5'), undefined);
  });

  it('name the group of an alert', () => {
    assert.equal(describeSubject({ serviceName: 'checkout' }), 'checkout');
    assert.equal(describeSubject({ serviceName: '' }), 'Whole Grid');
    assert.equal(describeSubject({ serviceName: '', labels: { tier: 'gold' } }), 'tier = gold');
    assert.equal(describeSubject({ serviceName: 'checkout', labels: { a: '1', b: '2' } }), 'checkout (a = 1, b = 2)');
  });

  it('are parsed from the conditions of alerts', () => {
    const { watchedMetric, operator, threshold } = parseCondition('latency_p95 > 2000ms')!;
    assert.deepEqual(
      [watchedMetric.metric, watchedMetric.unit, operator, threshold],
      ['latency_p95', 'ms', '>', 2_000],
    );
    assert.equal(parseCondition('apdex < 0.7')?.threshold, 0.7);
    assert.equal(parseCondition('error_rate >= 5%')?.operator, '>=');
    assert.equal(parseCondition('something else'), undefined);
  });
});

describe('backtests', () => {
  it('group firings by service, cut to the range, longest first', () => {
    const firings = [
      { serviceName: 'cart', firedAt: at(2), resolvedAt: at(4) },
      { serviceName: 'checkout', firedAt: at(8), resolvedAt: null },
      { serviceName: 'cart', firedAt: at(9), resolvedAt: at(10) },
      { serviceName: 'mail', firedAt: at(-5), resolvedAt: at(20) },
    ];
    assert.deepEqual(
      groupFiringsByService(firings, { from: 0, to: 12 * MINUTE }),
      [
        { serviceName: 'mail', intervals: [{ from: 0, to: 12 * MINUTE }] },
        { serviceName: 'checkout', intervals: [{ from: 8 * MINUTE, to: 12 * MINUTE }] },
        {
          serviceName: 'cart',
          intervals: [
            { from: 2 * MINUTE, to: 4 * MINUTE },
            { from: 9 * MINUTE, to: 10 * MINUTE },
          ],
        },
      ].sort(
        (a, b) =>
          ['mail', 'checkout', 'cart'].indexOf(a.serviceName) - ['mail', 'checkout', 'cart'].indexOf(b.serviceName),
      ),
    );
  });

  it('include missed alerts, also of services without firings', () => {
    const [fired, missed] = [
      { serviceName: 'cart', firedAt: at(2), resolvedAt: at(4) },
      { serviceName: 'mail', firedAt: at(5), resolvedAt: null },
    ];
    assert.deepEqual(
      buildServiceLanes([fired], [missed, { ...fired, firedAt: at(6), resolvedAt: at(7) }], {
        from: 0,
        to: 9 * MINUTE,
      }),
      [
        {
          serviceName: 'cart',
          fired: [{ from: 2 * MINUTE, to: 4 * MINUTE }],
          missed: [{ from: 6 * MINUTE, to: 7 * MINUTE }],
        },
        { serviceName: 'mail', fired: [], missed: [{ from: 5 * MINUTE, to: 9 * MINUTE }] },
      ],
    );
  });

  it('describe the number of firings', () => {
    const range = { from: 0, to: 60 * MINUTE };
    assert.equal(describeFirings(0, 0, range), 'The rule would not have fired in this time range.');
    assert.equal(describeFirings(1, 168, range), 'The rule would have fired once (168 times per week at this rate).');
    assert.equal(describeFirings(3, 3, { from: 0, to: 7 * 1_440 * MINUTE }), 'The rule would have fired 3 times.');
  });
});
