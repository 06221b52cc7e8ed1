/** The double of EventStoreDB as a process: `node dist/test/support/cluster/eventstoredb.js --port 2113`. Data is in memory. */
import { EventStoreDbServerDouble } from '../eventstoredb-server/server.js';
import { runTestServer } from './test-server.js';

await runTestServer(async (port) => {
  const server = await new EventStoreDbServerDouble({ port }).start();
  return {
    url: server.url,
    cut: () => server.wire.cut(),
    goAway: async () => server.wire.refuse(true),
    comeBack: async () => server.wire.refuse(false),
    stop: () => server.stop(),
  };
});
