import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NewestLogs } from '../../src/queries/logs/newest-logs.js';
import { logId, parseLogId } from '../../src/queries/logs/log-id.js';
import { RowFilter } from '../../src/queries/row-filter.js';
import { largest } from '../../src/queries/spans/newest.js';
import { RecentTraceNumbers, TraceNumbers } from '../../src/queries/spans/trace-numbers.js';

const small = fc.nat(4);

describe('selecting the largest', () => {
  it('equals sorting all, ties included, and a longer selection starts with a shorter one', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(small, fc.constant(-Infinity)), { maxLength: 60 }), fc.nat(70), fc.nat(70), (values, k, more) => {
        const column = Float64Array.from(values);
        const sorted = values.map((_, i) => i).sort((a, b) => (values[a] === values[b] ? b - a : values[b] > values[a] ? 1 : -1));
        assert.deepEqual([...largest(column, values.length, k)], sorted.slice(0, k));
        assert.deepEqual([...largest(column, values.length, k + more)].slice(0, k), sorted.slice(0, k));
      }),
    ));
});

describe('keeping the newest log records', () => {
  it('equals sorting all by time, revision and ordinal', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(small, small, small, small), { maxLength: 200, selector: (key) => key.join() }), fc.nat(90), fc.nat(20), (offers, k, skip) => {
        const newest = new NewestLogs(k);
        offers.forEach(([timeUs, timeNs, revision, ordinal], i) => {
          if (newest.wants(timeUs)) newest.offer(i, i, timeUs, timeNs, revision, ordinal);
        });
        const sorted = offers.map((key, i) => ({ key, i })).sort((a, b) => newestFirst(a.key, b.key));
        assert.deepEqual(newest.newestFirst(skip), sorted.slice(0, k).slice(skip).map(({ i }) => ({ block: i, row: i })));
      }),
    ));

  it('says when nothing of a time can be among them any more', () => {
    const newest = new NewestLogs(1);
    assert.ok(newest.wants(0));
    newest.offer(0, 0, 5, 0, 0, 0);
    assert.deepEqual([4, 5, 6].map((timeUs) => newest.wants(timeUs)), [false, true, true]);
    assert.equal(new NewestLogs(0).wants(9), false);
  });
});

describe('filtering the rows of a block', () => {
  it('leaves what meets all conditions, and the arrays it started with alone', () => {
    const start = Uint16Array.of(1, 3, 5, 7);
    const filter = new RowFilter().startWith(start);
    filter.equal(Uint16Array.of(9, 9, 9, 9, 9, 9, 9, 0), 9).within(Float64Array.of(0, 10, 0, 20, 0, 30, 0, 40), 10, 30);
    assert.deepEqual([...filter.take()], [1, 3]);
    assert.deepEqual([...start], [1, 3, 5, 7]);
    assert.deepEqual([...filter.startWithAll(4).passing(Uint8Array.of(0, 1, 2, 1), Uint8Array.of(0, 1, 0)).take()], [1, 3]);
    assert.deepEqual([...filter.startWithAll(3).equalPair(Uint32Array.of(1, 2, 1, 3, 1, 2), 1, 2).take()], [0, 2]);
    assert.equal(filter.startWithAll(2).equal(Uint16Array.of(1, 1), 2).isEmpty, true);
  });
});

describe('ids of log records', () => {
  it('lead back to what they were made of', () =>
    fc.assert(fc.property(fc.nat(), fc.nat(), (revision, ordinal) => assert.deepEqual(parseLogId(logId(revision, ordinal)), { revision, ordinal }))));

  it('are nothing else', () => {
    for (const id of ['', '-', '1', '1-', '-1', '01-1', '1-01', 'A-1', '1-1-1', '1 -1', '0123456789abcdef', `${'z'.repeat(12)}-1`]) assert.equal(parseLogId(id), undefined, id);
  });
});

describe('numbers of traces kept between searches', () => {
  function fill(numbers: TraceNumbers): TraceNumbers {
    for (let i = 0; numbers.bytes < 10_000; i++) numbers.ids.add(Uint32Array.of(i, 1, 2, 3), 0);
    return numbers;
  }

  it('are there again for the same Grid, until others need the room', () => {
    const recent = new RecentTraceNumbers(fill(new TraceNumbers()).bytes * 2.5);
    const [a, b] = ['a', 'b'].map((key) => fill(recent.of(key)));
    assert.ok(recent.of('a') === a);
    fill(recent.of('c'));
    assert.ok(recent.of('a') === a);
    assert.ok(recent.of('b') !== b);
  });

  it('start anew where one Grid has more than may be kept', () => {
    const recent = new RecentTraceNumbers(1);
    fill(recent.of('a'));
    assert.equal(recent.of('a').ids.size, 0);
  });
});

function newestFirst(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs < 0 ? 0 : b[differs] - a[differs];
}
