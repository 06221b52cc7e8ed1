/** The double of EventStoreDB as a process: `node dist/test/support/cluster/eventstoredb.js --port 2113`. What it is given, it keeps in memory. */
import { EventStoreDbServerDouble } from '../eventstoredb-server/server.js';
import { serve } from './serve.js';

await serve(async (port) => {
  const server = await new EventStoreDbServerDouble({ port }).start();
  return { url: server.url, cut: () => server.wire.cut(), stop: () => server.stop() };
});
