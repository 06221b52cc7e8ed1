import assert from 'node:assert/strict';
import {
  FENCING_CHECKPOINT,
  FencedStore,
  toFencingPosition,
} from '../../../../src/projections/sharding/fenced-store.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type {
  DocumentChange,
  Checkpoint,
  Collection,
  CommitResult,
  ReadModelStore,
} from '../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { readModelStoreContract } from '../../../contracts/read-model-store.contract.js';

const THINGS: Collection<{ size: number }> = { name: 'things.v1', indexes: [] };
const put = (size: number): DocumentChange => ({ kind: 'put', collection: THINGS, id: 'a', document: { size } });
const REFUSED = { ok: false, fenced: true, found: undefined };

interface Fixture {
  readonly store: ReadModelStore;
  dispose(): Promise<void>;
}

const FIXTURES: Readonly<Record<string, () => Promise<Fixture>>> = {
  memory: () => Promise.resolve({ store: new MemoryReadModelStore(), dispose: () => Promise.resolve() }),
  'MongoDB (server double)': async () => {
    const server = await MongoServer.start();
    const store = new MongoReadModelStore(server.url);
    return { store, dispose: () => store.close().then(() => server.stop()) };
  },
};

for (const [name, open] of Object.entries(FIXTURES)) {
  describe(`a fenced store over ${name}`, () => {
    let fixture: Fixture;
    let store: ReadModelStore;
    /** The lease that the register knows. */
    let lease: number | undefined;

    beforeEach(async () => {
      fixture = await open();
      ({ store } = fixture);
      lease = undefined;
    });
    afterEach(() => fixture.dispose());

    /** A holder whose lease is `lease`, as long as that is its token; a deaf one does not learn that it has none any more. */
    const holder = (token: number): FencedStore => ((lease = token), new FencedStore(store, token, () => lease));
    const deaf = (token: number): FencedStore => new FencedStore(store, token, () => token);
    const size = async (): Promise<number | undefined> => (await store.get(THINGS, 'a'))?.size;

    it('given no former holder, is acquired with the first commit, and remains so with every other', async () => {
      const first = holder(5);
      assert.deepEqual(await first.commit([put(1)], []), { ok: true });
      assert.equal(await store.readCheckpoint(FENCING_CHECKPOINT), toFencingPosition(5));
      assert.deepEqual(
        await first.commit([put(2)], [{ projection: 'x', expected: undefined, position: '1' as Position }]),
        { ok: true },
      );
      assert.deepEqual(
        [await size(), await store.readCheckpoint('x'), await store.readCheckpoint(FENCING_CHECKPOINT)],
        [2, '1', toFencingPosition(5)],
      );
    });

    it('given an earlier holder, is taken over from it, and rejects whatever that one commits', async () => {
      const [first, second] = [deaf(5), deaf(6)];
      await first.commit([put(1)], []);
      assert.deepEqual(await second.commit([put(2)], []), { ok: true });
      const refused = await first.commit([put(3)], []);
      assert.deepEqual(refused, { ok: false, fenced: true, found: toFencingPosition(6) });
      assert.equal(await size(), 2);
      assert.equal(await first.acquire(), 'superseded');
    });

    it('given a later holder, is never acquired, not even by a holder that has not written yet', async () => {
      await deaf(6).commit([put(2)], []);
      const late = deaf(5);
      assert.equal(await late.acquire(), 'superseded');
      assert.deepEqual(await late.commit([put(3)], []), { ok: false, fenced: true, found: toFencingPosition(6) });
      assert.deepEqual([await size(), await store.readCheckpoint(FENCING_CHECKPOINT)], [2, toFencingPosition(6)]);
    });

    it('given tokens of other lengths, compares numbers', async () => {
      await deaf(999).commit([], []);
      assert.equal(await deaf(1_000).acquire(), 'taken');
      assert.equal(await deaf(999).acquire(), 'superseded');
    });

    it('given several commits at once, is acquired once, and none of them is rejected', async () => {
      await deaf(4).commit([], []);
      const second = deaf(5);
      const results = await Promise.all([second.commit([put(1)], []), second.commit([], []), second.acquire()]);
      assert.deepEqual(results, [{ ok: true }, { ok: true }, 'taken']);
    });

    it('given the same token again, continues', async () => {
      await holder(5).commit([put(1)], []);
      assert.deepEqual(await holder(5).commit([put(2)], []), { ok: true });
    });

    it('given that the lease is lost, rejects without contacting the store, and acquires nothing', async () => {
      const first = holder(5);
      await first.commit([put(1)], []);
      lease = undefined;
      await fixture.dispose();
      assert.deepEqual(await first.commit([put(2)], []), REFUSED);
      assert.equal(await first.acquire(), 'no lease');
      lease = 6;
      assert.deepEqual(await first.commit([put(2)], []), REFUSED);
      fixture = await open();
    });

    it('given a later holder, drops nothing any more', async () => {
      const first = deaf(5);
      await first.commit([put(1)], [{ projection: 'x', expected: undefined, position: '1' as Position }]);
      await deaf(6).commit([], []);
      for (const work of [() => first.dropCollection(THINGS), () => first.dropCheckpoint('x'), () => first.vacuum()])
        await assert.rejects(work, { code: 'unavailable' });
      assert.deepEqual([await size(), await store.readCheckpoint('x')], [1, '1']);
    });

    it('given that the takeover failed without a result, is acquired by the next commit', async () => {
      const shaky = new Shaky(store);
      const first = new FencedStore(shaky, 5, () => 5);
      await assert.rejects(first.commit([put(1)], []), /lost/);
      assert.equal(await store.readCheckpoint(FENCING_CHECKPOINT), toFencingPosition(5));
      assert.deepEqual(await first.commit([put(2)], []), { ok: true });
      assert.equal(await size(), 2);
    });

    it('given an earlier holder that takes over at the same moment, is acquired all the same', async () => {
      const racing = new Shaky(store, () => deaf(5).commit([put(1)], []));
      const second = new FencedStore(racing, 6, () => 6);
      assert.deepEqual(await second.commit([put(2)], []), { ok: true });
      assert.deepEqual([await size(), await store.readCheckpoint(FENCING_CHECKPOINT)], [2, toFencingPosition(6)]);
    });
  });
}

readModelStoreContract('a tenured store', () => {
  const store = new MemoryReadModelStore();
  const tenured = Object.assign(new FencedStore(store, 1, () => 1), { close: () => store.close() });
  return Promise.resolve({ store: tenured, reader: store, dispose: () => store.close() });
});

/** The first commit happens, and its answer is lost; or something happens right before it. */
class Shaky extends MemoryReadModelStore {
  private isFirst = true;

  constructor(
    private readonly inner: ReadModelStore,
    private readonly before?: () => Promise<unknown>,
  ) {
    super();
  }

  override readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.inner.readCheckpoint(projection);
  }

  override async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const { isFirst } = this;
    this.isFirst = false;
    if (isFirst) await this.before?.();
    const result = await this.inner.commit(changes, checkpoints);
    if (isFirst && this.before === undefined) throw new Error('the answer was lost');
    return result;
  }
}
