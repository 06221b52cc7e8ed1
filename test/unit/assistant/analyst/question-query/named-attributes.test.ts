import assert from 'node:assert/strict';
import {
  readQuery,
  type QueryReadingInput,
} from '../../../../../src/assistant/analyst/question-query/query-reading.js';
import { writeWhere } from '../../../../../src/assistant/analyst/question-query/query-writer.js';
import { continueQuery } from '../../../../../src/assistant/analyst/question-query/query-selection.js';
import type {
  FoundValue,
  QueryReading,
  QuestionQuery,
} from '../../../../../src/assistant/analyst/question-query/question-query.js';

const NOW = Date.UTC(2026, 2, 14, 12, 0);
const VOCABULARY = {
  services: ['checkout', 'picking'],
  dependencies: ['orders', 'label-printer'],
  operations: ['INSERT orders', 'POST /orders', 'POST /parcels', 'POST /scans'],
  measured: [],
  metrics: [
    { name: 'robot.battery.level', unit: '%', attributeKeys: ['robot.id'], type: 'gauge' as const, monotonic: false },
    { name: 'parcels.sorted', unit: '{parcel}', attributeKeys: ['site'], type: 'sum' as const, monotonic: true },
    { name: 'pool.pending', unit: '{request}', attributeKeys: [], type: 'sum' as const, monotonic: false },
  ],
  attributes: {
    traces: ['host.name', 'order.express', 'parcel.weight', 'picker.shift', 'service.version', 'site', 'voucher.id'],
    logs: ['order.id', 'site'],
  },
};
const ENTRY = '(kind in (SERVER, CONSUMER) or not exists(parentSpanId))';
const VALUES: ReadonlyMap<string, FoundValue> = new Map(
  (
    [
      ['late', 'picker.shift'],
      ['porto', 'site'],
      ['node-2', 'host.name'],
      ['ScannerOffline', 'event.exception.type'],
    ] as const
  ).map(([value, field]) => [value, { field, value }]),
);

function read(text: string, more: Partial<QueryReadingInput> = {}): QueryReading {
  const flags = new Set(['order.express']);
  return readQuery({ text, vocabulary: VOCABULARY, nowMs: NOW, values: VALUES, flags, ...more });
}

function query(text: string, more: Partial<QueryReadingInput> = {}): QuestionQuery {
  const reading = read(text, more);
  assert.equal(reading.kind, 'query', `${text}: ${JSON.stringify(reading)}`);
  return reading.query;
}

function where(text: string): string {
  const { subject, conditions } = query(text);
  return writeWhere(subject, conditions, { keys: VOCABULARY.attributes.traces });
}

const asked = ({ measures }: QuestionQuery): readonly string[] =>
  measures.slice(1).map(({ fn, field }) => `${fn}(${field})`);

