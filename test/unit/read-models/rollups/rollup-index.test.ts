import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { logRollupCollections, type RollupDocument } from '../../../../src/read-models/documents/rollup-documents.js';
import { RollupIndex } from '../../../../src/read-models/rollups/rollup-index.js';
import { RollupIndexMemory } from '../../../../src/read-models/rollups/rollup-index-memory.js';

const GRID = 'grid-a';
const HOUR = 60;
const { minutes, hours } = logRollupCollections(1);
/** More than an hour without rollups takes, and less than two. */
const HOUR_BYTES = 1_000;

class CountingStore extends MemoryReadModelStore {
  reads = 0;

  override find: MemoryReadModelStore['find'] = (...question) => {
    this.reads++;
    return super.find(...question);
  };
}

describe('rollup index', () => {
  let store: CountingStore;

  beforeEach(() => {
    store = new CountingStore();
  });

  const index = (memory: RollupIndexMemory): RollupIndex =>
    new RollupIndex(store, minutes, HOUR, () => undefined, memory);
  const readsOf = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = store.reads;
    await ask();
    return store.reads - before;
  };

  it('evicts empty hours too, if many are queried', async () => {
    const intervals = index(new RollupIndexMemory(10 * HOUR_BYTES));
    const ask = (hour: number) => () => intervals.findEntries(GRID, hour * HOUR, (hour + 1) * HOUR);
    for (let hour = 0; hour < 20; hour++) await ask(hour)();
    assert.deepEqual([await readsOf(ask(19)), await readsOf(ask(0))], [0, 1]);
  });

  it('returns all of an hour that was evicted while it was loaded, and stays within its limit', async () => {
    const documents = Array.from({ length: 40 }, (_, i): RollupDocument => ({
      gridId: GRID,
      minute: i * 30,
      service: 'shop',
      stamp: 1,
    }));
    await store.commit(
      documents.map((document) => ({ kind: 'put', collection: minutes, id: `${document.minute}`, document })),
      [],
    );
    const intervals = index(new RollupIndexMemory(10 * HOUR_BYTES));
    const ask = (hour: number) => intervals.findEntries(GRID, hour * HOUR, (hour + 1) * HOUR);
    const found = await Promise.all(Array.from({ length: 20 }, (_, hour) => ask(hour)));
    assert.deepEqual(
      found.map(({ length }) => length),
      Array(20).fill(2),
    );
    await ask(0);
    await ask(1);
    assert.equal(await readsOf(async () => [await ask(0), await ask(1)]), 0);
  });

  /** Stores one rollup of each of so many services in each of `count` minutes. */
  async function storeRollups(services: number, from: number, count: number): Promise<void> {
    const documents = Array.from({ length: services * count }, (_, i): RollupDocument => ({
      gridId: GRID,
      minute: from + (i % count),
      service: `service ${Math.floor(i / count)}`,
      stamp: 1,
    }));
    await store.commit(
      documents.map((document) => ({
        kind: 'put',
        collection: minutes,
        id: `${document.minute}/${document.service}`,
        document,
      })),
      [],
    );
  }

  it('counts rollups in bytes, and shares the limit with other indexes', async () => {
    await storeRollups(50, 0, HOUR);
    const memory = new RollupIndexMemory(400_000);
    const [ofMinutes, ofHours] = [index(memory), new RollupIndex(store, hours, HOUR, () => undefined, memory)];
    assert.equal((await ofMinutes.findEntries(GRID, 0, HOUR)).length, 50 * HOUR);
    assert.ok(memory.size > 50 * HOUR * 80 && memory.size < 50 * HOUR * 160, `${memory.size} bytes`);
    const readMinutes = () => readsOf(() => ofMinutes.findEntries(GRID, 0, HOUR));
    assert.equal(await readMinutes(), 0);
    for (let hour = 0; hour < 200; hour++) await ofHours.findEntries(GRID, hour * HOUR, (hour + 1) * HOUR);
    assert.ok(memory.size <= 400_000, `${memory.size} bytes`);
    assert.equal(await readMinutes(), 1, 'the other index has evicted it');
  });

  it('keeps one hour that is larger than the limit, and releases what was not read since the last release', async () => {
    await storeRollups(20, 0, HOUR);
    const memory = new RollupIndexMemory(1_000);
    const one = index(memory);
    const read = () => readsOf(() => one.findEntries(GRID, 0, HOUR));
    assert.deepEqual([await read(), await read()], [1, 0]);
    memory.releaseUnused();
    assert.equal(await read(), 0);
    memory.releaseUnused();
    memory.releaseUnused();
    assert.equal(memory.size, 0);
    assert.equal(await read(), 1);
    one.clear();
    assert.equal(memory.size, 0);
  });

  it('takes no memory for rollups that have expired', async () => {
    await storeRollups(20, 0, HOUR);
    const memory = new RollupIndexMemory();
    const one = index(memory);
    await one.findEntries(GRID, 0, HOUR);
    const before = memory.size;
    one.expire(GRID, HOUR / 2);
    assert.ok(memory.size < before * 0.6, `${before}, then ${memory.size} bytes`);
    assert.equal((await one.findEntries(GRID, 0, HOUR)).length, (20 * HOUR) / 2);
  });
});
