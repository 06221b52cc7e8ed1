import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { SqliteReadModelReader } from '../../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../../src/read-models/adapters/sqlite/read-model-store.js';
import { readModelStoreContract } from '../contracts/read-model-store.contract.js';

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

  it('answers nothing before the writer has created the file', async () => {
    const { reader, dispose } = await embedded();
    assert.equal(await reader.get(COLLECTION, 'a'), undefined);
    assert.deepEqual(await reader.find(COLLECTION, {}), []);
    assert.equal(await reader.checkpoint('x'), undefined);
    await dispose();
  });

  it('keeps its file to the owner and gives freed bytes back', async () => {
    const { store, file, dispose } = await embedded();
    const blobs = { column: new Uint8Array(4_000_000).fill(7) };
    await store.commit([{ kind: 'put', collection: COLLECTION, id: 'a', document: {}, blobs }], []);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await store.commit([{ kind: 'delete', collection: COLLECTION, id: 'a' }], []);
    assert.ok((await store.vacuum()) >= 4_000_000);
    assert.ok((await stat(file)).size < 1_000_000);
    await dispose();
  });
});
