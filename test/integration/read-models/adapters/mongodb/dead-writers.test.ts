import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MongoReadModelStore } from '../../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { DocumentChange, Collection } from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';
import { MongoServer } from '../../../../support/mongodb-server/mongodb-server.js';
import type { DeadWriterOrders } from './dead-writer.js';

const THINGS: Collection<{ size: number }> = { name: 'things.v1', indexes: [] };
const at = (n: number): Position => `p${n}` as Position;
const put = (size: number): DocumentChange => ({
  kind: 'put',
  collection: THINGS,
  id: 'x',
  document: { size },
  blobs: { column: Uint8Array.of(size) },
});
const mark = (projection: string, from: number | undefined, to: number) => ({
  projection,
  expected: from === undefined ? undefined : at(from),
  position: at(to),
});

/**
 * Sooner than the server ends what nobody finishes (60 s), than a lease moves (15 s), and than a commit is abandoned
 * (20 s).
 */
const SOON_MS = 8_000;

describe('what a dead writer has left open in MongoDB', () => {
  let server: MongoServer;
  const stores: MongoReadModelStore[] = [];

  beforeEach(async () => (server = await MongoServer.start()));
  afterEach(async () => {
    server.heal();
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await server.stop();
  });

  function storeOn(): MongoReadModelStore {
    const store = new MongoReadModelStore(server.url);
    stores.push(store);
    return store;
  }

  const writerOn = (before: readonly string[]): Worker =>
    new Worker(new URL('dead-writer.js', import.meta.url), {
      workerData: { url: server.url, before } satisfies DeadWriterOrders,
    });

  /**
   * A writer in a thread of its own that is ended when the server has met this many of its commands of a kind, never
   * answered.
   */
  async function dieAt(command: string, after: number, writer = writerOn([])): Promise<void> {
    const reached = new Promise<void>((resolve) => server.fail({ command, after, kind: 'drop-after' }, resolve));
    writer.postMessage('go on');
    await reached;
    await writer.terminate();
    await new Promise((resolve) => setImmediate(resolve));
  }

  for (const [moment, command, after] of [
    ['before it has written a checkpoint', 'insert', 0],
    ['after it has written the checkpoint', 'update', 2],
  ] as const) {
    it(`does not keep the next one waiting: it died ${moment}`, async () => {
      await dieAt(command, after);
      assert.equal(server.openTransactions, 1, 'a transaction is open');
      const began = performance.now();
      assert.deepEqual(await storeOn().commit([put(2)], [mark('x', undefined, 2)]), { ok: true });
      assert.ok(performance.now() - began < SOON_MS, `${Math.round(performance.now() - began)} ms`);
      assert.equal(server.openTransactions, 0);
    });
  }

  it('ends also for who has written before, when it is blocked', async () => {
    const store = storeOn();
    await store.commit([put(2)], [mark('x', undefined, 2)]);
    await dieAt('insert', 0);
    assert.deepEqual(await store.commit([put(3)], [mark('x', 2, 3)]), { ok: true });
    assert.deepEqual(await store.get(THINGS, 'x'), { size: 3 });
  });

  it('ends also where it had lost another projection before, and gone on with the same session', async () => {
    const writer = writerOn(['x', 'y']);
    await once(writer, 'message');
    assert.deepEqual(await storeOn().commit([], [mark('y', 1, 2)]), { ok: true });
    await dieAt('insert', 0, writer);
    assert.equal(server.openTransactions, 1, 'a transaction is open');
    const began = performance.now();
    assert.deepEqual(await storeOn().commit([put(2)], [mark('x', 1, 2)]), { ok: true });
    assert.ok(performance.now() - began < SOON_MS, `${Math.round(performance.now() - began)} ms`);
  });

  it('is left alone where it is of another projection', async () => {
    await dieAt('insert', 0);
    assert.deepEqual(await storeOn().commit([], [mark('y', undefined, 1)]), { ok: true });
    assert.equal(server.openTransactions, 1);
  });

  it('is asked for once: commits of one writer cost no further question', async () => {
    const store = storeOn();
    for (let n = 1; n <= 3; n++) await store.commit([put(n)], [mark('x', n === 1 ? undefined : n - 1, n)]);
    const asked = server.received.filter((command) => command.update === 'writers' || command.find === 'writers');
    assert.equal(asked.length, 2);
  });
});
