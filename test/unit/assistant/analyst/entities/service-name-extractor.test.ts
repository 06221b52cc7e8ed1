import assert from 'node:assert/strict';
import fc from 'fast-check';
import { extractServiceNames } from '../../../../../src/assistant/analyst/entities/service-name-extractor.js';
import { tokenize } from '../../../../../src/assistant/analyst/lexicon/tokenizer.js';

const SERVICES = [
  'checkout-service',
  'checkout-worker',
  'api-gateway',
  'paymentGateway.v2',
  'search',
  'orders',
  'orders-api',
  'user-profile-service',
  'auth-svc',
];
const DEPENDENCIES = ['orders-db', 'postgres', 'session-cache'];
const found = (text: string) => extractServiceNames(tokenize(text), SERVICES, DEPENDENCIES);

describe('names in sentences', () => {
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    'is checkout-worker ok': ['checkout-worker'],
    'the checkout worker': ['checkout-worker'],
    'the gateway': [],
    'api gateway errors': ['api-gateway'],
    'is payment gateway slow': ['paymentGateway.v2'],
    'the payments': ['paymentGateway.v2'],
    'is pyament up': ['paymentGateway.v2'],
    'user profiles': ['user-profile-service'],
    authentication: ['auth-svc'],
    // One operation has exactly this name.
    'errors of orders': ['orders'],
    'the orders database': ['orders-db'],
    'the session cache': ['session-cache'],
    // A word with a meaning of its own is a name only in positions where a name is expected.
    'search traces': [],
    'errors in search': ['search'],
    'the search service': ['search'],
    'an api key': [],
    'compare checkout-worker with auth': ['checkout-worker', 'auth-svc'],
  };
  for (const [text, names] of Object.entries(NAMES))
    it(`finds ${names.join(' and ') || 'none'} in “${text}”`, () => assert.deepEqual(found(text).names, names));

  it('does not guess between names that fit equally well', () => {
    assert.deepEqual(
      extractServiceNames(tokenize('is billing slow'), ['billing-api', 'billing-worker'], []).ambiguous,
      { phrase: 'billing', candidates: ['billing-api', 'billing-worker'] },
    );
  });

  it('takes no words for a name that has none', () => {
    const unsayable = ['', ' ', '\0', '***', '💩'];
    assert.deepEqual(
      extractServiceNames(tokenize('what is wrong with search'), [...unsayable, 'search'], unsayable).names,
      ['search'],
    );
    assert.deepEqual(extractServiceNames(tokenize('what is wrong'), unsayable, unsayable).names, []);
  });

  it('may be what every object of JavaScript has', () => {
    for (const name of ['constructor', 'valueOf', 'hasOwnProperty']) {
      assert.deepEqual(extractServiceNames(tokenize(`is ${name} slow`), [name, 'search'], []).names, [name]);
      assert.deepEqual(extractServiceNames(tokenize(`is ${name} slow`), ['search'], ['orders_db']).names, []);
    }
  });

  it('means the service rather than what it calls', () => {
    assert.deepEqual(extractServiceNames(tokenize('is catalog slow'), ['catalog-web'], ['catalog-db']).names, [
      'catalog-web',
    ]);
  });

  it('finds every name that is said in full', () => {
    const part = fc.stringMatching(/^[a-z]{5,9}$/);
    const names = fc.uniqueArray(
      fc.tuple(part, part).map((parts) => parts.join('-')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(names, fc.nat(), (services, seed) => {
        const name = services[seed % services.length];
        assert.deepEqual(extractServiceNames(tokenize(`how is ${name} doing`), services, []).names, [name]);
      }),
    );
  });
});
