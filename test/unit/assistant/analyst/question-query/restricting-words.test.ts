import assert from 'node:assert/strict';
import { readQuery } from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import { writeAggregation, writeWhere } from '../../../../../src/assistant/analyst/question-query/query-writer.js';
import type {
  QueryReading,
  QuestionQuery,
} from '../../../../../src/assistant/analyst/question-query/question-query.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const VOCABULARY = {
  services: ['billing', 'cart', 'search'],
  dependencies: ['feature-store'],
  operations: ['GET /items/{id}', 'POST /orders'],
  measured: [],
  metrics: [
    { name: 'billing.queue.depth', unit: '{invoice}', attributeKeys: ['queue.name'] },
    { name: 'process.cpu.utilization', unit: '1', attributeKeys: [] },
    { name: 'nodejs.eventloop.delay.p99', unit: 's', attributeKeys: [] },
    { name: 'nodejs.eventloop.utilization', unit: '1', attributeKeys: [] },
  ],
  attributes: {
    traces: [
      'cloud.region',
      'feature_flag.ranking',
      'http.response.body.size',
      'invoice.amount',
      'k8s.pod.name',
      'model.name',
      'service.instance.id',
      'service.version',
      'tenant.id',
      'user.id',
    ],
    logs: [],
  },
};
const ENTRY = '(kind in (SERVER, CONSUMER) or not exists(parentSpanId))';
const VALUES = [
  ['acme', 'tenant.id'],
  ['v3', 'model.name'],
  ['v4', 'model.name'],
  ['search-a1', 'k8s.pod.name'],
  ['search-b1', 'k8s.pod.name'],
  ['RateMissing', 'event.exception.type'],
] as const;

function read(text: string, flags: readonly string[] = []): QueryReading {
  const values = new Map(VALUES.map(([value, field]) => [value, { field, value }]));
  return readQuery({ text, vocabulary: VOCABULARY, nowMs: NOW, values, flags: new Set(flags) });
}

