import assert from 'node:assert/strict';
import { readQuery } from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import type {
  QueryReading,
  QuestionQuery,
} from '../../../../../src/assistant/analyst/question-query/question-query.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const VOCABULARY = {
  services: ['payment', 'search'],
  dependencies: ['feature-store'],
  operations: ['GET /items/{id}', 'POST /orders'],
  measured: [],
  metrics: [
    { name: 'billing.queue.depth', unit: '{invoice}', attributeKeys: ['queue.name'] },
    { name: 'process.cpu.utilization', unit: '1', attributeKeys: [] },
  ],
  attributes: {
    traces: ['cache.hit', 'cloud.region', 'customer.plan', 'http.response.status_code', 'user.id'],
    logs: [],
  },
};
const VALUES = new Map(
  (
    [
      ['free', 'customer.plan'],
      ['pro', 'customer.plan'],
      ['eu', 'cloud.region'],
      ['us', 'cloud.region'],
    ] as const
  ).map(([value, field]) => [value, { field, value }]),
);

function read(text: string): QueryReading {
  return readQuery({
    text,
    vocabulary: VOCABULARY,
    nowMs: NOW,
    values: VALUES,
    flags: new Set(['cache.hit']),
    exceptions: ['Error', 'order.Failed', 'BadRequestError', 'FeatureStoreTimeout', 'TypeError'],
  });
}

function query(text: string): QuestionQuery {
  const reading = read(text);
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

/** The words that are named in the refusal. */
function refused(text: string): readonly string[] {
  const reading = read(text);
  assert.equal(reading.kind, 'unread', `${text}: ${JSON.stringify(reading)}`);
  return reading.words;
}

describe('a figure of a figure', () => {
  it('is refused where it is no mean of a number of records', () => {
    assert.deepEqual(refused('average number of distinct users per minute'), ['average']);
    assert.deepEqual(refused('average p95 per minute of payment'), ['average']);
    assert.deepEqual(refused('maximum p95 of payment'), ['maximum']);
    assert.deepEqual(query('average number of requests per minute').measures[1], {
      fn: 'rate',
      isPerMinute: true,
      isMean: true,
    });
  });
});

describe('a figure of a number of records', () => {
  it('is no duration: where no query has it, it is refused', () => {
    assert.deepEqual(refused('minimum requests per second by region'), ['minimum']);
    assert.deepEqual(refused('average number of requests per hour'), ['average']);
    assert.deepEqual(refused('average requests by region'), ['average']);
    assert.deepEqual(refused('mean error rate per minute'), ['average']);
    assert.deepEqual(refused('top 3 endpoints by errors per minute'), ['3']);
    const { measures } = query('number of requests and average latency by region');
    assert.deepEqual(
      measures.map(({ fn }) => fn),
      ['count', 'avg'],
    );
  });

  it('is that of each minute where it is the highest in one minute', () => {
    const { stepSeconds, time, conditions, order } = query('highest number of free requests in one minute');
    assert.equal(stepSeconds, 60);
    assert.equal(time, undefined);
    assert.deepEqual(conditions, [{ kind: 'in', field: 'customer.plan', values: ['free'] }]);
    assert.deepEqual(order, { measure: { fn: 'count' }, descending: true });
    assert.deepEqual(refused('highest number of free requests'), ['highest']);
  });

  it('is not the lowest of groups that have none', () => {
    assert.deepEqual(refused('which customer plan had the fewest gateway timeouts'), ['fewest']);
    assert.deepEqual(refused('bottom 3 regions by requests of free'), ['lowest']);
    assert.deepEqual(query('which customer plan had the fewest requests').groupBy, ['customer.plan']);
  });
});

describe('requests without an exception', () => {
  it('are refused, as their inner spans may have it', () => {
    assert.deepEqual(refused('how many failed requests had no feature store timeout'), ['no FeatureStoreTimeout']);
    assert.deepEqual(refused('how many requests had no feature store timeout or were free'), [
      'no FeatureStoreTimeout',
    ]);
  });
});

describe('one of several values', () => {
  it('is chosen by the figure that the question compares', () => {
    for (const [text, measure, field] of [
      ['free or pro: which has more requests?', 'count', 'customer.plan'],
      ['which region fails more, eu or us?', 'errorRate', 'cloud.region'],
      ['which one fails more, eu or us?', 'errorRate', 'cloud.region'],
    ] as const) {
      const { groupBy, order } = query(text);
      assert.deepEqual(groupBy, [field], text);
      assert.deepEqual(order, { measure: { fn: measure }, descending: true }, text);
    }
  });

  it('is not compared with a value, nor are values within each group', () => {
    assert.deepEqual(refused('which customer plan is faster than pro?'), ['than']);
    assert.deepEqual(refused('which service had more errors than warnings'), ['than']);
    assert.deepEqual(refused('which is slower, free or eu'), ['which']);
  });
});

describe('bounds of a metric', () => {
  const having = (text: string): readonly string[] =>
    query(text).having.map(({ measure: { fn }, sign, value }) => `${fn} ${sign} ${value}`);

  it('are of the highest value where all are meant, of the lowest where one is', () => {
    assert.deepEqual(having('was the billing queue depth at most 10'), ['max <= 10']);
    assert.deepEqual(having('billing queue depth not above 30'), ['max <= 30']);
    assert.deepEqual(having('has the billing queue depth ever been below 5'), ['min < 5']);
    assert.deepEqual(having('has the billing queue depth gone over 20'), ['max > 20']);
  });

  it('are refused where that is not said, or beside the present', () => {
    assert.deepEqual(refused('is the billing queue depth below 5'), ['5']);
    assert.deepEqual(refused('is the billing queue depth over 20 right now'), ['right now']);
  });
});

describe('the share of a flag', () => {
  it('is taken of the records that have the flag', () => {
    for (const text of ['what percentage got a cache hit by region', 'what percentage were no cache hit by region']) {
      const { conditions, groupBy } = query(text);
      assert.deepEqual(conditions, [{ kind: 'exists', field: 'cache.hit' }], text);
      assert.deepEqual(groupBy, ['cloud.region'], text);
    }
    assert.deepEqual(query('cache hit ratio').conditions, [{ kind: 'exists', field: 'cache.hit' }]);
  });
});

describe('types of exceptions with words of the grammar', () => {
  it('take neither errors nor failed requests nor reasons of a status', () => {
    assert.deepEqual(query('errors by region').conditions, []);
    assert.deepEqual(query('how many failed requests').conditions, [
      { kind: 'in', field: 'status', values: ['ERROR'] },
    ]);
    assert.deepEqual(query('how many bad requests').conditions, [
      { kind: 'in', field: 'http.response.status_code', values: ['400'] },
    ]);
  });

  it('are alternatives, or refused', () => {
    assert.deepEqual(query('feature store timeouts and type errors by region').conditions, [
      { kind: 'in', field: 'event.exception.type', values: ['FeatureStoreTimeout', 'TypeError'] },
    ]);
    assert.deepEqual(refused('how many feature store timeouts had a TypeError'), ['FeatureStoreTimeout', 'TypeError']);
  });
});
