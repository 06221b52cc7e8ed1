import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { BlockCache } from '../../../../src/read-models/blocks/block-cache.js';
import { blockId, computeReplacedRanges } from '../../../../src/read-models/blocks/block.js';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import { encodeSpanBlock } from '../../../../src/read-models/blocks/span-block-codec.js';
import {
  SPAN_LABELS,
  SPAN_IDS,
  SPAN_STARTS,
  SPAN_TRACES,
} from '../../../../src/read-models/blocks/span-block-columns.js';
import { spanCollections, type SpanBlockDocument } from '../../../../src/read-models/documents/block-documents.js';
import { randomSpans } from './support/random-columns.js';

const COLLECTIONS = spanCollections(1);
const GRID = 'grid';

describe('cache of blocks', () => {
  let store: MemoryReadModelStore;
  let cache: BlockCache<SpanBlockDocument>;

  beforeEach(() => {
    store = new MemoryReadModelStore();
    cache = new BlockCache(() => store);
  });

  const encoded = encodeSpanBlock(randomSpans({ rows: 600, seed: 1, spreadUs: 1000 }), allRows(600));

  async function put(seq: number, replaces: SpanBlockDocument['replaces'] = [], gridId = GRID): Promise<void> {
    const document = { ...encoded.document, gridId, seq, replaces };
    await store.commit(
      [{ kind: 'put', collection: COLLECTIONS.blocks, id: blockId(gridId, seq), document, blobs: encoded.blobs }],
      [],
    );
  }

  async function remove(...seqs: number[]): Promise<void> {
    await store.commit(
      seqs.map((seq) => ({ kind: 'delete', collection: COLLECTIONS.blocks, id: blockId(GRID, seq) })),
      [],
    );
  }

  async function bump(generation: number): Promise<void> {
    await store.commit(
      [{ kind: 'put', collection: COLLECTIONS.catalogs, id: GRID, document: { gridId: GRID, generation } }],
      [],
    );
  }

  const seqs = async (): Promise<number[]> =>
    (await cache.loadBlocks(COLLECTIONS, GRID)).map((block) => block.document.seq);

  it('sees what is committed before each refresh, of its own Grid only', async () => {
    assert.deepEqual(await seqs(), []);
    await put(1);
    await put(1, [], 'another');
    assert.deepEqual(await seqs(), [1]);
    await put(2);
    assert.deepEqual(await seqs(), [1, 2]);
  });

  it('drops what a merge replaced, also when it missed the merges between', async () => {
    await put(1);
    await put(2);
    await put(3);
    assert.deepEqual(await seqs(), [1, 2, 3]);
    // 1 and 2 became 4, then 3 and 4 became 5: no refresh happened while 4 existed.
    await remove(1, 2, 3);
    const four = { ...encoded.document, gridId: GRID, seq: 4, replaces: [[1, 2]] as const };
    await put(5, computeReplacedRanges([four, { ...encoded.document, gridId: GRID, seq: 3 }]));
    assert.deepEqual(await seqs(), [5]);
  });

  it('drops what retention removed once the generation changes, and caches the columns of the rest', async () => {
    await put(1);
    await put(2);
    const [, second] = await cache.loadBlocks(COLLECTIONS, GRID);
    const starts = await second.read(SPAN_STARTS);
    await remove(1);
    await bump(1);
    const [only, ...others] = await cache.loadBlocks(COLLECTIONS, GRID);
    assert.deepEqual(others, []);
    assert.equal(only, second);
    assert.equal(only.read(SPAN_STARTS), starts);
  });

  it('reads a column once and returns it synchronously afterwards', async () => {
    await put(1);
    const [block] = await cache.loadBlocks(COLLECTIONS, GRID);
    const first = block.read(SPAN_LABELS);
    assert.ok(first instanceof Promise);
    assert.equal(block.read(SPAN_LABELS) instanceof Promise, true, 'still on its way');
    const labels = await first;
    assert.equal(block.read(SPAN_LABELS), labels);
  });

  it('rejects with a code when a block was removed during a read', async () => {
    await put(1);
    const [block] = await cache.loadBlocks(COLLECTIONS, GRID);
    await remove(1);
    await assert.rejects(Promise.resolve(block.read(SPAN_STARTS)), { code: 'block-gone' });
  });

  it('stays within its limit, and evicts the least recently used columns', async () => {
    cache = new BlockCache(() => store, 40_000);
    for (let seq = 1; seq <= 8; seq++) await put(seq);
    const blocks = await cache.loadBlocks(COLLECTIONS, GRID);
    for (const block of blocks) {
      await cache.loadBlocks(COLLECTIONS, GRID);
      await block.read(SPAN_STARTS);
      await block.read(SPAN_LABELS);
      await block.read(SPAN_TRACES);
      assert.ok(cache.size <= 40_000, `${cache.size}`);
    }
    assert.ok(cache.size > 10_000);
    assert.ok(blocks[7].bytes > 0);
    assert.equal(blocks[0].bytes, 0);
  });

  it('lends memory to others and takes it back', async () => {
    cache = new BlockCache(() => store, 1_000_000);
    for (const seq of [1, 2, 3]) await put(seq);
    const readAll = async (): Promise<number> => {
      for (const block of await cache.loadBlocks(COLLECTIONS, GRID)) await block.read(SPAN_STARTS);
      return cache.size;
    };
    const full = await readAll();
    cache.lend(1_000_000 - full / 2);
    assert.ok(cache.size <= full / 2);
    assert.ok((await readAll()) < full);
    cache.lend(0);
    assert.equal(await readAll(), full);
  });

  it('releases columns that no query has read since the last release, and Grids that none has searched', async () => {
    for (const seq of [1, 2]) await put(seq);
    const [one, two] = await cache.loadBlocks(COLLECTIONS, GRID);
    const listBytes = cache.size;
    for (const block of [one, two]) await block.read(SPAN_STARTS);
    cache.releaseUnused();
    await cache.loadBlocks(COLLECTIONS, GRID);
    await two.read(SPAN_STARTS);
    cache.releaseUnused();
    assert.deepEqual([one.bytes, two.bytes > 0, cache.size], [0, true, listBytes + two.bytes]);
    cache.releaseUnused();
    assert.equal(cache.size, 0);
    const [again] = await cache.loadBlocks(COLLECTIONS, GRID);
    assert.notEqual(again, one, 'the list of blocks was released too');
    await again.read(SPAN_STARTS);
    assert.ok(cache.size > 0);
  });

  it('holds no memory for blocks that are gone', async () => {
    await put(1);
    const [block] = await cache.loadBlocks(COLLECTIONS, GRID);
    const listBytes = cache.size;
    await block.read(SPAN_IDS);
    assert.ok(cache.size > listBytes * 2);
    await put(2, [[1, 1]]);
    await seqs();
    const after = cache.size;
    assert.ok(after < listBytes * 2, `${after} bytes for one block`);
    await block.read(SPAN_STARTS);
    assert.equal(cache.size, after);
  });

  it('counts the lists of blocks, and drops those of Grids that were not searched for longest', async () => {
    for (const gridId of [GRID, 'b', 'c']) for (let seq = 1; seq <= 50; seq++) await put(seq, [], gridId);
    await cache.loadBlocks(COLLECTIONS, GRID);
    const ofOne = cache.size;
    assert.ok(ofOne > 50 * 500 && ofOne < 50 * 5_000, `${ofOne} bytes`);
    cache = new BlockCache(() => store, ofOne * 5); // half of it for lists: two of them
    for (const gridId of [GRID, 'b', 'c']) await cache.loadBlocks(COLLECTIONS, gridId);
    assert.equal(cache.size, 2 * ofOne);
    const [, kept] = await cache.loadBlocks(COLLECTIONS, 'b');
    assert.equal((await cache.loadBlocks(COLLECTIONS, 'b'))[1], kept);
    assert.equal((await cache.loadBlocks(COLLECTIONS, GRID)).length, 50);
    assert.equal(cache.size, 2 * ofOne);
    cache.shrinkTo(0);
    assert.equal(cache.size, 0);
  });

  it('keeps the list of the Grid that is searched, and columns beside it, however low the limit is', async () => {
    for (let seq = 1; seq <= 50; seq++) await put(seq);
    cache = new BlockCache(() => store, 20_000);
    const blocks = await cache.loadBlocks(COLLECTIONS, GRID);
    assert.equal((await cache.loadBlocks(COLLECTIONS, GRID))[0], blocks[0]);
    await blocks[0].read(SPAN_STARTS);
    assert.ok(blocks[0].bytes > 0);
  });

  it('leaves the read columns of a removed block to the queries that still use it', async () => {
    await put(1);
    const [block] = await cache.loadBlocks(COLLECTIONS, GRID);
    const ids = await block.read(SPAN_IDS);
    await put(2, [[1, 1]]);
    await seqs();
    const starts = await block.read(SPAN_STARTS);
    await remove(1);
    assert.equal(block.read(SPAN_IDS), ids);
    assert.equal(block.read(SPAN_STARTS), starts);
    await assert.rejects(Promise.resolve(block.read(SPAN_LABELS)), { code: 'block-gone' });
  });

  it('refreshes one at a time: an older result never overwrites a newer one', async () => {
    await put(1);
    await put(2);
    const looks = [
      seqs(),
      put(3, [[1, 2]])
        .then(() => remove(1, 2))
        .then(seqs),
      seqs(),
    ];
    await Promise.all(looks);
    assert.deepEqual(await seqs(), [3]);
  });
});
