/** The double of MongoDB, a replica set of one, as a process: `node dist/test/support/cluster/mongodb.js --port 27017`. Data is in memory. */
import { MongoServer } from '../mongodb-server/mongodb-server.js';
import { runTestServer } from './test-server.js';

await runTestServer(async (port) => {
  const server = await MongoServer.start({ port, remembers: false });
  return {
    url: server.url,
    cut: () => server.cut(),
    goAway: () => server.goAway(),
    comeBack: () => server.comeBack(),
    stop: () => server.stop(),
  };
});
