import assert from 'node:assert/strict';
import { RollupReader } from '../../../../src/read-models/rollups/rollup-reader.js';
import { RollupCache } from '../../../../src/read-models/rollups/rollup-cache.js';
import { createRollupReader, ShardedRollupReader } from '../../../../src/read-models/sharding/sharded-rollup-reader.js';
import { CountedLogs, CountingStore } from '../rollups/support/counted-logs.js';

const NOON = 29_000_160;
const SHARES = { count: 3, shardFor: (gridId: string) => Number(gridId.at(-1)) };

describe('rollups of shards', () => {
  let store: CountingStore;
  let shards: CountedLogs[];
  let rollups: ShardedRollupReader;

  beforeEach(async () => {
    store = new CountingStore();
    shards = await Promise.all([0, 1, 2].map((shard) => new CountedLogs(store, shard).start()));
    rollups = new ShardedRollupReader(store, SHARES);
  });

  const add = (gridId: string, ...minutes: number[]): Promise<void> =>
    shards[SHARES.shardFor(gridId)].add(
      ...minutes.map((minute) => ({ gridId, service: 'shop', minute: NOON + minute })),
    );

  async function load(gridId: string, to = 60): Promise<number[]> {
    await rollups.refresh(gridId);
    return (await rollups.load('logs', gridId, NOON, NOON + to)).map(({ minute }) => minute - NOON);
  }

  /** Shards whose collections are read meanwhile. */
  async function lookedAt(work: () => Promise<unknown>): Promise<string[]> {
    store.lookedIn.length = 0;
    await work();
    return [...new Set(store.lookedIn.map((name) => name.slice(-2)))].sort();
  }

  it('are those of one reader with one shard', () => {
    assert.ok(createRollupReader(store, { count: 1, shardFor: () => 0 }) instanceof RollupReader);
    assert.ok(createRollupReader(store, SHARES) instanceof ShardedRollupReader);
  });

  it('are returned for each Grid', async () => {
    await add('grid-0', 0, 3);
    await add('grid-1', 1);
    assert.deepEqual(
      [await load('grid-0'), await load('grid-1'), await load('other-1'), await load('grid-2')],
      [[0, 3], [1], [], []],
    );
    assert.deepEqual(
      ['grid-0', 'grid-1', 'other-1'].map((gridId) => rollups.newestMinute(gridId)),
      [NOON + 3, NOON + 1, undefined],
    );
    await shards[0].expire('grid-0', NOON + 2);
    assert.deepEqual(await load('grid-0'), [3]);
    assert.deepEqual(
      ['grid-0', 'grid-1'].map((gridId) => rollups.retainedFromMs(gridId)),
      [(NOON + 2) * 60_000, 0],
    );
  });

  it('are refreshed in the shard of the Grid only', async () => {
    await add('grid-1', 0);
    assert.deepEqual(await lookedAt(() => load('grid-1')), ['s1']);
    assert.deepEqual(await lookedAt(() => rollups.refreshGrids(['grid-0', 'grid-2', 'other-2'])), ['s0', 's2']);
    assert.deepEqual(await lookedAt(() => rollups.refreshGrids([])), []);
    assert.deepEqual(await lookedAt(() => rollups.refreshShards([2])), ['s2']);
    assert.deepEqual(await lookedAt(() => rollups.refreshShards()), ['s0', 's1', 's2']);
  });

  it('list the Grids of some shards or of all', async () => {
    for (const gridId of ['grid-0', 'grid-1', 'other-1']) await add(gridId, 0);
    await rollups.refreshShards();
    assert.deepEqual(
      [[...rollups.grids()].sort(), [...rollups.grids([1])].sort(), [...rollups.grids([2])]],
      [['grid-0', 'grid-1', 'other-1'], ['grid-1', 'other-1'], []],
    );
  });

  it('have changed according to their shard, by the numbers of its own refreshes', async () => {
    await add('grid-0', 0);
    for (let n = 0; n < 5; n++) await rollups.refresh('grid-1');
    const look = await rollups.refresh('grid-0');
    assert.equal(rollups.lastChange('grid-0'), look);
    await add('grid-1', 0);
    await rollups.refresh('grid-1');
    assert.equal(rollups.lastChange('grid-0'), look);
    await add('grid-0', 1);
    assert.ok((await rollups.refresh('grid-0')) > look && rollups.lastChange('grid-0') > look);
  });

  it('are returned while another shard is slow, or cannot be read', async () => {
    for (const gridId of ['grid-0', 'grid-1']) await add(gridId, 0);
    const find = store.find.bind(store);
    let letGo = (): void => undefined;
    const slow = new Promise<void>((resolve) => (letGo = resolve));
    store.find = async (collection, query) =>
      collection.name.endsWith('.s1') ? slow.then(() => find(collection, query)) : find(collection, query);
    const late = load('grid-1');
    assert.deepEqual(await load('grid-0'), [0]);
    letGo();
    assert.deepEqual(await late, [0]);

    store.find = async (collection, query) =>
      collection.name.endsWith('.s1') ? Promise.reject(new Error('away')) : find(collection, query);
    await add('grid-1', 1);
    await assert.rejects(load('grid-1'), /away/);
    await assert.rejects(rollups.refreshShards(), /away/);
    assert.deepEqual(await load('grid-0'), [0]);
    store.find = find;
    assert.deepEqual(await load('grid-1'), [0, 1]);
  });

  it('share one memory limit', async () => {
    rollups = new ShardedRollupReader(store, SHARES, new RollupCache(6_000));
    const minutes = Array.from({ length: 30 }, (_, minute) => minute);
    for (const gridId of ['grid-0', 'grid-1', 'grid-2']) await add(gridId, ...minutes);
    const readBy = async (gridId: string): Promise<number> => {
      const before = store.blobsRead;
      assert.equal((await load(gridId)).length, 30);
      return store.blobsRead - before;
    };
    assert.deepEqual([await readBy('grid-0'), await readBy('grid-0')], [30, 0]);
    await readBy('grid-1');
    await readBy('grid-2');
    assert.ok((await readBy('grid-0')) > 15, 'what the others read has pushed it out');
  });
});
