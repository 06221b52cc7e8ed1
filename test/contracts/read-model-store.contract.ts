import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Position } from '../../src/streams/event-store.js';
import { and, eq, has, oneOf, prefix, range, type Filter } from '../../src/read-models/document-filter.js';
import type {
  DocumentChange,
  Checkpoint,
  Collection,
  ReadModelReader,
  ReadModelStore,
} from '../../src/read-models/read-model-store.js';
import { createQueryComparator, matchesFilter } from '../../src/read-models/adapters/memory/filter-matcher.js';

interface Thing {
  readonly name?: string;
  readonly size?: number;
  readonly on?: boolean;
  readonly labels?: readonly (string | number)[];
}

const at = (n: number): Position => `p${n}` as Position;

/** Collection and projection names of this suite, for stores that must know them in advance. */
export interface ContractNames {
  readonly collection: string;
  readonly checkpoints: readonly [string, string];
}

const NAMES: ContractNames = { collection: 'things.v1', checkpoints: ['x', 'y'] };

/** What an adapter provides: a new empty store, a reader on it, and a way to reopen it. */
export interface ReadModelStoreFixture {
  readonly store: ReadModelStore;
  readonly reader: ReadModelReader;
  /** Absent if nothing outlives the process. */
  reopen?(): Promise<ReadModelStore>;
  dispose(): Promise<void>;
}

