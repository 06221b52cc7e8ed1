import assert from 'node:assert/strict';
import { MongoReadModelStore } from '../../src/read-models/adapters/mongodb/read-model-store.js';
import { initializeShardCount } from '../../src/read-models/sharding/installed-shard-count.js';
import { EventStoreDbServerDouble } from '../support/eventstoredb-server/server.js';
import { MongoServer } from '../support/mongodb-server/mongodb-server.js';
import { ServiceProcess } from '../support/service.js';

describe('a process with a different number of shards than the read models were created for', function () {
  this.timeout(60_000);
  let log: EventStoreDbServerDouble;
  let readModels: MongoServer;

  before(async () => {
    log = new EventStoreDbServerDouble();
    await log.start();
    readModels = await MongoServer.start();
    const store = new MongoReadModelStore(readModels.url);
    await initializeShardCount(store, 4);
    await store.close();
  });
  after(async () => {
    await readModels.stop();
    await log.stop();
  });

  for (const role of ['api', 'ingest', 'project']) {
    it(`does not start: ${role}`, async () => {
      const settings = { EVENT_STORE_URL: log.url, READ_STORE_URL: readModels.url, ROLES: role, PROJECTOR_SHARES: '8' };
      const service = await ServiceProcess.prepare(settings);
      await assert.rejects(service.start(), /PROJECTOR_SHARES is 8, but the read models were created for 4 shards/);
      await service.dispose();
    });
  }
});
