import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { PROJECTIONS, type ProjectionDocument } from '../../../../src/read-models/documents/projection-documents.js';
import { ShardReader, ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import type { AnyCollection, DocumentChange, Collection } from '../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { readModelStoreContract, type ContractNames } from '../../../contracts/read-model-store.contract.js';

const OF_A_SHARE: ContractNames = { collection: 'span-blocks.v1', checkpoints: ['traces.v1', 'requests.live'] };
const OF_ALL: ContractNames = { collection: 'grids.v1', checkpoints: ['access.v1', 'charts.v1'] };

for (const [name, names] of [
  ['what is its own', OF_A_SHARE],
  ['what is that of all', OF_ALL],
] as const) {
  readModelStoreContract(
    `shard over memory, ${name}`,
    () => {
      const store = new MemoryReadModelStore();
      return Promise.resolve({
        store: new ShardStore(store, 3),
        reader: new ShardReader(store, 3),
        dispose: () => store.close(),
      });
    },
    names,
  );
}

interface Thing {
  readonly of: string;
}

const OWN: Collection<Thing> = { name: 'grid-rollups.v2', indexes: [['of']] };
const COMMON: Collection<Thing> = { name: 'charts.v1', indexes: [] };
const BLOB = Uint8Array.of(1, 2, 3);

function put(collection: AnyCollection, id: string, of: string): DocumentChange {
  return { kind: 'put', collection, id, document: { of }, blobs: { blob: BLOB } };
}

describe('store of a shard', () => {
  let store: MemoryReadModelStore;
  let third: ShardStore;
  let fourth: ShardStore;

  beforeEach(() => {
    store = new MemoryReadModelStore();
    [third, fourth] = [new ShardStore(store, 3), new ShardStore(store, 4)];
  });

  it('adds the shard to sharded names, and to no others', async () => {
    const marks = ['traces.v2', 'access.v1', 'tenure'].map((projection) => ({
      projection,
      expected: undefined,
      position: '7' as Position,
    }));
    assert.deepEqual(await third.commit([put(OWN, 'a', 'third'), put(COMMON, 'b', 'all')], marks), { ok: true });
    assert.deepEqual(await store.get({ name: 'grid-rollups.v2.s3', indexes: [] }, 'a'), { of: 'third' });
    assert.deepEqual(await store.get(COMMON, 'b'), { of: 'all' });
    assert.equal(await store.get(OWN, 'a'), undefined);
    assert.deepEqual(
      await Promise.all(
        ['traces.v2.s3', 'access.v1', 'tenure.s3', 'traces.v2', 'tenure'].map((name) => store.readCheckpoint(name)),
      ),
      ['7', '7', '7', undefined, undefined],
    );
  });

  it('passes indexes on', async () => {
    let indexes: unknown;
    const recording = Object.assign(new MemoryReadModelStore(), {
      commit: async (changes: readonly DocumentChange[]) => (
        (indexes = changes[0].collection.indexes),
        { ok: true } as const
      ),
    });
    await new ShardStore(recording, 3).commit([put(OWN, 'a', 'third')], []);
    assert.deepEqual(indexes, [['of']]);
  });

  it('separates sharded data, and shares everything else', async () => {
    const change = fc.record({
      shard: fc.constantFrom(0, 1, 2),
      id: fc.constantFrom('a', 'b', 'c'),
      isOwn: fc.boolean(),
      isDeleted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const shared = new MemoryReadModelStore();
        const shards = [0, 1, 2].map((shard) => new ShardStore(shared, shard));
        const expected = new Map<string, string>();
        for (const { shard, id, isOwn, isDeleted } of changes) {
          const collection = isOwn ? OWN : COMMON;
          const key = `${isOwn ? shard : 'all'}/${id}`;
          await shards[shard].commit([isDeleted ? { kind: 'delete', collection, id } : put(collection, id, key)], []);
          if (isDeleted) expected.delete(key);
          else expected.set(key, key);
        }
        for (const [shard, reader] of shards.entries()) {
          for (const [collection, owner] of [
            [OWN, String(shard)],
            [COMMON, 'all'],
          ] as const) {
            const own = [...expected.keys()].filter((key) => key.startsWith(`${owner}/`)).sort();
            assert.deepEqual(
              (await reader.find(collection, {})).map(({ document }) => document.of),
              own,
            );
            assert.equal(await reader.count(collection), own.length);
            assert.equal((await reader.readBlobs(collection, 'blob', { prefix: '', limit: 9 })).length, own.length);
            for (const id of ['a', 'b', 'c'])
              assert.equal(
                (await reader.readBlob(collection, id, 'blob')) !== undefined,
                own.includes(`${owner}/${id}`),
              );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('drops its own data only', async () => {
    for (const each of [third, fourth])
      await each.commit(
        [put(OWN, 'a', 'x')],
        [{ projection: 'logs.v1', expected: undefined, position: '1' as Position }],
      );
    await third.dropCollection(OWN);
    await third.dropCheckpoint('logs.v1');
    assert.deepEqual([await third.get(OWN, 'a'), await third.readCheckpoint('logs.v1')], [undefined, undefined]);
    assert.deepEqual([await fourth.get(OWN, 'a'), await fourth.readCheckpoint('logs.v1')], [{ of: 'x' }, '1']);
  });

  it('fences by its own checkpoints', async () => {
    const mark = { projection: 'logs.v1', expected: undefined, position: '1' as Position };
    assert.deepEqual(
      [await third.commit([], [mark]), await fourth.commit([], [mark]), await third.commit([], [mark])],
      [{ ok: true }, { ok: true }, { ok: false, fenced: true, found: '1' }],
    );
  });

  it('has its own versions of telemetry projections, and common ones of the others', async () => {
    const declare = (id: string, active: number): DocumentChange => ({
      kind: 'put',
      collection: PROJECTIONS,
      id,
      document: { active, schema: 1 } satisfies ProjectionDocument,
    });
    await third.commit([declare('traces', 3), declare('access', 5)], []);
    await fourth.commit([declare('traces', 4)], []);
    const active = async (reader: ShardStore, id: string) => (await reader.get(PROJECTIONS, id))?.active;
    assert.deepEqual(
      [await active(third, 'traces'), await active(fourth, 'traces'), await active(fourth, 'access')],
      [3, 4, 5],
    );
    assert.deepEqual(
      (await store.find(PROJECTIONS, {})).map(({ id }) => id),
      ['access'],
    );
    await third.commit([{ kind: 'delete', collection: PROJECTIONS, id: 'traces' }], []);
    assert.deepEqual([await active(third, 'traces'), await active(fourth, 'traces')], [undefined, 4]);
  });

  it('rejects queries over all projections, which would be incomplete', async () => {
    for (const ask of [
      () => third.find(PROJECTIONS, {}),
      () => third.count(PROJECTIONS),
      () => third.dropCollection(PROJECTIONS),
    ])
      await assert.rejects(ask, TypeError);
  });

  it('leaves the store open when it is closed', async () => {
    await third.close();
    await assert.rejects(third.get(OWN, 'a'), { code: 'unavailable' });
    assert.equal((await third.check()).ok, false);
    assert.deepEqual([await fourth.check(), await store.check()], [{ ok: true }, { ok: true }]);
    await store.close();
    assert.equal((await fourth.check()).ok, false);
  });
});
