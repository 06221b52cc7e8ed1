import assert from 'node:assert/strict';
import { readQuery } from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import { writeWhere } from '../../../../../src/assistant/analyst/question-query/query-writer.js';
import type { QuestionQuery } from '../../../../../src/assistant/analyst/question-query/question-query.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const VOCABULARY = {
  services: ['billing-worker', 'payment', 'picking-api', 'recommendations'],
  dependencies: ['shelves_db'],
  operations: ['POST /charges', 'POST /picks', 'process invoices', 'SELECT shelves', 'UPDATE shelves'],
  measured: ['billing.queue.depth', 'process.cpu.utilization', 'parcels.sorted'],
  metrics: [
    { name: 'billing.queue.depth', unit: '{invoice}', attributeKeys: [], type: 'gauge' as const },
    { name: 'process.cpu.utilization', unit: '1', attributeKeys: [], type: 'gauge' as const },
    { name: 'parcels.sorted', unit: '{parcel}', attributeKeys: ['site'], type: 'sum' as const, monotonic: true },
  ],
  attributes: {
    traces: [
      ...['cache.hit', 'cloud.region', 'db.namespace', 'db.operation.name', 'http.response.status_code'],
      ...['invoice.amount', 'invoice.currency', 'retry.count', 'service.instance.id', 'site', 'subscription.plan'],
    ],
    logs: [],
  },
};
const VALUES = new Map([
  ['free', { field: 'subscription.plan', value: 'free' }],
  ['EUR', { field: 'invoice.currency', value: 'EUR' }],
]);

function query(text: string): QuestionQuery {
  const reading = readQuery({
    text,
    vocabulary: VOCABULARY,
    nowMs: NOW,
    values: VALUES,
    flags: new Set(['cache.hit']),
  });
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

function where(text: string): string {
  const { subject, conditions } = query(text);
  return writeWhere(subject, conditions, { keys: VOCABULARY.attributes.traces });
}

describe('questions for rates', () => {
  it('ask for one figure where they name the mean, or a second', () => {
    const perMinute = { fn: 'failureRate', isPerMinute: true };
    for (const text of ['on average how many errors a minute did payment have', 'mean errors per minute of payment']) {
      assert.deepEqual(query(text).measures.at(-1), perMinute, text);
      assert.equal(query(text).stepSeconds, undefined, text);
    }
    assert.deepEqual(query('errors per second of payment').measures.at(-1), { fn: 'failureRate', isPerMinute: false });
    const charges = query('mean number of failed POST /charges per minute');
    assert.deepEqual(charges.measures, [{ fn: 'count' }, { fn: 'rate', isPerMinute: true, isMean: true }]);
  });

  it('ask for each minute where they name none, or the highest or lowest', () => {
    assert.equal(query('errors per minute of payment').stepSeconds, 60);
    const both = query('payment throughput per minute, lowest and highest');
    assert.deepEqual([both.stepSeconds, both.measures], [60, [{ fn: 'count' }]]);
  });

  it('still ask for a duration that they name', () => {
    const { measures, stepSeconds } = query('average latency of payment per minute');
    assert.deepEqual([stepSeconds, measures], [60, [{ fn: 'count' }, { fn: 'avg', field: 'duration' }]]);
  });
});

describe('questions for shares', () => {
  it('may name the whole first', () => {
    const { conditions, share } = query('free plan: what percentage ended in a conflict');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'subscription.plan', values: ['free'] }]);
    assert.deepEqual(share, [{ kind: 'in', field: 'http.response.status_code', values: ['409'] }]);
  });

  it('may be about groups, and of a flag about the records that have it', () => {
    const { conditions, share, groupBy } = query('cache hit ratio by region');
    assert.deepEqual(groupBy, ['cloud.region']);
    assert.deepEqual(conditions, [{ kind: 'exists', field: 'cache.hit' }]);
    assert.deepEqual(share, [{ kind: 'in', field: 'cache.hit', values: ['true'] }]);
  });
});

