import assert from 'node:assert/strict';
import { compileQuery } from '../../../../../src/queries/query/query-compiler.js';
import { continueQuery } from '../../../../../src/assistant/analyst/question-query/query-selection.js';
import { readQuery } from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import { writeAggregation, writeWhere } from '../../../../../src/assistant/analyst/question-query/query-writer.js';
import type {
  QueryReading,
  QuestionQuery,
} from '../../../../../src/assistant/analyst/question-query/question-query.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const VOCABULARY = {
  services: ['cart', 'checkout', 'payment'],
  dependencies: ['bank.example', 'orders_db'],
  operations: ['POST /orders', 'GET /product/{id}', 'INSERT orders'],
  measured: [],
  attributes: {
    traces: [
      'host.name',
      'service.version',
      'http.response.status_code',
      'http.request.method',
      'peer.service',
      'db.namespace',
      'customer.tier',
    ],
    logs: [],
  },
};

function read(text: string, values: readonly (readonly [string, string])[] = []): QueryReading {
  const found = new Map(values.map(([value, field]) => [value, { field, value }]));
  return readQuery({ text, vocabulary: VOCABULARY, nowMs: NOW, values: found });
}

function query(text: string, values: readonly (readonly [string, string])[] = []): QuestionQuery {
  const reading = read(text, values);
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

function where(text: string, values: readonly (readonly [string, string])[] = []): string {
  const { subject, conditions } = query(text, values);
  return writeWhere(subject, conditions, { keys: VOCABULARY.attributes.traces });
}

describe('questions read as queries', () => {
  const ENTRY = '(kind in (SERVER, CONSUMER) or not exists(parentSpanId))';
  const CONDITIONS: Readonly<Record<string, string>> = {
    'requests of cart between 100 and 200 ms': `${ENTRY} and service = cart and duration >= 100ms and duration <= 200ms`,
    'how many requests to cart did NOT return 200': `${ENTRY} and service = cart and not (http.response.status_code = "200")`,
    'failed requests of cart or payment': `${ENTRY} and status = ERROR and service in (cart, payment)`,
    'how many GET requests did checkout serve': `${ENTRY} and http.request.method = GET and service = checkout`,
    'requests with customer.tier gold': `${ENTRY} and customer.tier = gold`,
    'requests of gold tier on version 1.5.0': `${ENTRY} and customer.tier = gold and service.version = "1.5.0"`,
    'how many traces failed faster than 30ms': 'not exists(parentSpanId) and status = ERROR and duration < 30ms',
    'error logs not from payment': 'severity = Error and not (service = payment)',
    'logs mentioning tripod or binoculars': '(tripod or binoculars)',
    'logs with the word charged but not eur': '(charged and not (eur))',
    'logs containing "signing key"': '"signing key"',
    'how often was bank.example called':
      'kind in (CLIENT, PRODUCER) and (peer.service = bank.example or not exists(peer.service) and db.namespace = bank.example)',
  };
  for (const [text, expected] of Object.entries(CONDITIONS))
    it(`has every condition of “${text}”`, () => {
      assert.equal(where(text, [['gold', 'customer.tier']]), expected);
      const { subject, conditions } = query(text, [['gold', 'customer.tier']]);
      const compiled = compileQuery(
        writeAggregation({ subject, conditions, measures: [{ fn: 'count' }], groupBy: [], having: [] }, conditions, {
          keys: VOCABULARY.attributes.traces,
        }),
      );
      assert.ok('plan' in compiled, JSON.stringify(compiled));
    });

  it('is not read if a word restricts it in an unknown way', () => {
    for (const text of [
      'error rate of the recommendations service',
      'how many platinum customers saw errors',
      'p97 of payment',
      'requests of cart in region eu-west-1',
      'which requests of checkout came after login',
      'how many requests had more than 7',
    ])
      assert.equal(read(text).kind, 'unread', text);
  });

  it('asks for the measures of the question, and no others', () => {
    assert.deepEqual(query('median and p99 of payment').measures, [
      { fn: 'count' },
      { fn: 'p50', field: 'duration' },
      { fn: 'p99', field: 'duration' },
    ]);
    assert.deepEqual(query('error percentage of POST /orders').measures, [{ fn: 'count' }, { fn: 'errorRate' }]);
    assert.deepEqual(query('number of distinct versions of cart').measures.at(-1), {
      fn: 'countDistinct',
      field: 'service.version',
    });
  });

  it('groups, orders and bounds', () => {
    const slow = query('which endpoints have p95 above 300 ms');
    assert.deepEqual(slow.groupBy, ['service', 'operation']);
    assert.deepEqual(slow.having, [{ measure: { fn: 'p95', field: 'duration' }, sign: '>', value: 300 }]);
    assert.deepEqual(query('which host has the fewest requests').order, {
      measure: { fn: 'count' },
      descending: false,
    });
    assert.equal(query('in which minute did payment have the most errors').stepSeconds, 60);
  });

  it('takes the part of a share from what follows the verb', () => {
    const { conditions, share } = query('what percentage of POST /orders requests took more than 400ms');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'operation', values: ['POST /orders'] }]);
    assert.deepEqual(share, [{ kind: 'compare', field: 'duration', sign: '>', value: '400ms' }]);
  });

  it('knows whose deployment is meant', () => {
    assert.deepEqual(query('error rate of checkout since the last deployment of cart').time, {
      kind: 'event',
      side: 'since',
      service: 'cart',
    });
  });

  it('continues the question before with all its conditions', () => {
    const before = query('error rate of checkout between 11:30 and 11:40');
    const next = continueQuery('only POST /orders', 2, query('only POST /orders'), before);
    assert.ok(next !== undefined);
    assert.deepEqual(next.conditions.length, 2);
    assert.deepEqual(next.measures, before.measures);
    assert.deepEqual(next.time, before.time);
    const other = continueQuery('and of cart?', 3, query('and of cart?'), before);
    assert.deepEqual(other?.conditions, [{ kind: 'in', field: 'service', values: ['cart'] }]);
  });

  it('does not read a question that is too long to read whole', () => {
    const counted = `how many requests to cart${' '.repeat(1_000)}`;
    assert.equal(read(`${counted}with smell fish`).kind, 'unread');
    assert.equal(read(counted).kind, 'query');
  });

  it('are read or refused in little time, however they repeat the words of the grammar', () => {
    // With an ambiguous pattern the first of these takes longer than the test may.
    for (const lead of ['logs mentioning ', 'logs about ', 'logs with the word '])
      for (const unit of ['a ', 'a or ', 'a and not ', 'a, or ', 'not ', 'the word ', 'contains ', 'a nor ', ' '])
        for (const end of ['!', ' "', '']) read((lead + unit.repeat(500)).slice(0, 990) + end);
  });
});
