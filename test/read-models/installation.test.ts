import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../src/read-models/adapters/mongodb/read-model-store.js';
import { checkInstallation, installedShares, keepInstallation } from '../../src/read-models/installation.js';
import { MongoServer } from '../support/mongodb-server/mongodb-server.js';

describe('the number of shares of an installation', () => {
  it('is kept with the first start, and asked of every other', async () => {
    const store = new MemoryReadModelStore();
    await checkInstallation(store, 8);
    assert.equal(await installedShares(store), undefined);
    await keepInstallation(store, 16);
    await keepInstallation(store, 16);
    await checkInstallation(store, 16);
    assert.equal(await installedShares(store), 16);
    for (const refused of [keepInstallation(store, 8), checkInstallation(store, 8)]) {
      await assert.rejects(refused, { code: 'invalid-request', message: /PROJECTOR_SHARES is 8, but the read models were made for 16 shares/ });
    }
    assert.equal(await installedShares(store), 16);
  });

  it('is one where several start for the first time at once', async () => {
    const server = await MongoServer.start();
    const counts = [16, 16, 4, 4, 1];
    const stores = counts.map(() => new MongoReadModelStore(server.url));
    const started = await Promise.allSettled(stores.map((store, i) => keepInstallation(store, counts[i])));
    const kept = await installedShares(stores[0]);
    assert.deepEqual(started.map(({ status }) => status === 'fulfilled'), counts.map((count) => count === kept));
    await Promise.all(stores.map((store) => store.close()));
    await server.stop();
  });
});
