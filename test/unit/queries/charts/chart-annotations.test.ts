import assert from 'node:assert/strict';
import type { MetricAlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import type { Chart } from '../../../../src/diagnostics/chart-model.js';
import { findThresholds } from '../../../../src/queries/charts/chart-annotations.js';

const CHART: Chart = {
  id: 'c',
  title: 'Errors',
  chartType: 'line',
  metric: 'error_rate',
  serviceName: 'shop',
  groupBy: '',
  aggregation: '',
  unit: '',
  createdAt: 0,
  updatedAt: 0,
};
const RULE: MetricAlertRule = {
  id: 'r',
  name: 'errors',
  metric: 'error_rate',
  operator: '>',
  threshold: 5,
  severity: 'warning',
  windowMinutes: 15,
  forMinutes: 0,
  minRequests: 20,
  enabled: true,
};

describe('thresholds of a chart', () => {
  const labels = (chart: Partial<Chart>, ...rules: Partial<MetricAlertRule>[]): string[] =>
    findThresholds(
      { ...CHART, ...chart },
      rules.map((rule) => ({ ...RULE, ...rule })),
    ).map(({ label }) => label);

  it('are those of the enabled rules that watch its metric, with where it gets critical', () => {
    assert.deepEqual(findThresholds(CHART, [{ ...RULE, criticalThreshold: 10 }]), [
      { value: 5, severity: 'warning', label: 'alert > 5%' },
      { value: 10, severity: 'critical', label: 'critical >= 10%' },
    ]);
    assert.deepEqual(
      labels({ metric: 'apdex' }, { metric: 'apdex', operator: '<', threshold: 0.7, criticalThreshold: 0.5 }),
      ['critical <= 0.5', 'alert < 0.7'],
    );
    assert.deepEqual(labels({}, { enabled: false }, { metric: 'latency_p95' }), []);
  });

  it('name the percentile where a chart shows three', () => {
    assert.deepEqual(
      labels(
        { metric: 'latency' },
        { metric: 'latency_p95', threshold: 2_000 },
        { metric: 'latency_p50', threshold: 300 },
        { metric: 'latency_avg', threshold: 100 },
      ),
      ['p50 alert > 300ms', 'p95 alert > 2000ms'],
    );
    assert.deepEqual(labels({ metric: 'latency_p95' }, { metric: 'latency_p95', threshold: 2_000 }), [
      'alert > 2000ms',
    ]);
  });

  it('of one service show on charts of that service alone', () => {
    assert.deepEqual(labels({}, { serviceName: 'shop' }, { serviceName: 'cart', threshold: 7 }), ['alert > 5%']);
    assert.deepEqual(labels({ serviceName: '', groupBy: 'service' }, { serviceName: 'shop' }), []);
  });

  it('of every service show wherever services are shown', () => {
    assert.deepEqual(labels({ serviceName: '' }, {}), []);
    assert.deepEqual(labels({ serviceName: '', groupBy: 'service' }, {}), ['alert > 5%']);
    assert.deepEqual(labels({ groupBy: 'operation' }, {}), []);
  });

  it('are drawn once, and few of them', () => {
    assert.deepEqual(labels({}, {}, { id: 'twin', name: 'again' }), ['alert > 5%']);
    assert.equal(labels({}, ...Array.from({ length: 20 }, (_, threshold) => ({ threshold }))).length, 8);
  });

  it('are none for metrics that have the names of what every object has', () => {
    for (const metric of ['constructor', 'toString', '__proto__'])
      assert.deepEqual(labels({ metric }, {}, { metric: 'latency_p95' }), []);
  });

  it('of pressure have no chart', () => {
    assert.deepEqual(labels({ metric: 'pressure' }, { metric: 'pressure', threshold: 90 }), []);
  });
});