/** One test per sentence of the port. Every adapter and every decorator must pass it. */
export function readModelStoreContract(
  name: string,
  open: () => Promise<ReadModelStoreFixture>,
  { collection, checkpoints: [x, y] }: ContractNames = NAMES,
): void {
  const THINGS: Collection<Thing> = { name: collection, indexes: [['name'], ['size', 'name']] };
  const put = (id: string, document: Thing, blobs?: Record<string, Uint8Array>): DocumentChange => ({
    kind: 'put',
    collection: THINGS,
    id,
    document,
    blobs,
  });

  describe(`read model store contract: ${name}`, () => {
    let fixture: ReadModelStoreFixture;
    let store: ReadModelStore;
    const save = (...changes: DocumentChange[]) => store.commit(changes, []);
    const ids = async (filter: Filter) => (await store.find(THINGS, { filter })).map(({ id }) => id);

    beforeEach(async () => {
      fixture = await open();
      store = fixture.store;
    });
    afterEach(() => fixture.dispose());

    it('returns nothing for an unknown collection, id, blob or projection', async () => {
      assert.equal(await store.get(THINGS, 'a'), undefined);
      assert.deepEqual(await store.find(THINGS, {}), []);
      assert.equal(await store.count(THINGS), 0);
      assert.equal(await store.readBlob(THINGS, 'a', 'column'), undefined);
      assert.equal(await store.readCheckpoint(x), undefined);
      await save(put('a', {}));
      assert.equal(await store.get(THINGS, 'b'), undefined);
      assert.equal(await store.readBlob(THINGS, 'a', 'column'), undefined);
    });

    it('creates, replaces and deletes documents in the order of the changes', async () => {
      await save(put('a', { name: 'first', size: 1 }), put('a', { name: 'second' }), put('b', {}), {
        kind: 'delete',
        collection: THINGS,
        id: 'b',
      });
      assert.deepEqual(await store.get(THINGS, 'a'), { name: 'second' });
      assert.equal(await store.get(THINGS, 'b'), undefined);
      await save({ kind: 'delete', collection: THINGS, id: 'never there' });
    });

    it('keeps blobs byte for byte, and a put replaces all blobs of its document', async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7);
      await save(put('a', {}, { column: bytes, empty: new Uint8Array(0) }));
      assert.deepEqual(Buffer.from((await store.readBlob(THINGS, 'a', 'column')) ?? []), Buffer.from(bytes));
      assert.equal((await store.readBlob(THINGS, 'a', 'empty'))?.length, 0);
      await save(put('a', {}, { other: bytes.subarray(1, 4) }));
      assert.equal(await store.readBlob(THINGS, 'a', 'column'), undefined);
      assert.deepEqual([...((await store.readBlob(THINGS, 'a', 'other')) ?? [])], [7, 14, 21]);
      await save({ kind: 'delete', collection: THINGS, id: 'a' });
      assert.equal(await store.readBlob(THINGS, 'a', 'other'), undefined);
    });

    it('returns copies of the stored bytes', async () => {
      await save(put('a', {}, { column: Uint8Array.of(1, 2, 3) }));
      (await store.readBlob(THINGS, 'a', 'column'))?.fill(9);
      assert.deepEqual([...((await store.readBlob(THINGS, 'a', 'column')) ?? [])], [1, 2, 3]);
    });

    it('reads one blob of many documents page by page, in the order of filters', async () => {
      const bytes = Uint8Array.of(1, 2, 3);
      const given = ['g/1/b', 'g/1/a', 'g/1/\u{10000}', 'g/1/\uffff', 'g/1/', 'g/10/a', 'g/0/a', 'h/1/a'];
      await save(
        ...given.map((id) => put(id, {}, { column: bytes, other: Uint8Array.of(9) })),
        put('g/1/none', {}, { other: bytes }),
      );
      const page = async (after?: string, limit = 2) =>
        (await store.readBlobs(THINGS, 'column', { prefix: 'g/1/', after, limit })).map(({ id }) => id);

      assert.deepEqual(await page(undefined, 9), ['g/1/', 'g/1/a', 'g/1/b', 'g/1/\uffff', 'g/1/\u{10000}']);
      assert.deepEqual(
        [await page(), await page('g/1/a'), await page('g/1/\uffff'), await page('g/1/\u{10000}')],
        [['g/1/', 'g/1/a'], ['g/1/b', 'g/1/\uffff'], ['g/1/\u{10000}'], []],
      );
      const [first] = await store.readBlobs(THINGS, 'column', { prefix: 'h/', limit: 1 });
      assert.deepEqual([...first.blob.fill(7)], [7, 7, 7]);
      assert.deepEqual([...((await store.readBlob(THINGS, 'h/1/a', 'column')) ?? [])], [1, 2, 3]);
      assert.deepEqual(
        await store.readBlobs({ name: 'unknown.v1', indexes: [] }, 'column', { prefix: '', limit: 9 }),
        [],
      );
      assert.equal((await store.readBlobs(THINGS, 'column', { prefix: '', limit: 99 })).length, given.length);
    });

    it('distinguishes and sorts ids with unusual characters', async () => {
      const given = [
        'g/',
        'g/\0',
        'g/\0\0',
        'g/\0\u0001',
        'g/\0a',
        'g/\u0001',
        'g/\u0001\0',
        'g/\u0001\u0001',
        'g/\u0001\u0002',
        'g/\u0002',
        'g/a',
        'g/a\0b',
        'g/a\0c',
      ];
      await save(...given.map((id) => put(id, { name: JSON.stringify(id) }, { column: Buffer.from(id) })).reverse());
      assert.deepEqual(
        (await store.find(THINGS, {})).map(({ id, document }) => [id, document.name]),
        given.map((id) => [id, JSON.stringify(id)]),
      );
      const after = async (id?: string) =>
        (await store.readBlobs(THINGS, 'column', { prefix: 'g/', after: id, limit: 99 })).map(({ id: each, blob }) => [
          each,
          Buffer.from(blob).toString(),
        ]);
      assert.deepEqual(
        await after(),
        given.map((id) => [id, id]),
      );
      assert.deepEqual(
        await after('g/\0a'),
        given.slice(5).map((id) => [id, id]),
      );
      assert.deepEqual(
        (await store.readBlobs(THINGS, 'column', { prefix: 'g/a\0', limit: 9 })).map(({ id }) => id),
        ['g/a\0b', 'g/a\0c'],
      );
      await save({ kind: 'delete', collection: THINGS, id: 'g/a\0b' });
      assert.equal(await store.get(THINGS, 'g/a\0b'), undefined);
      assert.deepEqual(
        [(await store.get(THINGS, 'g/a'))?.name, (await store.get(THINGS, 'g/a\0c'))?.name],
        ['"g/a"', '"g/a\\u0000c"'],
      );
      assert.equal(Buffer.from((await store.readBlob(THINGS, 'g/a\0c', 'column')) ?? []).toString(), 'g/a\0c');
    });

    it('commits checkpoints together with the changes, or nothing if a checkpoint differs from the expected one', async () => {
      const mark = (projection: string, expected: Position | undefined, position: Position): Checkpoint => ({
        projection,
        expected,
        position,
      });
      assert.deepEqual(
        await store.commit([put('a', { size: 1 })], [mark(x, undefined, at(1)), mark(y, undefined, at(1))]),
        { ok: true },
      );
      const fenced = await store.commit([put('a', { size: 2 })], [mark(x, at(1), at(2)), mark(y, at(0), at(2))]);
      assert.deepEqual(fenced, { ok: false, fenced: true, found: at(1) });
      assert.deepEqual(await store.get(THINGS, 'a'), { size: 1 });
      assert.equal(await store.readCheckpoint(x), at(1));
      assert.deepEqual(await store.commit([], [mark(x, at(1), at(2))]), { ok: true });
      await store.dropCheckpoint(x);
      assert.equal(await store.readCheckpoint(x), undefined);
    });

    it('lets exactly one of many racing commits on one checkpoint win', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store.commit([put('winner', { size: n })], [{ projection: x, expected: undefined, position: at(n) }]),
        ),
      );
      assert.equal(results.filter((result) => result.ok).length, 1);
      assert.equal(await store.readCheckpoint(x), at((await store.get(THINGS, 'winner'))?.size ?? -1));
    });

    it('applies nothing of a commit if one change cannot be stored', async () => {
      const unstorable = { toJSON: () => assert.fail('cannot be written') };
      await assert.rejects(async () =>
        store.commit([put('a', { size: 1 }), { kind: 'put', collection: THINGS, id: 'b', document: unstorable }], []),
      );
      assert.equal(await store.get(THINGS, 'b'), undefined);
    });

    it('makes a commit visible to readers as soon as it resolves', async () => {
      await save(put('a', { size: 1 }, { column: Uint8Array.of(5) }));
      assert.deepEqual(await fixture.reader.get(THINGS, 'a'), { size: 1 });
      await save(put('a', { size: 2 }));
      assert.deepEqual(await fixture.reader.get(THINGS, 'a'), { size: 2 });
      await store.dropCollection(THINGS);
      assert.equal(await fixture.reader.get(THINGS, 'a'), undefined);
      await save(put('a', { size: 3 }));
      assert.deepEqual(await fixture.reader.get(THINGS, 'a'), { size: 3 });
    });

    it('finds by every operator, never across types', async () => {
      await save(
        put('a', { name: 'checkout', size: 1, on: true, labels: ['x', 2] }),
        put('b', { name: 'cart', size: 2, on: false }),
        put('c', { name: '1', labels: ['1'] }),
        put('d', {}),
      );
      assert.deepEqual(await ids(eq('name', 'cart')), ['b']);
      assert.deepEqual(await ids(eq('size', 1)), ['a']);
      assert.deepEqual(await ids(eq('size', '1')), []);
      assert.deepEqual(await ids(eq('on', true)), ['a']);
      assert.deepEqual(await ids(eq('on', 1)), []);
      assert.deepEqual(await ids(oneOf('name', ['cart', '1', 'none'])), ['b', 'c']);
      assert.deepEqual(await ids(oneOf('name', [])), []);
      assert.deepEqual(await ids(range('size', 1, 2)), ['a']);
      assert.deepEqual(await ids(range('size', 2)), ['b']);
      assert.deepEqual(await ids(range('name', 'ca', 'cb')), ['b']);
      assert.deepEqual(await ids(range('name', 0)), []);
      assert.deepEqual(await ids(prefix('name', 'c')), ['a', 'b']);
      assert.deepEqual(await ids(has('labels', 'x')), ['a']);
      assert.deepEqual(await ids(has('labels', 1)), []);
      assert.deepEqual(await ids(and(prefix('name', 'c'), eq('on', false))), ['b']);
      assert.deepEqual(await ids(and()), ['a', 'b', 'c', 'd']);
      assert.equal(await store.count(THINGS, prefix('name', 'c')), 2);
    });

    it('sorts, skips and limits, absent fields first, ties by id', async () => {
      await save(put('a', { size: 2 }), put('b', { size: 10 }), put('c', {}), put('d', { size: 2 }));
      const found = async (descending: boolean, skip?: number, limit?: number) =>
        (await store.find(THINGS, { sort: [{ field: 'size', descending }], skip, limit })).map(({ id }) => id).join('');
      assert.equal(await found(false), 'cadb');
      assert.equal(await found(true), 'badc');
      assert.equal(await found(false, 1, 2), 'ad');
      assert.equal(await found(false, 3), 'b');
      assert.equal(await found(false, 0, 0), '');
    });

    it('matches the reference implementation on random documents and filters', async () => {
      const text = fc.constantFrom('', 'a', 'ab', 'a\0', 'a\0b', 'b', 'ä', '\u{1F600}', '\uFFFD', '%', '_', '"');
      const scalar = fc.oneof(text, fc.integer({ min: -2, max: 2 }), fc.boolean());
      const thing = fc.record(
        { name: scalar, size: scalar, labels: fc.array(scalar, { maxLength: 3 }) },
        { requiredKeys: [], noNullPrototype: true },
      );
      const field = fc.constantFrom('name', 'size');
      const condition: fc.Arbitrary<Filter> = fc.oneof(
        fc.tuple(field, scalar).map(([f, v]) => eq(f, v)),
        fc.tuple(field, fc.array(scalar, { maxLength: 3 })).map(([f, v]) => oneOf(f, v)),
        fc
          .tuple(field, fc.option(scalar, { nil: undefined }), fc.option(scalar, { nil: undefined }))
          .map(([f, a, b]) => range(f, a, b)),
        fc.tuple(field, text).map(([f, v]) => prefix(f, v)),
        scalar.map((v) => has('labels', v)),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(thing, { maxLength: 8 }),
          fc.array(condition, { maxLength: 3 }),
          async (things, conditions) => {
            await store.dropCollection(THINGS);
            await save(
              ...things.map((document, n): DocumentChange => ({
                kind: 'put',
                collection: THINGS,
                id: `t${n}`,
                document,
              })),
            );
            const filter = and(...conditions);
            const expected = things
              .map((document, n) => ({ id: `t${n}`, document }))
              .filter(({ document }) => matchesFilter(filter, document));
            assert.deepEqual(await store.find(THINGS, { filter }), expected.sort(createQueryComparator({})));
            assert.equal(await store.count(THINGS, filter), expected.length);
          },
        ),
        { numRuns: 60 },
      );
    });

    it('drops a collection with its blobs, which can then be used again', async () => {
      await save(put('a', {}, { column: Uint8Array.of(1) }));
      await Promise.all([store.dropCollection(THINGS), store.dropCollection(THINGS)]);
      await store.dropCollection(THINGS);
      await save(put('a', {}));
      assert.equal(await store.readBlob(THINGS, 'a', 'column'), undefined);
      assert.equal(await store.count(THINGS), 1);
    });

    it('keeps everything when reopened', async function () {
      await save(put('a', { name: 'kept' }, { column: Uint8Array.of(7) }));
      await store.commit([], [{ projection: x, expected: undefined, position: at(3) }]);
      if (fixture.reopen === undefined) return;
      store = await fixture.reopen();
      assert.deepEqual(await store.get(THINGS, 'a'), { name: 'kept' });
      assert.deepEqual([...((await store.readBlob(THINGS, 'a', 'column')) ?? [])], [7]);
      assert.equal(await store.readCheckpoint(x), at(3));
    });

    it('supports check, vacuum, and closing twice', async () => {
      assert.deepEqual(await store.check(), { ok: true });
      assert.ok((await store.vacuum()) >= 0);
      await store.close();
      await store.close();
    });

    it('rejects operations after it was closed', async () => {
      await save(put('a', {}));
      await store.close();
      const calls = [
        () => store.get(THINGS, 'a'),
        () => store.find(THINGS, {}),
        () => store.count(THINGS),
        () => store.readBlob(THINGS, 'a', 'column'),
        () => store.readBlobs(THINGS, 'column', { prefix: '', limit: 1 }),
        () => store.readCheckpoint(x),
        () => save(put('a', {})),
        () => store.dropCollection(THINGS),
        () => store.dropCheckpoint(x),
        () => store.vacuum(),
      ];
      for (const call of calls) await assert.rejects(call(), { code: 'unavailable' }, String(call));
      assert.equal((await store.check()).ok, false);
      await store.close();
      await fixture.reader.close();
      await assert.rejects(fixture.reader.get(THINGS, 'a'), { code: 'unavailable' });
    });
  });
}