describe('words for values', () => {
  const EXPECTED: Readonly<Record<string, string>> = {
    'how many free plan requests were rate limited': 'http.response.status_code = "429" and subscription.plan = free',
    'how many invoices needed 3 retries': 'operation = "process invoices" and retry.count = "3"',
    'how many requests had more than 2 retries': 'retry.count > 2',
    'invoices over 900 in EUR': 'operation = "process invoices" and invoice.amount > 900 and invoice.currency = EUR',
  };
  for (const [text, expected] of Object.entries(EXPECTED))
    it(`are read in “${text}”`, () => {
      const parts = (written: string): readonly string[] =>
        written
          .split(' and ')
          .filter((part) => !part.startsWith('('))
          .sort();
      assert.deepEqual(parts(where(text)), parts(expected));
    });

  it('are verbs of SQL that are compared', () => {
    const { groupBy, measures, order } = query('UPDATE or SELECT on shelves_db, which takes longer on average?');
    assert.deepEqual(groupBy, ['db.operation.name']);
    assert.deepEqual(measures.at(-1), { fn: 'avg', field: 'duration' });
    assert.equal(order?.descending, true);
  });

  it('name no status in questions about log entries', () => {
    assert.deepEqual(query('logs mentioning forbidden').conditions, [{ kind: 'text', phrase: 'forbidden' }]);
  });

  it('are those of the only amount, whose verb says no more', () => {
    const { measures, groupBy } = query('sum of amounts invoiced by currency');
    assert.deepEqual(measures.at(-1), { fn: 'sum', field: 'invoice.amount' });
    assert.deepEqual(groupBy, ['invoice.currency']);
  });
});

describe('measures', () => {
  it('of one attribute may be several', () => {
    assert.deepEqual(query('max and min invoice.amount').measures.slice(1), [
      { fn: 'max', field: 'invoice.amount' },
      { fn: 'min', field: 'invoice.amount' },
    ]);
  });

  it('are told for each alternative where the question asks which one', () => {
    const { groupBy, order } = query('POST /charges or POST /picks: which one fails more often?');
    assert.deepEqual([groupBy, order], [['operation'], { measure: { fn: 'errorRate' }, descending: true }]);
  });
});

describe('groups', () => {
  it('are asked for by a superlative, a comparative, a misspelled word, or for their names', () => {
    assert.deepEqual(query('busiest site').groupBy, ['site']);
    const slower = query('which payment instance is slower');
    assert.deepEqual([slower.groupBy, slower.order?.descending], [['service.instance.id'], true]);
    assert.deepEqual(query('p95 of payment by regoin').groupBy, ['cloud.region']);
    assert.deepEqual(query('similar but per plan subscription').groupBy, ['subscription.plan']);
    const five = query('five sites with the most errors');
    assert.deepEqual([five.limit, five.groupBy], [5, ['site']]);
    const own = query('requests per payment instance');
    assert.deepEqual([own.groupBy, own.conditions.length], [['service.instance.id'], 1]);
    const named = query('how many instances of payment are running and what are they called');
    assert.deepEqual(named.groupBy, ['service.instance.id']);
  });
});

describe('questions for metrics', () => {
  it('may ask for the value of now', () => {
    const { isLatest, stepSeconds, measures } = query('queue depth of billing right now');
    assert.deepEqual([isLatest, stepSeconds], [true, 60]);
    assert.deepEqual(measures.at(-1), { fn: 'max', field: 'last', unit: '{invoice}' });
  });

  it('may have bounds, of which a percentage is one of 1', () => {
    const { having, groupBy } = query('has the cpu of payment gone over 90 %');
    assert.deepEqual(having, [{ measure: { fn: 'max', field: 'value', unit: '1' }, sign: '>', value: 0.9 }]);
    assert.deepEqual(groupBy, ['instance']);
    assert.deepEqual(query('has billing queue depth gone below 5').having[0].measure.fn, 'min');
    const inMs = { text: 'billing queue depth over 5 ms', vocabulary: VOCABULARY, nowMs: NOW, values: VALUES };
    assert.equal(readQuery(inMs).kind, 'unread');
  });

  it('call the highest value a peak', () => {
    assert.deepEqual(query('peak of the billing queue').measures.at(-1), {
      fn: 'max',
      field: 'value',
      unit: '{invoice}',
    });
  });
});
