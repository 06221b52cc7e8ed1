import assert from 'node:assert/strict';
import { prefetchBodies, type PrefetchItem } from '../../../../src/projections/telemetry/telemetry-fold.js';

const MIB = 1024 * 1024;

/** Bodies that the test resolves; records which were requested. */
function controlled(sizes: readonly number[]): {
  wanted: PrefetchItem<number>[];
  asked: number[];
  give: ((body: Uint8Array | undefined) => void)[];
  fail: ((error: Error) => void)[];
} {
  const asked: number[] = [];
  const give: ((body: Uint8Array | undefined) => void)[] = [];
  const fail: ((error: Error) => void)[] = [];
  const wanted = sizes.map((bytes, item) => {
    const body = new Promise<Uint8Array | undefined>((resolve, reject) => {
      give[item] = resolve;
      fail[item] = reject;
    });
    return { item, bytes, body: () => (asked.push(item), body) };
  });
  return { wanted, asked, give, fail };
}

describe('prefetched bodies', () => {
  it('arrive in order, whichever is ready first', async () => {
    const { wanted, give } = controlled([1, 1, 1]);
    const bodies = prefetchBodies(wanted);
    const first = bodies.next();
    give[2](Uint8Array.of(2));
    give[1](undefined);
    give[0](Uint8Array.of(0));
    assert.deepEqual((await first).value, [0, Uint8Array.of(0)]);
    assert.deepEqual((await bodies.next()).value, [1, undefined]);
    assert.deepEqual((await bodies.next()).value, [2, Uint8Array.of(2)]);
    assert.equal((await bodies.next()).done, true);
  });

  it('are requested as far ahead as the limit allows, and always the next one', async () => {
    const { wanted, asked, give } = controlled([5 * MIB, 3 * MIB, 1 * MIB, 20 * MIB]);
    const bodies = prefetchBodies(wanted);
    const first = bodies.next();
    assert.deepEqual(asked, [0, 1]);
    give[0](Uint8Array.of(0));
    await first;
    const second = bodies.next();
    assert.deepEqual(asked, [0, 1, 2]);
    give[1](Uint8Array.of(1));
    await second;
    const third = bodies.next();
    assert.deepEqual(asked, [0, 1, 2], 'the large one waits until it is due');
    give[2](Uint8Array.of(2));
    await third;
    const last = bodies.next();
    assert.deepEqual(asked, [0, 1, 2, 3]);
    give[3](Uint8Array.of(3));
    assert.deepEqual((await last).value, [3, Uint8Array.of(3)]);
  });

  it('fail in order', async () => {
    const { wanted, give, fail } = controlled([1, 1]);
    const bodies = prefetchBodies(wanted);
    const first = bodies.next();
    fail[1](new Error('cut off'));
    give[0](Uint8Array.of(0));
    await first;
    await assert.rejects(bodies.next(), /cut off/);
  });
});
