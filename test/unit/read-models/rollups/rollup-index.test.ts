import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { logRollupCollections, type RollupDocument } from '../../../../src/read-models/documents/rollup-documents.js';
import { RollupIndex } from '../../../../src/read-models/rollups/rollup-index.js';

const GRID = 'grid-a';
const HOUR = 60;
const { minutes } = logRollupCollections(1);

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

  const index = (most: number): RollupIndex => new RollupIndex(store, minutes, HOUR, () => undefined, most);
  const readsOf = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = store.reads;
    await ask();
    return store.reads - before;
  };

  it('evicts empty hours too, if many are queried', async () => {
    const stretches = index(10);
    const ask = (hour: number) => () => stretches.findEntries(GRID, hour * HOUR, (hour + 1) * HOUR);
    for (let hour = 0; hour < 11; hour++) await ask(hour)();
    assert.deepEqual([await readsOf(ask(10)), await readsOf(ask(0))], [0, 1]);
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
    const stretches = index(10);
    const ask = (hour: number) => stretches.findEntries(GRID, hour * HOUR, (hour + 1) * HOUR);
    const found = await Promise.all(Array.from({ length: 20 }, (_, hour) => ask(hour)));
    assert.deepEqual(
      found.map(({ length }) => length),
      Array(20).fill(2),
    );
    await ask(0);
    await ask(1);
    assert.equal(await readsOf(async () => [await ask(0), await ask(1)]), 0);
  });
});
