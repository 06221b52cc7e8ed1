import assert from 'node:assert/strict';
import { ALERT_METRIC_DEFINITIONS, isAlertMetric } from '../../../../src/diagnostics/alerting/alert-metrics.js';

describe('the metrics of alert rules', () => {
  it('are shown by the built-in charts of services, if there is one', () => {
    const { latency_p95: p95, error_rate: errorRate, latency_avg: average, pressure } = ALERT_METRIC_DEFINITIONS;
    assert.deepEqual([p95.chart, errorRate.chart], [{ metric: 'latency', line: 'p95' }, { metric: 'error_rate' }]);
    assert.deepEqual([average.chart, pressure.chart], [undefined, undefined]);
  });

  it('are told from other words and values', () => {
    assert.deepEqual(['apdex', 'new_errors', 'constructor', '', undefined].map(isAlertMetric), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
