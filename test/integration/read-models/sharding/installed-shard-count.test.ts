import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import {
  verifyShardCount,
  readInstalledShardCount,
  initializeShardCount,
} from '../../../../src/read-models/sharding/installed-shard-count.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';

describe('the number of shards of an installation', () => {
  it('is stored on the first start, and verified on every other', async () => {
    const store = new MemoryReadModelStore();
    await verifyShardCount(store, 8);
    assert.equal(await readInstalledShardCount(store), undefined);
    await initializeShardCount(store, 16);
    await initializeShardCount(store, 16);
    await verifyShardCount(store, 16);
    assert.equal(await readInstalledShardCount(store), 16);
    for (const refused of [initializeShardCount(store, 8), verifyShardCount(store, 8)]) {
      await assert.rejects(refused, {
        code: 'invalid-request',
        message: /PROJECTOR_SHARES is 8, but the read models were created for 16 shards/,
      });
    }
    assert.equal(await readInstalledShardCount(store), 16);
  });

  it('is the same if several processes start for the first time at once', async () => {
    const server = await MongoServer.start();
    const counts = [16, 16, 4, 4, 1];
    const stores = counts.map(() => new MongoReadModelStore(server.url));
    const started = await Promise.allSettled(stores.map((store, i) => initializeShardCount(store, counts[i])));
    const kept = await readInstalledShardCount(stores[0]);
    assert.deepEqual(
      started.map(({ status }) => status === 'fulfilled'),
      counts.map((count) => count === kept),
    );
    await Promise.all(stores.map((store) => store.close()));
    await server.stop();
  });
});
