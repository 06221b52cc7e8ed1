import assert from 'node:assert/strict';
import { extractAttributeConditions } from '../../../../../src/assistant/analyst/understanding/attribute-conditions.js';

const KEYS = [
  'service.name',
  'service.version',
  'telemetry.sdk.version',
  'customer.tier',
  'cloud.region',
  'http.response.status_code',
  'payment.method',
  'order.status',
];

const isName = (word: string): boolean => word === 'payment';
const extract = (text: string) => extractAttributeConditions(text, KEYS, isName);

describe('conditions on attributes', () => {
  const APPLIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'traces where customer.tier is gold': { 'customer.tier': 'gold' },
    'traces with customer.tier=gold': { 'customer.tier': 'gold' },
    'traces with customer.tier == "gold plus"': { 'customer.tier': 'gold plus' },
    'traces with customer.tier: gold.': { 'customer.tier': 'gold' },
    'gold tier traces': { 'customer.tier': 'gold' },
    'traces of the gold customer tier': { 'customer.tier': 'gold' },
    'traces with status code 504': { 'http.response.status_code': '504' },
    'failed traces of version 2.4.0': { 'service.version': '2.4.0' },
    'traces in region eu-west-1 with payment method paypal': {
      'cloud.region': 'eu-west-1',
      'payment.method': 'paypal',
    },
    'CUSTOMER.TIER is Gold': { 'customer.tier': 'Gold' },
  };
  for (const [text, tags] of Object.entries(APPLIED))
    it(`are read from “${text}”`, () => {
      const found = extract(text);
      assert.deepEqual([found.tags, found.unsupported], [tags, []]);
      assert.equal(found.rest.length, text.length, 'offsets stay valid');
      for (const value of Object.values(tags)) assert.ok(!found.rest.includes(value), found.rest);
    });

  const UNSUPPORTED: Readonly<Record<string, string>> = {
    'traces where customer.tier is not gold': 'customer.tier is not gold',
    "traces where customer.tier isn't gold": "customer.tier isn't gold",
    'traces where customer.tier != gold': 'customer.tier != gold',
    'traces with status code above 499': 'status code above 499',
    'traces with http.response.status_code >= 500': 'http.response.status_code >= 500',
    'traces with status code 5xx': 'status code 5xx',
    'traces where customer.tier contains ol': 'customer.tier contains ol',
    'traces where customer.tier is gold and customer.tier is silver': 'customer.tier is silver',
  };
  for (const [text, said] of Object.entries(UNSUPPORTED))
    it(`are named where no search has them: “${text}”`, () => assert.deepEqual(extract(text).unsupported, [said]));

  for (const text of [
    'failed traces per region',
    'which region has the most errors',
    'error rate by payment method',
    'which version of payment is running',
    'what is the payment method',
    'the status is ERROR',
    'name of the service',
  ])
    it(`are not in “${text}”`, () => assert.deepEqual(extract(text), { tags: {}, unsupported: [], rest: text }));
});
