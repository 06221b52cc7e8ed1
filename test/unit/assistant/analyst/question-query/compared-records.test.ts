import assert from 'node:assert/strict';
import { continueQuery } from '../../../../../src/assistant/analyst/question-query/query-selection.js';
import { findImpossibleParts } from '../../../../../src/assistant/analyst/question-query/query-validity.js';
import { readQuery } from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import type { QuestionQuery } from '../../../../../src/assistant/analyst/question-query/question-query.js';

const VOCABULARY = {
  services: ['accounts', 'cart', 'payment', 'search'],
  dependencies: ['users_db'],
  operations: ['POST /login', 'GET /search', 'SELECT users'],
  measured: [],
  attributes: {
    traces: [
      'cloud.region',
      'customer.tier',
      'http.request.body.size',
      'http.response.status_code',
      'search.cache_hit',
      'service.version',
      'tenant.id',
    ],
    logs: ['tenant.id'],
  },
};
const VALUES = new Map(
  Object.entries({
    gold: 'customer.tier',
    free: 'customer.tier',
    umbrella: 'tenant.id',
    'eu-west-1': 'cloud.region',
    'us-east-1': 'cloud.region',
  }).map(([value, field]) => [value, { field, value }]),
);

function read(text: string): ReturnType<typeof readQuery> {
  const input = { text, vocabulary: VOCABULARY, nowMs: Date.UTC(2026, 2, 14, 12, 0) };
  return readQuery({ ...input, values: VALUES, flags: new Set(['search.cache_hit']) });
}

function query(text: string): QuestionQuery {
  const reading = read(text);
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

describe('questions about members of a group', () => {
  it('compares the members beside a comparative', () => {
    const { conditions, groupBy, measures } = query('is eu-west-1 slower than us-east-1?');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'cloud.region', values: ['eu-west-1', 'us-east-1'] }]);
    assert.deepEqual(groupBy, ['cloud.region']);
    assert.deepEqual(
      measures.map(({ fn }) => fn),
      ['count', 'avg', 'p95'],
    );
    assert.deepEqual(query('did gold customers fail more than free ones').groupBy, ['customer.tier']);
  });

  it('compares a member with all others', () => {
    const { besideRest, conditions } = query('error rate for umbrella on search vs other tenants');
    assert.deepEqual(besideRest, { kind: 'in', field: 'tenant.id', values: ['umbrella'] });
    assert.deepEqual(conditions, [{ kind: 'in', field: 'service', values: ['search'] }]);
  });

  it('takes the noun beside a value for its bearer, but counts only what it can count', () => {
    assert.deepEqual(query('p99 of search for gold customers').conditions, [
      { kind: 'in', field: 'service', values: ['search'] },
      { kind: 'in', field: 'customer.tier', values: ['gold'] },
    ]);
    assert.equal(read('how many gold customers hit an error').kind, 'unread');
  });

  it('knows what an id identifies', () => {
    assert.deepEqual(query('which tenant causes the most errors').groupBy, ['tenant.id']);
    assert.deepEqual(query('how many distinct tenants got a 500').measures.at(-1), {
      fn: 'countDistinct',
      field: 'tenant.id',
    });
  });

  it('reads flags, their negation and their share', () => {
    const hit = { kind: 'in', field: 'search.cache_hit', values: ['true'] };
    assert.deepEqual(query('median latency of requests without a cache hit').conditions, [{ kind: 'not', term: hit }]);
    assert.deepEqual(query('cache hit ratio of search').share, [hit]);
  });

  it('reads sizes, groups without failures, and figures of each minute', () => {
    assert.deepEqual(query('how many requests bigger than 10 kB did accounts get').conditions[0], {
      kind: 'compare',
      field: 'http.request.body.size',
      sign: '>',
      value: '10000',
    });
    assert.deepEqual(query('which operations never failed').having, [
      { measure: { fn: 'failures' }, sign: '=', value: 0 },
    ]);
    assert.equal(query('error rate of payment per minute').stepSeconds, 60);
    assert.equal(query('requests per minute to payment').stepSeconds, undefined);
  });

  it('is read in every form of leaving out', () => {
    for (const form of ['everything but payment', 'all services but payment', 'not counting payment'])
      assert.deepEqual(
        query(`error logs from ${form}`).conditions.at(-1),
        { kind: 'not', term: { kind: 'in', field: 'service', values: ['payment'] } },
        form,
      );
  });
});

describe('queries that no record can meet', () => {
  const impossible = (text: string): readonly string[] => findImpossibleParts(query(text), VOCABULARY);

  it('are named', () => {
    assert.deepEqual(impossible('p95 of payment requests of cart'), ['payment and cart at once']);
    assert.deepEqual(impossible('how many error logs of gold customers'), ['customer.tier']);
    assert.deepEqual(impossible('how many error logs of tenant umbrella'), []);
  });

  it('are not asked for a part of a question whose beginning is not known', () => {
    assert.equal(continueQuery('and for gold only?', 4, query('and for gold only?'), undefined), undefined);
    assert.equal(read('traces without a payment span').kind, 'unread');
  });
});
