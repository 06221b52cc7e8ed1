import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NewestLogHeap } from '../../../../src/queries/logs/newest-log-heap.js';
import { formatLogId, parseLogId } from '../../../../src/queries/logs/log-location.js';
import { RowFilter } from '../../../../src/queries/telemetry/row-filter.js';
import { selectLargestIndexes, sortCooperatively } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import { TraceIdDictionaryCache, TraceIdDictionary } from '../../../../src/queries/traces/trace-id-dictionary.js';
import { UnlimitedTimeSlice } from '../telemetry/support/unlimited-time-slice.js';

const small = fc.nat(4);
const key = fc.tuple(small, small, small, small);
type Key = readonly [timeUs: number, timeNs: number, revision: number, ordinal: number];

describe('selecting the largest', () => {
  it('equals sorting all, ties included, and a longer selection starts with a shorter one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(small, fc.constant(-Infinity)), { maxLength: 60 }),
        fc.nat(70),
        fc.nat(70),
        async (values, k, more) => {
          const column = Float64Array.from(values);
          const ordered = values
            .map((_, i) => i)
            .sort((a, b) => (values[a] === values[b] ? b - a : values[b] > values[a] ? 1 : -1));
          assert.deepEqual(
            [...(await selectLargestIndexes(column, values.length, k, new UnlimitedTimeSlice()))],
            ordered.slice(0, k),
          );
          assert.deepEqual(
            [...(await selectLargestIndexes(column, values.length, k + more, new UnlimitedTimeSlice()))].slice(0, k),
            ordered.slice(0, k),
          );
        },
      ),
    ));
});

describe('cooperative sorting', () => {
  it('equals sorting at once, and keeps equals in their order', async () => {
    const timeSlice = new UnlimitedTimeSlice();
    const items = Array.from({ length: 10_000 }, (_, i) => ({ i, rank: (i * 7_919) % 1_000 }));
    const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;
    assert.deepEqual(await sortCooperatively(items, byRank, timeSlice), [...items].sort(byRank));
    assert.deepEqual(await sortCooperatively([], byRank, timeSlice), []);
    assert.ok(timeSlice.yieldChecks > 10, `${timeSlice.yieldChecks} looks at the clock`);
  });
});

describe('keeping the newest log records', () => {
  const keys = fc.uniqueArray(key, { maxLength: 200, selector: (values) => values.join() });

  it('equals sorting all by time, revision and ordinal', () =>
    fc.assert(
      fc.property(keys, fc.nat(90), fc.nat(20), (offers, k, skip) => {
        const newest = offered(new NewestLogHeap(k), offers);
        const kept = [...offers].sort(newestFirst).slice(0, k);
        if (kept.length > 0) assert.deepEqual(Object.values(newest.oldest), kept.at(-1));
        assert.deepEqual(
          newest.drainAfter(skip).map(({ block, row }) => [block, offers[row]]),
          kept.slice(skip).map((moment) => [3, moment]),
        );
      }),
    ));

  it('takes only what is older than its bound', () =>
    fc.assert(
      fc.property(keys, fc.nat(90), key, (offers, k, bound) => {
        const [timeUs, timeNs, revision, ordinal] = bound;
        const newest = offered(new NewestLogHeap(k, { timeUs, timeNs, revision, ordinal }), offers);
        const older = offers.filter((moment) => newestFirst(moment, bound) > 0).sort(newestFirst);
        assert.deepEqual(
          newest.drainAfter(0).map(({ row }) => offers[row]),
          older.slice(0, k),
        );
      }),
    ));

  it('says when nothing of a time can be among them any more', () => {
    const newest = new NewestLogHeap(1);
    assert.ok(newest.accepts(0));
    offered(newest, [[5, 0, 0, 0]]);
    assert.deepEqual(
      [4, 5, 6].map((timeUs) => newest.accepts(timeUs)),
      [false, true, true],
    );
    assert.equal(new NewestLogHeap(0).accepts(9), false);
  });

  function offered(newest: NewestLogHeap, offers: readonly Key[]): NewestLogHeap {
    newest.offer(
      Uint16Array.from(offers, (_, row) => row),
      {
        block: 3,
        times: Uint32Array.from(offers, ([timeUs]) => timeUs),
        baseUs: 0,
        timeNs: Uint16Array.from(offers, ([, timeNs]) => timeNs),
        revision: Uint32Array.from(offers, ([, , revision]) => revision),
        ordinal: Uint32Array.from(offers, ([, , , ordinal]) => ordinal),
      },
    );
    return newest;
  }
});

describe('filtering the rows of a block', () => {
  it('leaves what meets all conditions, and the arrays it started with alone', () => {
    const start = Uint16Array.of(1, 3, 5, 7);
    const filter = new RowFilter().startWith(start);
    filter.equal(Uint16Array.of(9, 9, 9, 9, 9, 9, 9, 0), 9).within(Float64Array.of(0, 10, 0, 20, 0, 30, 0, 40), 10, 30);
    assert.deepEqual([...filter.take()], [1, 3]);
    assert.deepEqual([...start], [1, 3, 5, 7]);
    assert.deepEqual(
      [
        ...filter
          .startWithAll(4)
          .passing(Uint8Array.of(0, 1, 2, 1), Uint8Array.of(0, 1, 0))
          .take(),
      ],
      [1, 3],
    );
    assert.deepEqual(
      [
        ...filter
          .startWithAll(3)
          .equalPair(Uint32Array.of(1, 2, 1, 3, 1, 2), 1, 2)
          .take(),
      ],
      [0, 2],
    );
    assert.equal(filter.startWithAll(2).equal(Uint16Array.of(1, 1), 2).isEmpty, true);
  });
});

describe('ids of log records', () => {
  it('lead back to what they were made of', () =>
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (revision, ordinal) =>
        assert.deepEqual(parseLogId(formatLogId(revision, ordinal)), { revision, ordinal }),
      ),
    ));

  it('are nothing else', () => {
    for (const id of [
      '',
      '-',
      '1',
      '1-',
      '-1',
      '01-1',
      '1-01',
      'A-1',
      '1-1-1',
      '1 -1',
      '0123456789abcdef',
      `${'z'.repeat(12)}-1`,
    ])
      assert.equal(parseLogId(id), undefined, id);
  });
});

describe('numbers of traces kept between searches', () => {
  function fill(numbers: TraceIdDictionary): TraceIdDictionary {
    for (let i = 0; numbers.bytes < 10_000; i++) numbers.ids.add(Uint32Array.of(i, 1, 2, 3), 0);
    return numbers;
  }

  it('are there again for the same Grid, until others need the room', () => {
    const recent = new TraceIdDictionaryCache(fill(new TraceIdDictionary()).bytes * 2.5);
    const [a, b] = ['a', 'b'].map((key) => fill(recent.get(key)));
    assert.ok(recent.get('a') === a);
    fill(recent.get('c'));
    assert.ok(recent.get('a') === a);
    assert.ok(recent.get('b') !== b);
  });

  it('start over where one Grid has more than may be kept', () => {
    const recent = new TraceIdDictionaryCache(1);
    fill(recent.get('a'));
    assert.equal(recent.get('a').ids.size, 0);
  });
});

function newestFirst(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs < 0 ? 0 : b[differs] - a[differs];
}
