import assert from 'node:assert/strict';
import { MongoReadModelReader } from '../../../../../src/read-models/adapters/mongodb/read-model-reader.js';
import {
  MongoReadModelStore,
  type MongoStoreSettings,
} from '../../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { DocumentChange, Collection } from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';
import type { Fault } from '../../../../support/mongodb-server/faults.js';
import { MongoServer, NO_PRIMARY } from '../../../../support/mongodb-server/mongodb-server.js';
import { elapsedMs, shortest } from '../../../../support/measurement.js';

const THINGS: Collection<{ size: number }> = { name: 'things.v1', indexes: [['size']] };
const at = (n: number): Position => `p${n}` as Position;
const put = (id: string, size: number): DocumentChange => ({
  kind: 'put',
  collection: THINGS,
  id,
  document: { size },
  blobs: { column: Uint8Array.of(size) },
});
const mark = (from: number | undefined, to: number) => ({
  projection: 'x',
  expected: from === undefined ? undefined : at(from),
  position: at(to),
});

describe('read models in MongoDB, with faults', () => {
  let server: MongoServer;
  const opened: MongoReadModelReader[] = [];

  function storeOn(settings?: MongoStoreSettings): MongoReadModelStore {
    const store = new MongoReadModelStore(server.url, settings);
    opened.push(store);
    return store;
  }
  function readerOn(): MongoReadModelReader {
    const reader = new MongoReadModelReader(server.url);
    opened.push(reader);
    return reader;
  }
  const commitsSeen = () => server.received.filter((command) => command.commitTransaction !== undefined);

  async function start(members: number): Promise<void> {
    server = await MongoServer.start({ members });
  }
  afterEach(async () => {
    server.heal();
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await server.stop();
  });

  describe('on a replica set', () => {
    beforeEach(() => start(2));

    const passing: Record<string, Fault> = {
      'a connection that ends before a write': { command: 'update', kind: 'drop-before' },
      'a connection that ends after a write': { command: 'insert', kind: 'drop-after' },
      'a connection that ends before the commit': { command: 'commitTransaction', kind: 'drop-before' },
      'a commit whose answer is lost': { command: 'commitTransaction', kind: 'drop-after', times: 3 },
      'a commit whose result the server does not know': {
        command: 'commitTransaction',
        times: 2,
        kind: { error: 'NotWritablePrimary', labels: ['UnknownTransactionCommitResult'] },
      },
      'write conflicts': {
        command: 'update',
        times: 5,
        kind: { error: 'WriteConflict', labels: ['TransientTransactionError'] },
      },
      'a write conflict without a label': { command: 'update', times: 3, kind: { error: 'WriteConflict' } },
      'a lock timeout without a label': { command: 'update', times: 3, kind: { error: 'LockTimeout' } },
      'a transaction that the server has forgotten': {
        command: 'commitTransaction',
        kind: { error: 'NoSuchTransaction', labels: ['TransientTransactionError'] },
      },
    };
    for (const [name, fault] of Object.entries(passing)) {
      it(`commits once in spite of ${name}`, async () => {
        const store = storeOn();
        await store.commit([put('a', 1)], [mark(undefined, 1)]);
        server.fail(fault);
        assert.deepEqual(await store.commit([put('a', 2), put('b', 2)], [mark(1, 2)]), { ok: true });
        assert.deepEqual(await store.find(THINGS, {}), [
          { id: 'a', document: { size: 2 } },
          { id: 'b', document: { size: 2 } },
        ]);
        assert.equal(server.documentsOf('checkpoints')[0].commits, 2);
        assert.equal(server.openTransactions, 0);
      });
    }

    it('continues with the next primary, and loses and doubles nothing of a commit under way', async () => {
      const [store, reader] = [storeOn(), readerOn()];
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      server.fail({ command: 'commitTransaction', kind: { delayMs: 0 } }, () => server.stepDown());
      assert.deepEqual(await store.commit([put('a', 2)], [mark(1, 2)]), { ok: true });
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 2 });
      server.stepDown();
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 2 });
      assert.equal(server.documentsOf('checkpoints')[0].commits, 2);
    });

    it('waits for an election', async () => {
      const store = storeOn();
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      server.stepDown(NO_PRIMARY);
      // Drivers ask each member twice a second: the election takes longer than one attempt to find a primary.
      server.fail({ command: 'hello', after: 16, kind: { delayMs: 0 } }, () => server.stepDown(1));
      assert.deepEqual(await store.commit([put('a', 2)], [mark(1, 2)]), { ok: true });
    });

    it('rejects with unavailable while the server is unavailable, and works again when it is back', async () => {
      const [store, reader] = [storeOn({ commitTimeoutMs: 300 }), readerOn()];
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      await server.goAway();
      await assert.rejects(store.commit([put('a', 2)], [mark(1, 2)]), { code: 'unavailable' });
      await assert.rejects(reader.get(THINGS, 'a'), { code: 'unavailable' });
      assert.equal((await reader.check()).ok, false);
      await server.comeBack();
      assert.deepEqual(await store.commit([put('a', 3)], [mark(1, 3)]), { ok: true });
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 3 });
      assert.deepEqual(await reader.check(), { ok: true });
    });

    it('answers within 2 s, or says that it cannot, when the server is frozen', async () => {
      const tookMs = await shortest(2_000, async () => {
        server.heal();
        const reader = readerOn();
        await reader.get(THINGS, 'a');
        server.freeze();
        return elapsedMs(() =>
          Promise.all([
            assert.rejects(reader.find(THINGS, {}), { code: 'unavailable' }),
            reader.check().then(({ ok }) => assert.equal(ok, false)),
          ]),
        );
      });
      assert.ok(tookMs < 2_000, `${Math.round(tookMs)} ms`);
    });

    it('sends whole milliseconds, whatever the timeout', async () => {
      const reader = new MongoReadModelReader(server.url, { storeTimeoutMs: 2_345 });
      opened.push(reader);
      assert.equal(await reader.get(THINGS, 'a'), undefined);
      assert.deepEqual(await reader.check(), { ok: true });
    });

    it('waits for a slow server as long as it is told to', async () => {
      const reader = new MongoReadModelReader(server.url, { storeTimeoutMs: 20_000 });
      opened.push(reader);
      server.fail({ command: 'hello', times: 2, kind: { delayMs: 2_000 } });
      server.fail({ command: 'find', kind: { delayMs: 2_000 } });
      assert.equal(await reader.get(THINGS, 'a'), undefined);
      server.fail({ command: 'ping', kind: { delayMs: 2_000 } });
      assert.deepEqual(await reader.check(), { ok: true });
    });

    it('does not wait for ever for a server that freezes during a commit', async () => {
      const [store, other] = [storeOn({ commitTimeoutMs: 100 }), storeOn()];
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      server.fail({ command: 'update', kind: { delayMs: 0 } }, () => server.freeze());
      await assert.rejects(store.commit([put('a', 2)], [mark(1, 2)]), { code: 'unavailable' });
      server.heal();
      assert.deepEqual(await other.commit([put('a', 3)], [mark(1, 3)]), { ok: true });
    });

    it('reports by the checkpoint what became of a commit that nobody confirmed', async () => {
      const store = storeOn({ commitTimeoutMs: 200 });
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      server.fail({ command: 'commitTransaction', kind: 'drop-after', times: 1_000 });
      await assert.rejects(store.commit([put('a', 2)], [mark(1, 2)]), { code: 'unavailable' });
      server.heal();
      assert.equal(await store.readCheckpoint('x'), at(2));
      assert.deepEqual(await store.get(THINGS, 'a'), { size: 2 });
    });

    it('lets one of two projectors on one checkpoint through, and nothing of the other', async () => {
      const stores = [storeOn(), storeOn()];
      await stores[0].commit([], [mark(undefined, 0)]);
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all(
          stores.map((store, who) => store.commit([put(`${round}/${who}`, who)], [mark(round, round + 1)])),
        );
        const won = results.findIndex(({ ok }) => ok);
        assert.deepEqual(results[1 - won], { ok: false, fenced: true, found: at(round + 1) });
        assert.equal(await stores[0].count(THINGS), round + 1);
        assert.deepEqual(await stores[0].get(THINGS, `${round}/${won}`), { size: won });
      }
    });

    it('fences a projector that comes back to a checkpoint that was first written by another', async () => {
      const stores = [storeOn(), storeOn()];
      const results = await Promise.all(
        stores.map((store, who) => store.commit([put(`${who}`, who)], [mark(undefined, who)])),
      );
      assert.equal(results.filter(({ ok }) => ok).length, 1);
    });

    it('asks for a majority and the journal, for one moment a question, and for an end', async () => {
      const [store, reader] = [storeOn(), readerOn()];
      await store.commit([put('a', 1)], [mark(undefined, 1)]);
      const [commit] = commitsSeen();
      assert.deepEqual([commit.writeConcern, commit.maxTimeMS], [{ w: 'majority', j: true, wtimeout: 10_000 }, 10_000]);
      assert.ok(
        server.received.some(
          (command) => command.startTransaction === true && command.readConcern.level === 'snapshot',
        ),
      );
      server.received.length = 0;
      await Promise.all([
        reader.get(THINGS, 'a'),
        reader.find(THINGS, {}),
        reader.count(THINGS),
        reader.readBlob(THINGS, 'a', 'column'),
        reader.readCheckpoint('x'),
        reader.readBlobs(THINGS, 'column', { prefix: '', limit: 1 }),
      ]);
      const questions = server.received.filter(
        (command) => command.find !== undefined || command.aggregate !== undefined,
      );
      assert.equal(questions.length, 6);
      for (const { maxTimeMS, readConcern } of questions)
        assert.deepEqual([maxTimeMS, readConcern], [1_800, { level: 'snapshot' }]);
    });

    it('asks again while the server has no snapshot of a new collection', async () => {
      const [store, reader] = [storeOn(), readerOn()];
      await store.commit([put('a', 1)], []);
      server.fail({ command: 'find', times: 3, kind: { error: 'SnapshotUnavailable' } });
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 1 });
    });

    it('calls it away when it refuses us: an event must not be blamed for a password', async () => {
      const store = storeOn();
      server.fail({ command: 'update', times: 100, kind: { error: 'Unauthorized' } });
      await assert.rejects(store.commit([put('a', 1)], []), { code: 'unavailable' });
    });

    it('calls it away when it does not know an option: an event must not be blamed for that', async () => {
      const store = storeOn();
      server.fail({ command: 'update', times: 100, kind: { error: 'BadValue' } });
      await assert.rejects(store.commit([put('a', 1)], []), { code: 'unavailable' });
    });

    it('creates indexes on a majority, and on all members where the server does not know that option', async () => {
      const quorums = () =>
        server.received.filter((command) => command.createIndexes !== undefined).map((command) => command.commitQuorum);
      await storeOn().commit([put('a', 1)], []);
      assert.deepEqual(quorums(), ['majority', 'majority']);
      server.received.length = 0;
      server.fail({ command: 'createIndexes', kind: { error: 'BadValue' } });
      await storeOn().commit(
        [{ kind: 'put', collection: { name: 'others.v1', indexes: [] }, id: 'a', document: {} }],
        [],
      );
      assert.deepEqual(quorums(), [undefined]);
      assert.equal(server.indexesOf('blobs.others.v1').length, 2);
    });

    it('passes on what it says of a document', async () => {
      const store = storeOn();
      server.fail({ command: 'update', times: 100, kind: { writeError: 'BadValue' } });
      await assert.rejects(
        store.commit([put('a', 1)], []),
        (error: { code?: unknown }) => error.code !== 'unavailable',
      );
      assert.equal(server.openTransactions, 0);
    });

    it('takes over where the server cannot end the sessions of others', async () => {
      const [first, second] = [storeOn(), storeOn()];
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      server.fail({ command: 'killSessions', times: 100, kind: { error: 'CommandNotSupported' } });
      assert.deepEqual(await second.commit([put('a', 2)], [mark(1, 2)]), { ok: true });
      assert.deepEqual(await second.commit([put('a', 3)], [mark(2, 3)]), { ok: true });
      assert.deepEqual(await first.commit([put('a', 4)], [mark(1, 4)]), { ok: false, fenced: true, found: at(3) });
    });

    it('passes on what no store will ever take, and does not call it away', async () => {
      const store = storeOn();
      const tooLarge: DocumentChange = {
        kind: 'put',
        collection: THINGS,
        id: 'a',
        document: { text: 'x'.repeat(17 * 1024 * 1024) },
      };
      await assert.rejects(
        store.commit([put('b', 1), tooLarge], []),
        (error: { code?: unknown }) => error.code !== 'unavailable',
      );
      assert.equal(await store.count(THINGS), 0);
      assert.equal(server.openTransactions, 0);
    });
  });

  describe('on a standalone server', () => {
    beforeEach(() => start(0));

    it('refuses a second writer until the first has closed', async () => {
      const [first, second, reader] = [storeOn(), storeOn(), readerOn()];
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      await assert.rejects(second.commit([put('a', 2)], [mark(1, 2)]), {
        code: 'unavailable',
        message: /Another projector/,
      });
      await assert.rejects(second.dropCollection(THINGS), { code: 'unavailable' });
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 1 });
      await first.close();
      assert.deepEqual(await second.commit([put('a', 2)], [mark(1, 2)]), { ok: true });
    });

    it('goes on with transactions when it becomes a replica set', async () => {
      const [first, second, reader] = [storeOn(), storeOn(), readerOn()];
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      assert.deepEqual(await reader.get(THINGS, 'a'), { size: 1 });
      await server.becomeReplicaSet();
      let last = 1;
      // Commits at the time of the change are rejected, and repeated by the projector.
      while (commitsSeen().length === 0)
        try {
          assert.deepEqual(await first.commit([put('a', last + 1)], [mark(last, last + 1)]), { ok: true });
          last++;
        } catch (error) {
          assert.equal((error as { code?: unknown }).code, 'unavailable');
          const position = await first.readCheckpoint('x').catch(() => undefined);
          if (position === at(last + 1)) last++;
        }
      assert.deepEqual(await second.commit([put('a', 0)], [mark(last, last + 1)]), { ok: true });
      const levelOfRead = async (): Promise<unknown> => {
        server.received.length = 0;
        const found = await reader.get(THINGS, 'a').catch(() => undefined);
        if (found !== undefined) assert.deepEqual(found, { size: 0 });
        return found && server.received.at(-1)?.readConcern.level;
      };
      while ((await levelOfRead()) !== 'snapshot');
    });

    it('completes as a replica set what was interrupted on a standalone server', async () => {
      const [first, second] = [storeOn(), storeOn()];
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      // The journal is complete; the connection ends at the first write that applies it.
      server.fail({ command: 'update', times: 100, kind: 'drop-before' });
      await assert.rejects(first.commit([put('a', 2)], [mark(1, 2)]));
      server.heal();
      await first.close();
      assert.notDeepEqual(server.documentsOf('journal'), []);
      await server.becomeReplicaSet();
      assert.equal(await second.readCheckpoint('x'), at(2));
      assert.deepEqual(await second.get(THINGS, 'a'), { size: 2 });
      assert.deepEqual(server.documentsOf('journal'), []);
      assert.deepEqual(await storeOn().commit([put('a', 3)], [mark(2, 3)]), { ok: true });
    });

    it('lets another one write when the first has died, and no third', async () => {
      const lease = { leaseMs: 1_000, renewMs: 1 };
      const first = storeOn({ lease: { ...lease, renewMs: 100_000 } });
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      const second = storeOn({ lease });
      for (let refused = true; refused;)
        refused = await second.commit([put('a', 2)], [mark(1, 2)]).then(
          () => false,
          () => true,
        );
      const third = storeOn({ lease });
      await assert.rejects(third.commit([], [mark(2, 3)]), { code: 'unavailable' });
      assert.deepEqual(await second.get(THINGS, 'a'), { size: 2 });
    });

    it('keeps its right to write while it has nothing to write', async () => {
      const lease = { leaseMs: 1_000, renewMs: 60 };
      const [first, second] = [storeOn({ lease }), storeOn({ lease })];
      await first.commit([put('a', 1)], [mark(undefined, 1)]);
      const renewals = () => server.received.filter((command) => command.update === 'writer').length;
      while (renewals() < 20) await server.whenReceived('update');
      await assert.rejects(second.commit([put('a', 2)], [mark(1, 2)]), { code: 'unavailable' });
    });

    it('finds all or nothing of a commit that ended at any of its commands', async () => {
      const changes = (size: number): DocumentChange[] => [
        put('a', size),
        put('b', size),
        { kind: 'delete', collection: THINGS, id: `old${size}` },
      ];
      const outcomes = new Set<string>();
      outcomes.add(await commitCutShort(changes, { command: 'insert', kind: 'drop-before' }));
      for (const [command, times] of Object.entries({ insert: 3, update: 2, delete: 4 })) {
        for (let after = 0; after < times; after++)
          outcomes.add(await commitCutShort(changes, { command, after, kind: 'drop-after' }));
      }
      assert.deepEqual([...outcomes].sort(), [at(1), at(2)]);
    });

    /**
     * Commits once whole and once with a fault, and compares what the next writer finds with the checkpoint that it
     * finds.
     */
    async function commitCutShort(changes: (size: number) => DocumentChange[], fault: Fault): Promise<string> {
      const first = storeOn();
      await first.dropCollection(THINGS);
      await first.dropCheckpoint('x');
      await first.commit([...changes(1), put('old2', 9)], [mark(undefined, 1)]);
      server.fail(fault);
      await first.commit(changes(2), [mark(1, 2)]).catch(() => undefined);
      server.heal();
      await first.close();
      const next = storeOn();
      const position = await next.readCheckpoint('x');
      const size = position === at(2) ? 2 : 1;
      const found = (await next.find(THINGS, {})).map(({ id, document }) => [id, document.size]);
      assert.deepEqual(found, [['a', size], ['b', size], ...(size === 1 ? [['old2', 9]] : [])], JSON.stringify(fault));
      assert.deepEqual([...(await next.readBlob(THINGS, 'b', 'column'))!], [size]);
      assert.deepEqual(server.documentsOf('journal'), []);
      await next.close();
      return String(position);
    }
  });
});
