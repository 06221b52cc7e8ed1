import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeDigest } from '../../../../../src/projections/engine/read-model-digest.js';
import type { Projection } from '../../../../../src/projections/projection.js';
import { rollupContents, type RollupFormat } from '../../../../../src/projections/telemetry/rollups/rollup-format.js';
import { RollupBuffer } from '../../../../../src/projections/telemetry/rollups/rollup-buffer.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import {
  logRollupCollections,
  ROLLUP_BLOB,
  rollupId,
} from '../../../../../src/read-models/documents/rollup-documents.js';
import type { DocumentChange } from '../../../../../src/read-models/read-model-store.js';
import { GRID } from '../../engine/support/requests.js';

/** A rollup that only counts. */
interface LoadResult {
  count: number;
}

const collections = logRollupCollections(1);

const TALLIES: RollupFormat<LoadResult> = {
  collections,
  create: () => ({ count: 0 }),
  decode: (blob) => ({ count: Number(Buffer.from(blob).toString()) }),
  encode: ({ count }) => Buffer.from(String(count)),
  merge: (blobs) => Buffer.from(String(blobs.reduce((sum, blob) => sum + Number(Buffer.from(blob).toString()), 0))),
};

const PROJECTION: Projection = { name: 'loads', schema: 1, contents: () => rollupContents(collections) };

/** A whole hour. */
const NOON = 29_000_040 - (29_000_040 % 60);
const MINUTE_MS = 60_000;

class CountingStore extends MemoryReadModelStore {
  blobsRead = 0;

  override readBlob: MemoryReadModelStore['readBlob'] = (...query) => {
    this.blobsRead++;
    return super.readBlob(...query);
  };
}

