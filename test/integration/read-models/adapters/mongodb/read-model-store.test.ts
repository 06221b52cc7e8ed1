import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { MongoReadModelReader } from '../../../../../src/read-models/adapters/mongodb/read-model-reader.js';
import { MongoReadModelStore } from '../../../../../src/read-models/adapters/mongodb/read-model-store.js';
import { readModelStoreContract, type ReadModelStoreFixture } from '../../../../contracts/read-model-store.contract.js';
import { MongoServer } from '../../../../support/mongodb-server/mongodb-server.js';

async function against(url: string, release: () => Promise<void>): Promise<ReadModelStoreFixture> {
  const stores = [new MongoReadModelStore(url)];
  const reader = new MongoReadModelReader(url);
  return {
    store: stores[0],
    reader,
    reopen: async () => {
      await stores[0].close();
      stores.push(new MongoReadModelStore(url));
      return stores[1];
    },
    dispose: async () => {
      await Promise.all([...stores, reader].map((each) => each.close()));
      await release();
    },
  };
}

const servers = [
  { name: 'MongoDB (server double, replica set)', members: 1 },
  { name: 'MongoDB (server double, standalone)', members: 0 },
];
for (const { name, members } of servers) {
  readModelStoreContract(name, async () => {
    const server = await MongoServer.start({ members });
    return against(server.url, () => server.stop());
  });
}

/** A database of its own on the server that READ_STORE_URL names; what the address says of a database is left out. */
function databaseOn(url: string): string {
  const [, hosts, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url)!;
  return `${hosts}/hindsight-contract-${randomUUID()}${options}`;
}

const asked = process.env.READ_STORE_URL;
if (asked?.startsWith('mongodb')) {
  readModelStoreContract('MongoDB (READ_STORE_URL)', async () => {
    const url = databaseOn(asked);
    return against(url, async () => {
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
    });
  });
} else {
  describe('read model store contract: MongoDB (READ_STORE_URL)', () => {
    it(
      "needs a server: READ_STORE_URL='mongodb://127.0.0.1:27017/?replicaSet=rs0' npx mocha --no-config --timeout 60000 'dist/test/integration/read-models/adapters/mongodb/**/*.test.js'",
    );
  });
}
