import assert from 'node:assert/strict';
import { MongoReadModelReader } from '../../../../../src/read-models/adapters/mongodb/read-model-reader.js';
import type { Collection } from '../../../../../src/read-models/read-model-store.js';
import { MongoServer } from '../../../../support/mongodb-server/mongodb-server.js';

const THINGS: Collection<Record<string, unknown>> = { name: 'things.v1', indexes: [] };
const QUESTIONS = 200;

/** Of one client: 16 for questions, and those by which its driver watches the server. */
const MOST = 16 + 2;

describe('connections to MongoDB', () => {
  let server: MongoServer;
  let reader: MongoReadModelReader;

  before(async () => {
    server = await MongoServer.start();
    reader = new MongoReadModelReader(server.url, { readTimeoutMs: 15_000 });
  });
  after(async () => {
    await reader.close();
    await server.stop();
  });

  it('are few, however many concurrent queries: they are queued', async () => {
    server.fail({ command: 'find', kind: { delayMs: 5 }, times: QUESTIONS });
    const answers = await Promise.all(Array.from({ length: QUESTIONS }, (_, n) => reader.get(THINGS, String(n))));
    assert.deepEqual(answers, Array(QUESTIONS).fill(undefined));
    assert.ok(server.mostConnections <= MOST, `${server.mostConnections} connections`);
  });
});
