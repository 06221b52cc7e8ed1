import assert from 'node:assert/strict';
import {
  readQuery,
  type QueryReadingInput,
} from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import { isQueryPreferred } from '../../../../../src/assistant/analyst/question-query/query-selection.js';
import type { FoundValue, QuestionQuery } from '../../../../../src/assistant/analyst/question-query/question-query.js';
import { extractServiceNames } from '../../../../../src/assistant/analyst/entities/service-name-extractor.js';
import { tokenize } from '../../../../../src/assistant/analyst/lexicon/tokenizer.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const MINUTE = 60_000;
const VOCABULARY = {
  services: ['cart', 'payment', 'picking-api'],
  dependencies: ['orders', 'feature-store'],
  operations: ['POST /charges', 'POST /parcels', 'POST /picks', 'lookup features'],
  measured: [],
  metrics: [
    { name: 'robot.battery.level', unit: '%', attributeKeys: ['robot.id'] },
    { name: 'conveyor.speed', unit: 'm/s', attributeKeys: [] },
  ],
  attributes: {
    traces: [
      'cache.hit',
      'carrier.code',
      'http.response.status_code',
      'parcel.weight',
      'scanner.model',
      'service.version',
      'user.id',
    ],
    logs: [],
  },
};
const pairs = (values: readonly (readonly [string, string])[]): ReadonlyMap<string, FoundValue> =>
  new Map(values.map(([value, field]) => [value, { field, value }]));
const VALUES = pairs([
  ['ups', 'carrier.code'],
  ['dpd', 'carrier.code'],
]);
const POINTS = pairs([
  ['r1', 'robot.id'],
  ['r3', 'robot.id'],
]);

function query(text: string): QuestionQuery {
  const input: QueryReadingInput = { text, vocabulary: VOCABULARY, nowMs: NOW, values: VALUES, pointValues: POINTS };
  const reading = readQuery({ ...input, flags: new Set(['cache.hit']) });
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

const isIn = (field: string, ...values: readonly string[]) => ({ kind: 'in' as const, field, values });
const asked = ({ measures }: QuestionQuery): readonly string[] =>
  measures.slice(1).map(({ fn, field }) => `${fn}(${field})`);

describe('figures that a question asks for', () => {
  it('are of the operation that a word is, not of a service that begins alike', () => {
    const { conditions, groupBy } = query('picks that took more than 350 ms by scanner model');
    assert.deepEqual(conditions[0], isIn('operation', 'POST /picks'));
    assert.deepEqual(groupBy, ['scanner.model']);
    const { names } = extractServiceNames(
      tokenize('errors of picking'),
      VOCABULARY.services,
      [],
      VOCABULARY.operations,
    );
    assert.deepEqual(names, ['picking-api']);
  });

  it('are told for each of the values that are compared', () => {
    const { groupBy, conditions } = query('battery of r1 vs r3');
    assert.deepEqual(groupBy, ['robot.id']);
    assert.deepEqual(conditions[1], isIn('robot.id', 'r1', 'r3'));
    assert.deepEqual(query('what happens more often, 429 or 504?').groupBy, ['http.response.status_code']);
    assert.deepEqual(query('did cart log more errors than warnings?').groupBy, ['severity']);
    const heavier = query('does ups get heavier parcels than dpd on average?');
    assert.deepEqual(heavier.groupBy, ['carrier.code']);
    assert.deepEqual(asked(heavier), ['avg(parcel.weight)']);
  });

  it('are no durations of requests where something lasted', () => {
    const input = { vocabulary: VOCABULARY, nowMs: NOW, values: VALUES };
    assert.equal(readQuery({ ...input, text: 'how long was cart 1.5.0 live?' }).kind, 'unread');
    assert.equal(readQuery({ ...input, text: 'how long was payment degraded?' }).kind, 'unread');
    assert.deepEqual(asked(query('how long do calls to feature-store take')), ['avg(duration)', 'p95(duration)']);
  });

  it('are those before and after a time, a quarter of an hour each', () => {
    const at = NOW - 60 * MINUTE;
    const { time, baseline } = query('payment latency before and after 11:00');
    assert.deepEqual(time, { kind: 'range', fromMs: at, toMs: at + 15 * MINUTE });
    assert.deepEqual(baseline, { kind: 'range', fromMs: at - 15 * MINUTE, toMs: at });
  });

  it('are shares of the whole that comes last', () => {
    const { conditions, share } = query('ratio of cache misses among feature-store lookups');
    assert.deepEqual(share, [isIn('cache.hit', 'false')]);
    assert.ok(conditions.some((each) => each.kind === 'callee'));
  });

  it('are numbers, sums and values of attributes that words name', () => {
    assert.deepEqual(asked(query('how many users got a 504')), ['countDistinct(user.id)']);
    const total = query('total weight of parcels per carrier');
    assert.deepEqual([asked(total), total.groupBy], [['sum(parcel.weight)'], ['carrier.code']]);
    assert.equal(query('how fast was the conveyor at most since 11:00?').measures.at(-1)?.fn, 'max');
  });

  it('answer whether there were more than some', () => {
    const { measures, conditions } = query('were there more than 100 failed charges since 11:00?');
    assert.deepEqual(measures, [{ fn: 'count' }]);
    assert.deepEqual(conditions, [isIn('status', 'ERROR'), isIn('operation', 'POST /charges')]);
  });

  it('are of what succeeded, unless it went through something', () => {
    assert.deepEqual(query('how many charges went through').conditions[0], isIn('operation', 'POST /charges'));
    assert.ok(
      query('how many charges went through').conditions.some((each) => 'field' in each && each.field === 'status'),
    );
    assert.deepEqual(query('how many requests went through ups').conditions, [isIn('carrier.code', 'ups')]);
    assert.ok(!JSON.stringify(query('how many requests went through payment').conditions).includes('"status"'));
    assert.ok(JSON.stringify(query('how many requests went through in the last hour').conditions).includes('"OK"'));
  });

  it('are of log entries from a level on', () => {
    const [severity] = query('number of log records at level warn or worse').conditions;
    assert.deepEqual(severity, isIn('severity', 'Warning', 'Error', 'Fatal'));
  });
});

describe('a question for one record', () => {
  const found = (listing: QuestionQuery['listing']): QuestionQuery => ({
    ...{ subject: 'logs', conditions: [{ kind: 'text', phrase: 'rejected' }], measures: [], groupBy: [], having: [] },
    ...(listing !== undefined && { listing }),
    limit: 1,
  });
  const onset = { kind: 'understood', intent: 'onset', slots: { services: [] } } as const;

  it('asks for the last of those before, and no diagnosis', () => {
    assert.ok(isQueryPreferred(onset, found({ by: 'time', descending: true }), VOCABULARY));
    assert.ok(!isQueryPreferred(onset, found({ by: 'time', descending: false }), VOCABULARY));
  });
});
