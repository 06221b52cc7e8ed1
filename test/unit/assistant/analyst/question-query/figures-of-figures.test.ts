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
