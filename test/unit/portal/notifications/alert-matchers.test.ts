import assert from 'node:assert/strict';
import {
  isMatcherParameter,
  readLinkedMatchers,
  toMatchers,
} from '../../../../portal/src/pages/notifications/alert-matchers.js';

const is = (label: string, value: string) => ({ label, operator: '=', value }) as const;

describe('matchers of an alert', () => {
  it('are its rule, its service and the labels of its group that can be matched', () => {
    assert.deepEqual(toMatchers({ ruleName: 'Busy', serviceName: '' }), [is('alertname', 'Busy')]);
    const labels = { 'customer.tier': 'gold', severity: 'Error' };
    assert.deepEqual(toMatchers({ ruleName: 'Busy', serviceName: 'cart', labels }), [
      is('alertname', 'Busy'),
      is('service', 'cart'),
      is('customer.tier', 'gold'),
    ]);
  });

  it('are read from the address of a message, and only they are taken out of it', () => {
    const parameters = new URLSearchParams(
      'tab=silences&alertname=Busy&service=cart&label.customer.tier=gold&label.a=',
    );
    assert.deepEqual(readLinkedMatchers(parameters), [
      is('alertname', 'Busy'),
      is('service', 'cart'),
      is('customer.tier', 'gold'),
      is('a', ''),
    ]);
    assert.deepEqual(
      [...parameters.keys()].filter((name) => !isMatcherParameter(name)),
      ['tab'],
    );
  });
});