function query(text: string, flags: readonly string[] = []): QuestionQuery {
  const reading = read(text, flags);
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

function where(text: string, flags: readonly string[] = []): string {
  const { subject, conditions } = query(text, flags);
  return writeWhere(subject, conditions, { keys: VOCABULARY.attributes.traces });
}

describe('words of a question that restrict its query', () => {
  const FLAG = ['feature_flag.ranking'];

  it('are values of a field only if the Grid has them', () => {
    assert.equal(read('which service is hurting').kind, 'unread');
    assert.equal(read('requests where the region is suffering').kind, 'unread');
    assert.equal(where('requests where the tenant is acme'), `${ENTRY} and tenant.id = acme`);
    assert.equal(where('requests where tenant = other'), `${ENTRY} and tenant.id = other`);
  });

  it('are the alternatives that a comparison names', () => {
    const { conditions, groupBy, measures } = query('which model is slower, v3 or v4?');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'model.name', values: ['v3', 'v4'] }]);
    assert.deepEqual(groupBy, ['model.name']);
    assert.deepEqual(
      measures.map(({ fn }) => fn),
      ['count', 'avg', 'p95'],
    );
    assert.deepEqual(query('which pod of search is faster, search-a1 or search-b1?').groupBy, ['k8s.pod.name']);
  });

  it('are states of a flag', () => {
    assert.equal(
      where('error rate with feature_flag.ranking disabled', FLAG),
      `${ENTRY} and feature_flag.ranking = false`,
    );
    assert.equal(where('error rate with feature_flag.ranking on', FLAG), `${ENTRY} and feature_flag.ranking = true`);
    assert.deepEqual(query('error rate with feature_flag.ranking on vs off', FLAG).groupBy, FLAG);
    assert.equal(read('error rate with feature_flag.ranking disabled').kind, 'unread');
  });

  it('are bounds in words', () => {
    const { groupBy, having } = query('which services run more than one version?');
    assert.deepEqual(groupBy, ['service']);
    assert.deepEqual(having, [{ measure: { fn: 'countDistinct', field: 'service.version' }, sign: '>', value: 1 }]);
  });

  it('are no sum and no single value of a metric', () => {
    assert.equal(read('average billing queue depth').kind, 'query');
    for (const word of ['total', 'sum of', 'how many', 'latest', 'first', 'distribution of'])
      assert.equal(read(`${word} billing queue depth`).kind, 'unread', word);
  });

  it('are the size of what is named', () => {
    assert.equal(
      where('p90 of search responses bigger than 30 kB'),
      `${ENTRY} and service = search and http.response.body.size > 30000`,
    );
    // The Grid has no size of requests.
    assert.equal(read('requests to search bigger than 30 kB').kind, 'unread');
  });

  it('are whose figure it is, and not its value', () => {
    const { conditions, measures } = query('largest invoice.amount of acme');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'tenant.id', values: ['acme'] }]);
    assert.deepEqual(measures, [{ fn: 'count' }, { fn: 'max', field: 'invoice.amount' }]);
  });

  it('are what is counted', () => {
    assert.deepEqual(query('how many distinct users hit search').measures, [
      { fn: 'count' },
      { fn: 'countDistinct', field: 'user.id' },
    ]);
    assert.equal(where('how many RateMissing exceptions'), 'event.exception.type = RateMissing');
  });

  it('ask for the last or the first record', () => {
    assert.deepEqual(query('when did the RateMissing exceptions stop?').listing, { by: 'time', descending: true });
    assert.deepEqual(query('when did the first RateMissing appear?').listing, { by: 'time', descending: false });
    assert.equal(query('requests of cart').listing?.descending, true);
  });

  it('are the hours between which it looks, of which one may lack its minutes', () => {
    const [nine, half] = [Date.UTC(2026, 2, 14, 9), Date.UTC(2026, 2, 14, 9, 30)];
    for (const text of ['errors of cart between 9 and 9:30', 'errors of cart from 9:00 to 9:30'])
      assert.deepEqual(query(text).time, { kind: 'range', fromMs: nine, toMs: half }, text);
    const { time } = query('errors of cart between 8 and 9 o’clock');
    assert.deepEqual(time, { kind: 'range', fromMs: Date.UTC(2026, 2, 14, 8), toMs: nine });
  });
});

describe('questions about a metric', () => {
  function writeMetric(text: string): { readonly where: string; readonly measures: readonly string[] } {
    const read = query(text);
    const { signal, where: condition, select = [] } = writeAggregation(read, read.conditions, { keys: [] });
    assert.equal(signal, 'metrics', text);
    return { where: condition ?? '', measures: select.map(({ fn, field = '' }) => `${fn}(${field})`) };
  }

  it('name it by words of its name', () => {
    assert.deepEqual(writeMetric('how deep is the billing queue?'), {
      where: 'metric = billing.queue.depth',
      measures: ['count()', 'avg(value)', 'max(value)'],
    });
    assert.equal(
      writeMetric('event loop utilization of cart').where,
      'metric = nodejs.eventloop.utilization and service = cart',
    );
    assert.equal(writeMetric('p99 event loop delay').where, 'metric = nodejs.eventloop.delay.p99');
  });

  it('ask for figures and groups that it has', () => {
    assert.deepEqual(writeMetric('lowest billing queue depth').measures, ['count()', 'min(value)']);
    assert.deepEqual(query('cpu of cart instances').groupBy, ['instance']);
    assert.deepEqual(query('max event loop delay per service').groupBy, ['service']);
  });

  it('are unread where they ask for anything else', () => {
    for (const text of ['p95 of cpu of cart', 'cpu by region', 'cpu of acme', 'failed cpu', 'cpu above 80 ms'])
      assert.equal(read(text).kind, 'unread', text);
  });

  it('are about requests where these can answer', () => {
    assert.equal(query('how many requests to billing').subject, 'requests');
  });
});
