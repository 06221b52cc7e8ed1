import assert from 'node:assert/strict';
import {
  computeDigest,
  draftDigest,
  finishDigest,
  readAhead,
  toCanonicalJson,
} from '../../../../src/projections/engine/read-model-digest.js';
import type { Projection } from '../../../../src/projections/projection.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import type { AnyCollection, DocumentChange } from '../../../../src/read-models/read-model-store.js';

const collection = (version: number): AnyCollection => ({ name: `things.v${version}`, indexes: [] });

const THINGS: Projection = {
  name: 'things',
  schema: 1,
  contents: (version) => [
    {
      kind: 'documents',
      collection: collection(version),
      canonical: ({ ...document }: { seq?: number }) => ({ ...document, seq: 0 }),
    },
    {
      kind: 'blocks',
      collection: { name: `blocks.v${version}`, indexes: [] },
      digest: async (store, id) =>
        BigInt((await store.get<{ sum: number }>({ name: `blocks.v${version}`, indexes: [] }, id))!.sum),
    },
  ],
};

async function digest(
  version: number,
  documents: Record<string, object>,
  blocks: readonly { gridId: string; sum: number }[] = [],
): Promise<string | undefined> {
  const store = new MemoryReadModelStore();
  const puts = Object.entries(documents).map(
    ([id, document]) => ({ kind: 'put', collection: collection(version), id, document }) as const,
  );
  const more = blocks.map(
    (document, i) =>
      ({ kind: 'put', collection: { name: `blocks.v${version}`, indexes: [] }, id: String(i), document }) as const,
  );
  await store.commit([...puts, ...more], []);
  return computeDigest(THINGS, version, store);
}

describe('digest', () => {
  it('depends on content, not on version, order of members, or what the projection leaves out', async () => {
    const one = await digest(1, { a: { x: 1, y: [1, { p: 1, q: 2 }], seq: 1 }, b: {} });
    assert.equal(await digest(2, { b: {}, a: { seq: 7, y: [1, { q: 2, p: 1 }], x: 1 } }), one);
    assert.notEqual(await digest(1, { a: { x: 2, y: [1, { p: 1, q: 2 }] }, b: {} }), one);
    assert.notEqual(await digest(1, { a: { x: 1, y: [{ p: 1, q: 2 }, 1] }, b: {} }), one);
  });

  it('detects documents under swapped ids, and a missing one', async () => {
    const one = await digest(1, { a: { x: 1 }, b: { x: 2 } });
    assert.notEqual(await digest(1, { a: { x: 2 }, b: { x: 1 } }), one);
    assert.notEqual(await digest(1, { a: { x: 1 } }), one);
  });

  it('adds blocks up by Grid, however rows are distributed over them', async () => {
    const one = await digest(1, {}, [
      { gridId: 'g', sum: 5 },
      { gridId: 'h', sum: 1 },
    ]);
    assert.equal(
      await digest(1, {}, [
        { gridId: 'h', sum: 1 },
        { gridId: 'g', sum: 2 },
        { gridId: 'g', sum: 3 },
      ]),
      one,
    );
    assert.notEqual(
      await digest(1, {}, [
        { gridId: 'g', sum: 1 },
        { gridId: 'h', sum: 5 },
      ]),
      one,
    );
  });

  it('writes JSON with the members of objects in order', () => {
    assert.equal(
      toCanonicalJson({ b: 1, a: { d: [3, { z: 1, y: 2 }], c: null } }),
      '{"a":{"c":null,"d":[3,{"y":2,"z":1}]},"b":1}',
    );
  });
});

describe('digest of documents with blobs', () => {
  const collection: AnyCollection = { name: 'rollups.v1', indexes: [] };
  const ROLLUPS: Projection = {
    name: 'rollups',
    schema: 1,
    contents: () => [
      {
        kind: 'blobs',
        collection,
        blob: 'bytes',
        canonical: ({ ...document }: { stamp?: number }) => ({ ...document, stamp: 0 }),
      },
    ],
  };
  let store: MemoryReadModelStore;
  beforeEach(() => {
    store = new MemoryReadModelStore();
  });

  const put = (id: string, stamp: number, byte: number, more: object = {}): DocumentChange => ({
    kind: 'put',
    collection,
    id,
    document: { stamp, ...more },
    blobs: { bytes: new Uint8Array([byte]) },
  });
  const digestNow = () => computeDigest(ROLLUPS, 1, store);

  it('depends on documents and bytes, not on stamps', async () => {
    await store.commit([put('a', 1, 7), put('b', 2, 8)], []);
    const one = await digestNow();
    await store.commit([put('a', 3, 7)], []);
    assert.equal(await digestNow(), one);
    await store.commit([put('a', 4, 9)], []);
    assert.notEqual(await digestNow(), one);
    await store.commit([put('a', 5, 7, { x: 1 })], []);
    assert.notEqual(await digestNow(), one);
  });

  it('can be computed in advance: later changes, additions and deletions are included all the same', async () => {
    await store.commit(
      Array.from({ length: 1000 }, (_, i) => put(`${i}`, 1 + Math.floor(i / 300), i % 256)),
      [],
    );
    const ahead = await readAhead(ROLLUPS, 1, store);
    const reads = countBlobs(store);
    await store.commit([put('5', 5, 99), put('new', 6, 1), { kind: 'delete', collection, id: '700' }], []);
    const digest = await finishDigest(await draftDigest(ROLLUPS, 1, store, ahead), store);
    assert.equal(reads.blobs, 2);
    assert.equal(digest, await digestNow());
  });

  function countBlobs(counted: MemoryReadModelStore): { readonly blobs: number } {
    const reads = { blobs: 0 };
    const blob = counted.readBlob.bind(counted);
    counted.readBlob = (...asked) => {
      reads.blobs++;
      return blob(...asked);
    };
    return reads;
  }
});
