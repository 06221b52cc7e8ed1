import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { openForReading, openForWriting } from '../../../../src/read-models/adapters/sqlite/read-model-file.js';
import {
  deleteRowsInSlices,
  truncateWal,
  vacuumInSlices,
} from '../../../../src/read-models/adapters/sqlite/sqlite-maintenance.js';
import { SqliteReadModelReader } from '../../../../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../../../../src/read-models/adapters/sqlite/read-model-store.js';
import { readModelStoreContract } from '../../../contracts/read-model-store.contract.js';

readModelStoreContract('memory', () => {
  const store = new MemoryReadModelStore();
  return Promise.resolve({ store, reader: store, dispose: () => store.close() });
});

async function embedded() {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-read-models-'));
  const file = join(folder, 'read-models.db');
  const stores = [new SqliteReadModelStore(file)];
  const reader = new SqliteReadModelReader(file);
  return {
    file,
    store: stores[0],
    reader,
    reopen: async () => {
      await stores[0].close();
      stores.push(new SqliteReadModelStore(file));
      return stores[stores.length - 1];
    },
    dispose: async () => {
      await Promise.all([...stores, reader].map((each) => each.close()));
      await rm(folder, { recursive: true });
    },
  };
}

readModelStoreContract('embedded SQLite', embedded);

describe('embedded read model store', () => {
  const COLLECTION = { name: 'things.v1', indexes: [] };

  it('returns nothing before the writer has created the file', async () => {
    const { reader, dispose } = await embedded();
    assert.equal(await reader.get(COLLECTION, 'a'), undefined);
    assert.deepEqual(await reader.find(COLLECTION, {}), []);
    assert.equal(await reader.readCheckpoint('x'), undefined);
    await dispose();
  });

  it('restricts its file to the owner and returns freed space', async () => {
    const { store, file, dispose } = await embedded();
    const blobs = { column: new Uint8Array(4_000_000).fill(7) };
    await store.commit([{ kind: 'put', collection: COLLECTION, id: 'a', document: {}, blobs }], []);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await store.commit([{ kind: 'delete', collection: COLLECTION, id: 'a' }], []);
    assert.ok((await store.vacuum()) >= 4_000_000);
    assert.ok((await stat(file)).size < 1_000_000);
    await dispose();
  });

  describe('maintenance', () => {
    const BLOCKS = 200;
    const columns = () =>
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`column ${i}`, new Uint8Array(20_000).fill(i)]));
    let fixture: Awaited<ReturnType<typeof embedded>>;

    beforeEach(async () => {
      fixture = await embedded();
      for (let from = 0; from < BLOCKS; from += 20) {
        await fixture.store.commit(
          Array.from({ length: 20 }, (_, i) => ({
            kind: 'put',
            collection: COLLECTION,
            id: `${from + i}`,
            document: {},
            blobs: columns(),
          })),
          [],
        );
      }
    });
    afterEach(() => fixture.dispose());

    it('empties a collection and returns its space in slices between commits', async () => {
      const { store, reader, file } = fixture;
      const whole = (await stat(file)).size;
      await store.close();
      const database = openForWriting(file);
      const commit = (): void =>
        database.transaction(() => database.exec("INSERT OR REPLACE INTO checkpoints VALUES ('x', 'p', 0)"));
      const emptied = run(
        deleteRowsInSlices(() => database, COLLECTION),
        commit,
      );
      assert.ok(emptied.slices > 50, `${emptied.slices} slices`);
      assert.equal(await reader.count(COLLECTION), 0);
      const { result: freed, slices } = run(
        vacuumInSlices(() => database),
        commit,
      );
      assert.ok(slices > 20, `${slices} slices`);
      assert.ok(freed > 0.9 * whole, `${freed} of ${whole}`);
      assert.ok((await stat(file)).size < 0.1 * whole);
      database.close();
    });

    it('does not wait for readers', async () => {
      const { store, file } = fixture;
      const reading = openForReading(file);
      reading?.exec('BEGIN; SELECT count(*) FROM checkpoints');
      await store.dropCollection(COLLECTION);
      await store.vacuum();
      reading?.close();
    });

    it('truncates the write-ahead log without a busy timeout', () => {
      const database = openForWriting(fixture.file);
      const statements: string[] = [];
      const exec = database.exec.bind(database);
      database.exec = (sql) => {
        statements.push(sql);
        exec(sql);
      };
      truncateWal(database);
      assert.deepEqual(statements, [
        'PRAGMA busy_timeout = 0',
        'PRAGMA wal_checkpoint(TRUNCATE)',
        'PRAGMA busy_timeout = 5000',
      ]);
      database.close();
    });

    it('ends between two slices when the store is closed', async () => {
      const dropping = fixture.store.dropCollection(COLLECTION);
      await fixture.store.close();
      await assert.rejects(dropping, { code: 'unavailable' });
      const again = await fixture.reopen();
      await again.dropCollection(COLLECTION);
      assert.equal(await again.count(COLLECTION), 0);
    });
  });
});

/** Takes every slice, and does something in between. */
function run<T>(slices: Generator<void, T, void>, between: () => void): { result: T; slices: number } {
  for (let count = 1; ; count++) {
    const { done, value } = slices.next();
    if (done === true) return { result: value, slices: count };
    between();
  }
}