describe('rollup buffer', () => {
  let store: CountingStore;
  let buffer: RollupBuffer<LoadResult>;

  beforeEach(async () => {
    store = new CountingStore();
    buffer = new RollupBuffer(TALLIES, store);
    await buffer.restore();
  });

  const commit = (changes: readonly DocumentChange[]) => store.commit(changes, []);

  /** One commit that adds one to each of these. */
  async function add(minutes: readonly number[], service = 'shop', gridId = GRID): Promise<void> {
    for (const accumulator of await buffer.openAll(
      gridId,
      minutes.map((minute) => ({ minute, service })),
    ))
      accumulator.count++;
    await commit(await buffer.changes());
  }

  async function counts(collection = collections.minutes): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const { id, document } of await store.find(collection, {})) {
      const blob = await store.readBlob(collection, id, ROLLUP_BLOB);
      found[`${document.service}+${document.minute - NOON}`] = Number(Buffer.from(blob ?? []).toString());
    }
    return found;
  }

  const openHours = async () => (await store.get(collections.catalogs, GRID))?.openHours.map((hour) => hour - NOON);
  const restart = async (keptBytes?: number) => {
    buffer = new RollupBuffer(TALLIES, store, keptBytes);
    await buffer.restore();
  };

  it('adds to what is stored', async () => {
    await add([NOON, NOON + 1]);
    await add([NOON]);
    await restart();
    await add([NOON + 1]);
    assert.deepEqual(await counts(), { 'shop+0': 2, 'shop+1': 2 });
  });

  it('opens the same rollup once', async () => {
    const [first, second] = await buffer.openAll(GRID, [
      { minute: NOON, service: 'shop' },
      { minute: NOON, service: 'shop' },
    ]);
    assert.equal(first, second);
  });

  it('buffers changes until they are written, however low the limit is', async () => {
    await restart(0);
    const accumulator = await buffer.open(GRID, NOON, 'shop');
    for (let i = 1; i < 50; i++) await buffer.openAll(GRID, [{ minute: NOON + i, service: 'shop' }]);
    assert.equal(await buffer.open(GRID, NOON, 'shop'), accumulator);
    await commit(await buffer.changes());
    assert.notEqual((await buffer.openAll(GRID, [{ minute: NOON, service: 'shop' }]))[0], accumulator);
  });

  it('evicts what was opened one by one', async () => {
    await restart(0);
    const accumulator = await buffer.open(GRID, NOON, 'shop');
    await commit(await buffer.changes());
    await commit(await buffer.changes());
    assert.notEqual(await buffer.open(GRID, NOON, 'shop'), accumulator);
  });

  it('releases what was not opened since the last release, and reads it again', async () => {
    const kept = async (minute: number) => {
      const before = store.blobsRead;
      await add([minute]);
      return store.blobsRead === before;
    };
    await add([NOON, NOON + 1]);
    buffer.releaseMemory();
    assert.deepEqual([await kept(NOON)], [true]);
    buffer.releaseMemory();
    assert.deepEqual([await kept(NOON), await kept(NOON + 1)], [true, false]);
    assert.deepEqual(await counts(), { 'shop+0': 3, 'shop+1': 2 });
  });

  it('never releases what is not written yet', async () => {
    const accumulator = await buffer.open(GRID, NOON, 'shop');
    buffer.releaseMemory();
    buffer.releaseMemory();
    assert.equal(await buffer.open(GRID, NOON, 'shop'), accumulator);
  });

  it('discards what was not committed', async () => {
    await add([NOON]);
    (await buffer.open(GRID, NOON, 'shop')).count += 100;
    await buffer.changes();
    await buffer.restore();
    await add([NOON]);
    assert.deepEqual(await counts(), { 'shop+0': 2 });
  });

  it('stamps each commit higher than all before, also after a restart when the newest have expired', async () => {
    const newest = async () =>
      Math.max(...(await store.find(collections.minutes, {})).map(({ document }) => document.stamp));
    await add([NOON + 600]);
    await add([NOON]);
    const before = await newest();
    await commit(await buffer.expire(GRID, (NOON + 60) * MINUTE_MS));
    await restart();
    await add([NOON + 601]);
    assert.ok((await newest()) > before);
  });

  it('merges an hour from its minutes once the next one is more than ten minutes old', async () => {
    await add([NOON, NOON + 59]);
    await add([NOON + 70]);
    assert.deepEqual(await counts(collections.hours), {});
    await add([NOON + 71]);
    assert.deepEqual(await counts(collections.hours), { 'shop+0': 2 });
    assert.deepEqual(await openHours(), [60]);
    const id = rollupId({ gridId: GRID, minute: NOON, service: 'shop' });
    assert.equal((await store.get(collections.hours, id))?.minute, NOON);
  });

  it('merges it again when late telemetry arrives, and marks it open meanwhile', async () => {
    await add([NOON]);
    await add([NOON + 71]);
    await add([NOON + 5]);
    assert.deepEqual(await openHours(), [0, 60]);
    await add([NOON + 72]);
    assert.deepEqual(await openHours(), [60]);
    assert.deepEqual(await counts(collections.hours), { 'shop+0': 2 });
  });

  it('merges few services of an hour per commit, and continues after a restart', async () => {
    const wholeHour = Array.from({ length: 60 }, (_, i) => NOON + i);
    for (let i = 0; i < 20; i++) await add(wholeHour, `s${i}`);
    await add([NOON + 71]);
    const some = Object.keys(await counts(collections.hours)).length;
    assert.ok(some > 0 && some < 20, `${some} at once`);
    await restart();
    while ((await openHours())?.includes(0)) await add([NOON + 72]);
    assert.equal(Object.keys(await counts(collections.hours)).length, 20);
  });

  it('merges again only what has changed', async () => {
    for (const service of ['a', 'b']) await add([NOON], service);
    await add([NOON + 71]);
    const stampOf = async (service: string) =>
      (await store.get(collections.hours, rollupId({ gridId: GRID, minute: NOON, service })))?.stamp;
    const before = await stampOf('a');
    await add([NOON + 3], 'b');
    await add([NOON + 72]);
    assert.equal(await stampOf('a'), before);
    assert.deepEqual(await counts(collections.hours), { 'a+0': 1, 'b+0': 2 });
  });

  it('removes expired minutes and hours, and does not open them again', async () => {
    await add([NOON + 59, NOON + 60]);
    await add([NOON + 200]);
    assert.deepEqual(await counts(collections.hours), { 'shop+0': 1, 'shop+60': 1 });
    await commit(await buffer.expire(GRID, (NOON + 60) * MINUTE_MS));
    assert.deepEqual(await counts(collections.hours), { 'shop+60': 1 });
    await add([NOON + 59]);
    await restart();
    await add([NOON + 59, NOON + 60]);
    assert.deepEqual(await counts(), { 'shop+60': 2, 'shop+200': 1 });
    assert.deepEqual(await buffer.expire(GRID, NOON * MINUTE_MS), [], 'marks never go back');
  });

  it('retains an hour that has only started to expire', async () => {
    await add([NOON + 10, NOON + 40]);
    await add([NOON + 200]);
    await commit(await buffer.expire(GRID, (NOON + 30) * MINUTE_MS));
    assert.deepEqual(await counts(), { 'shop+40': 1, 'shop+200': 1 });
    assert.deepEqual(await counts(collections.hours), { 'shop+0': 2 });
  });

  it('has the same digest and the same closed hours however it is split into commits', async () => {
    const minute = fc.integer({ min: 0, max: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            minute,
            service: fc.constantFrom('a', 'b', 'c'),
            ends: fc.constantFrom('no', 'commit', 'restart', 'failure', 'release'),
          }),
          { minLength: 1, maxLength: 60 },
        ),
        async (steps) => {
          store = new CountingStore();
          await restart(4);
          for (const { minute, service, ends } of steps) {
            if (ends === 'failure') await failure();
            (await buffer.open(GRID, NOON + minute, service)).count++;
            if (ends !== 'no') await commit(await buffer.changes());
            if (ends === 'release') buffer.releaseMemory();
            if (ends === 'restart') await restart(4);
          }
          await commit(await buffer.changes());
          assert.equal(
            await computeDigest(PROJECTION, 1, store),
            await computeDigest(PROJECTION, 1, await plainly(steps)),
          );
          await closedHoursAddUp();
        },
      ),
      { numRuns: 200 },
    );
  });

  /** A fold that fails: its events are folded again afterwards, so what was open is committed before. */
  async function failure(): Promise<void> {
    await commit(await buffer.changes());
    (await buffer.open(GRID, NOON, 'a')).count += 1000;
    await buffer.changes();
    await buffer.restore();
  }

  async function plainly(
    steps: readonly { readonly minute: number; readonly service: string }[],
  ): Promise<MemoryReadModelStore> {
    const plain = new MemoryReadModelStore();
    const once = new RollupBuffer(TALLIES, plain);
    for (const { minute, service } of steps) (await once.open(GRID, NOON + minute, service)).count++;
    await plain.commit(await once.changes(), []);
    return plain;
  }

  async function closedHoursAddUp(): Promise<void> {
    const open = new Set(await openHours());
    const sums: Record<string, number> = {};
    for (const [name, count] of Object.entries(await counts())) {
      const [service, minute] = name.split('+');
      const hour = Math.floor(Number(minute) / 60) * 60;
      if (!open.has(hour)) sums[`${service}+${hour}`] = (sums[`${service}+${hour}`] ?? 0) + count;
    }
    const hours = Object.entries(await counts(collections.hours)).filter(
      ([name]) => !open.has(Number(name.split('+')[1])),
    );
    assert.deepEqual(Object.fromEntries(hours), sums);
  }
});
