import assert from 'node:assert/strict';
import {
  conditionUnit,
  describeCondition,
  describeEnd,
} from '../../../../src/diagnostics/alerting/condition-wording.js';
import { formatCondition } from '../../../../src/diagnostics/alerting/rule-condition.js';
import { findBurnRateRules, formatBurnRateCondition } from '../../../../src/diagnostics/slos/burn-rate.js';
import { ALERT_METRICS } from '../../../../src/diagnostics/alerting/alert-metrics.js';

const DESCRIBED = {
  'error_rate > 5%': 'Error rate above 5 %',
  'latency_p95 >= 2000ms': 'Latency p95 at least 2000 ms',
  'apdex < 0.7': 'Apdex below 0.7',
  'request_rate <= 10/s': 'Request rate at most 10 requests/s',
  'burn_rate > 14.4 over 1h and 5m': 'Burn rate above 14.4 over 1 h and 5 min',
  'burn_rate > 1 over 3d and 6h': 'Burn rate above 1 over 3 d and 6 h',
  'new_errors >= 1': 'New errors at least 1',
  'count of logs > 10 where severity = Error': 'count of logs > 10 where severity = Error',
  'constructor > 1': 'constructor > 1',
  'payment fails: 40 of 40 calls': 'payment fails: 40 of 40 calls',
};

describe('the text of an alert condition', () => {
  for (const [condition, text] of Object.entries(DESCRIBED))
    it(`says ${condition} as "${text}"`, () => assert.equal(describeCondition(condition), text));

  it('describes every condition on a metric or a burn rate', () => {
    const conditions = ALERT_METRICS.map((metric) => formatCondition({ metric, operator: '>', threshold: 1.5 }));
    for (const condition of [...conditions, ...findBurnRateRules(30).map(formatBurnRateCondition)])
      assert.match(describeCondition(condition), /^[A-Z][^_]* above [\d.]+( \S+)?/);
  });

  it('says of an error group that it is not new any more, not that it has recovered', () => {
    assert.deepEqual(['new_errors >= 1', 'error_rate > 5%', 'new_errors_of_x > 1'].map(describeEnd), [
      'is not new any more',
      'has recovered',
      'has recovered',
    ]);
  });

  it('names the unit of its values', () => {
    assert.deepEqual(['error_rate > 5%', 'apdex < 0.7', 'count of logs > 1'].map(conditionUnit), [' %', '', '']);
  });
});