describe('attributes that a question names by words of its own', () => {
  it('are groups where their key is a word that restricts nothing elsewhere', () => {
    assert.deepEqual(query('requests that ended in ScannerOffline by site').groupBy, ['site']);
    assert.deepEqual(query('errors by shift and site').groupBy, ['picker.shift', 'site']);
    assert.equal(read('errors by shift and shop').kind, 'unread');
    assert.equal(read('requests by shop').kind, 'unread');
    assert.equal(read('requests per component').kind, 'unread');
  });

  it('have the dimension of an adjective', () => {
    const heaviest = query('heaviest parcel handled by the late shift');
    assert.deepEqual(asked(heaviest), ['max(parcel.weight)']);
    assert.equal(writeWhere(heaviest.subject, heaviest.conditions, { keys: [] }), `${ENTRY} and picker.shift = late`);
    assert.deepEqual(asked(query('the lightest parcel')), ['min(parcel.weight)']);
    assert.equal(
      where('how many parcels heavier than 5000 went out in porto'),
      `${ENTRY} and parcel.weight > 5000 and site = porto`,
    );
    assert.equal(read('how many parcels heavier than 5 kg').kind, 'unread', 'the unit of the attribute is not known');
  });

  it('are missing in various words', () => {
    for (const words of ['without a voucher', 'that carry no voucher', 'that do not have a voucher', 'with no voucher'])
      assert.equal(where(`requests ${words}`), `${ENTRY} and not (exists(voucher.id))`, words);
  });

  it('are flags of the noun in their key, not a queue of this name', () => {
    const { conditions, subject } = query('average parcel weight of express orders');
    assert.equal(subject, 'requests');
    assert.deepEqual(conditions, [{ kind: 'in', field: 'order.express', values: ['true'] }]);
  });

  it('belong to the whole of a share unless a verb asks for them', () => {
    const failed = query('what percentage of requests on node-2 failed');
    assert.deepEqual(failed.conditions, [{ kind: 'in', field: 'host.name', values: ['node-2'] }]);
    assert.deepEqual(failed.share, [{ kind: 'in', field: 'status', values: ['ERROR'] }]);
    const on = query('what percentage of requests on node-2');
    assert.deepEqual(on.share, [{ kind: 'in', field: 'host.name', values: ['node-2'] }]);
    assert.deepEqual(query('what percentage of requests on node-2 failed by site').groupBy, ['site']);
  });

  it('restrict the availability, which is the share of successes', () => {
    const { conditions, share } = query('availability of checkout on node-2');
    assert.deepEqual(share, [{ kind: 'in', field: 'status', values: ['OK'] }]);
    assert.deepEqual(conditions.length, 2);
  });
});

describe('operations that a question names by one word', () => {
  it('are those that have no other, even where a queue is called so', () => {
    assert.equal(where('how many orders in the last hour'), `${ENTRY} and operation = "POST /orders"`);
    assert.match(where('how many calls to orders in the last hour'), /^kind in \(CLIENT, PRODUCER\)/);
  });

  it('are guesses, without which the question can be read', () => {
    const reading = read('scans in porto');
    assert.deepEqual(reading.kind === 'query' ? reading.guessed : undefined, ['POST /scans']);
    assert.equal(read('scans in porto', { guessesOperations: false }).kind, 'unread');
  });
});

describe('metrics that a question names', () => {
  it('come before an operation that has one of the words', () => {
    const { subject, conditions } = query('how many parcels were sorted in porto in the past hour?');
    assert.equal(subject, 'metrics');
    assert.deepEqual(conditions.at(-1), { kind: 'in', field: 'site', values: ['porto'] });
  });

  it('are summed up if they are counters, and only then', () => {
    assert.deepEqual(asked(query('how many parcels were sorted')), ['sum(value)']);
    assert.deepEqual(query('which site sorted most parcels').groupBy, ['site']);
    assert.notEqual(read('average parcels sorted').kind, 'query');
    assert.notEqual(read('how many pool pending').kind, 'query');
  });

  it('have values of their own attributes', () => {
    const pointValues = new Map([['r2', { field: 'robot.id', value: 'r2' }]]);
    assert.equal(read('lowest battery level of robot r2').kind, 'unread');
    const { conditions, measures } = query('lowest battery level of robot r2', { pointValues });
    assert.deepEqual(conditions.at(-1), { kind: 'in', field: 'robot.id', values: ['r2'] });
    assert.equal(measures.at(-1)?.fn, 'min');
    assert.deepEqual(query('which robot has the lowest battery').groupBy, ['robot.id']);
  });
});

describe('a question after another that was a query', () => {
  it('lists records where it asks for the longest', () => {
    const before = query('how many requests failed');
    const next = continueQuery('which of them took longest?', 5, query('which of them took longest?'), before);
    assert.deepEqual(next?.listing, { by: 'duration', descending: true });
    assert.deepEqual(next?.measures, []);
    assert.deepEqual(next?.conditions, before.conditions);
  });
});
