import assert from 'node:assert/strict';
import {
  createQueryDraft,
  changeMetric,
  changeSource,
  isOnNewErrors,
  toRuleDraft,
  NEW_RULE_DRAFT,
  toRuleBody,
} from '../../../../portal/src/pages/alerts/alert-rule-model.js';

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
    const full = {
      ...rule,
      criticalThreshold: 4_000,
      serviceName: 'checkout',
      runbookUrl: 'https://wiki.example/checkout',
    };
    assert.deepEqual(toRuleBody(toRuleDraft(full)), full);
  });

  it('survives a round trip with a query', () => {
    const { metric: _, ...common } = rule;
    const query = {
      signal: 'logs' as const,
      where: 'timeout',
      groupBy: ['service'],
      select: [{ fn: 'p99', field: 'latency.ms' }],
    };
    assert.deepEqual(toRuleBody(toRuleDraft({ ...common, query })), { ...common, query });
  });

  it('begins with the first function of an explored query, without a minimum of records', () => {
    const explored = { ...NEW_RULE_DRAFT.query, select: ['errorRate', 'count'], groupBy: ['customer.tier'] };
    const draft = createQueryDraft(explored);
    const body = toRuleBody(draft);
    assert.deepEqual('query' in body && body.query.select, [{ fn: 'errorRate' }]);
    assert.deepEqual([draft.threshold, draft.minRequests], ['', '0']);
    assert.equal(changeSource(draft, 'metric').minRequests, '20');
    assert.equal(changeSource({ ...draft, minRequests: '7' }, 'metric').minRequests, undefined);
  });

  it('begins with the first exception of a group on new errors, unless somebody has set more', () => {
    const first = { operator: '>=', threshold: '1', minRequests: '0' };
    const onErrors = { ...NEW_RULE_DRAFT, ...changeMetric(NEW_RULE_DRAFT, 'new_errors') };
    assert.deepEqual(onErrors, { ...NEW_RULE_DRAFT, metric: 'new_errors', ...first });
    assert.deepEqual([onErrors, NEW_RULE_DRAFT].map(isOnNewErrors), [true, false]);
    assert.deepEqual({ ...onErrors, ...changeMetric(onErrors, 'error_rate') }, NEW_RULE_DRAFT);
    const own = { ...NEW_RULE_DRAFT, operator: '>=', threshold: '9', minRequests: '3' };
    assert.deepEqual(changeMetric(own, 'new_errors'), { metric: 'new_errors' });
    assert.deepEqual(changeMetric({ ...own, operator: '<' }, 'new_errors'), {
      ...{ metric: 'new_errors', operator: '>=', threshold: '1' },
    });
    assert.deepEqual(changeSource(onErrors, 'query').minRequests, '0');
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
