import assert from 'node:assert/strict';
import { toThresholds, findChartThresholds } from '../../../../portal/src/charts/rule-thresholds.js';

const rule = {
  name: 'Fails',
  metric: 'error_rate',
  operator: '>',
  threshold: 5,
  criticalThreshold: 10,
  severity: 'warning',
  enabled: true,
} as const;

describe('chart thresholds', () => {
  it('come from rules on the metric of the service', () => {
    const rules = [
      rule,
      { ...rule, name: 'Other service', serviceName: 'cart' },
      { ...rule, name: 'Off', enabled: false },
      { ...rule, name: 'Slow', metric: 'latency_p95', criticalThreshold: undefined, threshold: 2_000 },
    ];
    assert.deepEqual(
      findChartThresholds(rules, { metric: 'error_rate', serviceName: 'checkout' }).map(({ value, level }) => [
        value,
        level,
      ]),
      [
        [5, 'warning'],
        [10, 'critical'],
      ],
    );
    assert.deepEqual(
      findChartThresholds(rules, { metric: 'latency', serviceName: 'checkout' }).map(({ value }) => value),
      [2_000],
    );
    assert.deepEqual(findChartThresholds(rules, { metric: 'apdex', serviceName: 'checkout' }), []);
  });

  it('are omitted on charts of the whole Grid, since rules apply to services', () => {
    assert.deepEqual(findChartThresholds([rule], { metric: 'error_rate', serviceName: '' }), []);
  });

  it('are one line if both thresholds are equal', () => {
    assert.deepEqual(toThresholds({ ...rule, criticalThreshold: 5, severity: 'critical' }), [
      { value: 5, label: 'Fails (> 5)', level: 'critical' },
    ]);
  });
});
