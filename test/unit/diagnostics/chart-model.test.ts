import assert from 'node:assert/strict';
import { DERIVED_METRICS, isDerivedMetric } from '../../../src/diagnostics/chart-model.js';

describe('metrics that are derived', () => {
  it('are known by their exact names', () => {
    for (const metric of DERIVED_METRICS) assert.ok(isDerivedMetric(metric), metric);
    for (const other of ['', 'Latency', 'latency_p90', 'constructor', ['latency'], undefined])
      assert.equal(isDerivedMetric(other), false, String(other));
  });
});
