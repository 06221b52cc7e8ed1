import assert from 'node:assert/strict';
import { toRuleDraft, NEW_RULE_DRAFT, toRuleBody } from '../../../../portal/src/pages/alerts/alert-rule-model.js';

const rule = {
  name: 'Slow',
  metric: 'latency_p95',
  operator: '>',
  threshold: 2_000,
  severity: 'warning',
  windowMinutes: 15,
  forMinutes: 0,
  minRequests: 20,
  enabled: false,
};

describe('alert rule draft', () => {
  it('survives a round trip', () => {
    assert.deepEqual(toRuleBody(toRuleDraft(rule)), rule);
    const full = { ...rule, criticalThreshold: 4_000, serviceName: 'checkout' };
    assert.deepEqual(toRuleBody(toRuleDraft(full)), full);
  });

  it('leaves empty fields and invalid numbers to the service', () => {
    const sent = toRuleBody({
      ...NEW_RULE_DRAFT,
      threshold: 'five',
      criticalThreshold: ' ',
      windowMinutes: '',
      minRequests: '1e2',
    });
    assert.equal(sent.threshold, 'five');
    assert.equal('criticalThreshold' in sent, false);
    assert.equal(sent.windowMinutes, null);
    assert.equal(sent.minRequests, 100);
  });
});
