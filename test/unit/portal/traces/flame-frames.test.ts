import assert from 'node:assert/strict';
import { type FlameRow, layOutFlames } from '../../../../portal/src/pages/traces/flame-frames.js';

/** Times in ms. */
const rowOf = (spanId: string, parentId: string | undefined, name: string, at: number, duration: number): FlameRow => ({
  span: {
    ...{ spanId, serviceName: 'shop', operationName: name, status: name === 'bad' ? 'ERROR' : 'OK' },
    startTimeUnixNano: String(1_773_480_413_000_000_000n + BigInt(Math.round(at * 1e6))),
    durationNs: Math.round(duration * 1e6),
  },
  parentId,
  skew: 0,
});

const summarize = (rows: readonly FlameRow[]) =>
  layOutFlames(rows).map(({ operationName, depth, spanIds, failed, selfNs, totalNs, from, width }) => [
    ...[operationName, depth, spanIds.join(), failed, selfNs / 1e6, totalNs / 1e6],
    ...[from, width].map((part) => Math.round(part * 100)),
  ]);

describe('the flame graph of a trace', () => {
  it('merges calls of the same path, with the work of the spans and of those below', () => {
    const rows = [
      rowOf('a', undefined, 'root', 0, 100),
      rowOf('b', 'a', 'read', 10, 20),
      rowOf('c', 'a', 'read', 40, 20),
      rowOf('d', 'c', 'bad', 45, 10),
      rowOf('e', 'a', 'write', 60, 30),
    ];
    assert.deepEqual(summarize(rows), [
      ['root', 0, 'a', 0, 30, 100, 0, 100],
      ['read', 1, 'b,c', 0, 30, 40, 0, 40],
      ['write', 1, 'e', 0, 30, 30, 40, 30],
      ['bad', 2, 'd', 1, 10, 10, 0, 10],
    ]);
  });

  it('counts work at the same time in full, and what a child does after its parent not as the work of the parent', () => {
    const rows = [
      rowOf('a', undefined, 'root', 0, 100),
      rowOf('b', 'a', 'one', 0, 100),
      rowOf('c', 'a', 'two', 50, 100),
    ];
    assert.deepEqual(summarize(rows), [
      ['root', 0, 'a', 0, 0, 200, 0, 100],
      ['one', 1, 'b', 0, 100, 100, 0, 50],
      ['two', 1, 'c', 0, 100, 100, 50, 50],
    ]);
    assert.deepEqual(summarize([]), []);
    assert.deepEqual(summarize([rowOf('a', undefined, 'root', 0, 0)]), [['root', 0, 'a', 0, 0, 0, 0, 100]]);
  });

  it('lays out traces of any depth', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) =>
      rowOf(`s${at}`, at === 0 ? undefined : `s${at - 1}`, `op ${at}`, at, 20_000 - at),
    );
    assert.equal(layOutFlames(rows).at(-1)?.depth, 19_999);
  });

  it('counts work of less than a millisecond', () => {
    const calls = Array.from({ length: 1_000 }, (_, at) => rowOf(`c${at}`, 'a', 'call', 0.8 * at, 0.8));
    const [root, call] = layOutFlames([rowOf('a', undefined, 'root', 0, 1_000), ...calls]);
    assert.deepEqual([root?.selfNs, call?.selfNs], [200_000_000, 800_000_000]);
    const [short] = layOutFlames([rowOf('a', undefined, 'root', 0, 0.2)]);
    assert.deepEqual([short?.totalNs, short?.width], [200_000, 1]);
  });

  it('corrects the lag of clocks', () => {
    const late = { ...rowOf('b', 'a', 'read', -5_000, 40), skew: 5_010 };
    assert.equal(layOutFlames([rowOf('a', undefined, 'root', 0, 100), late])[0]?.selfNs, 60_000_000);
  });

  it('divides the width equally where there is no work', () => {
    const rows = [
      ...['a', 'b'].map((id) => rowOf(id, undefined, id, 0, 0)),
      ...['c', 'd'].map((id) => rowOf(id, 'b', id, 0, 0)),
    ];
    assert.deepEqual(
      layOutFlames(rows).map(({ operationName, from, width }) => [operationName, from, width]),
      [
        ['a', 0, 0.5],
        ['b', 0.5, 0.5],
        ['c', 0.5, 0.25],
        ['d', 0.75, 0.25],
      ],
    );
  });

  it('gives a path the same id whatever arrives before it', () => {
    const [root, read] = [rowOf('a', undefined, 'root', 0, 100), rowOf('b', 'a', 'read', 50, 20)];
    const idOf = (rows: readonly FlameRow[]) =>
      layOutFlames(rows).find(({ operationName }) => operationName === 'read')?.id;
    assert.equal(idOf([root, rowOf('c', 'a', 'write', 0, 40), read]), idOf([root, read]));
    const all = layOutFlames([root, read, rowOf('c', 'b', 'read', 51, 5), rowOf('d', undefined, 'read', 0, 1)]);
    assert.equal(new Set(all.map(({ id }) => id)).size, 4);
  });
});
