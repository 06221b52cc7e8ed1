import assert from 'node:assert/strict';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { Projector } from '../../../../src/projections/engine/projector.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { ReadModelStore } from '../../../../src/read-models/read-model-store.js';
import { EventStoreDbEventStore } from '../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { EventReader } from '../../../../src/streams/event-store.js';
import { EventStoreDbServerDouble } from '../../../support/eventstoredb-server/server.js';
import { goldenDigests, goldenLog } from '../../../support/golden-log/golden-log.js';
import { createEventLog, replayAll } from '../../../support/golden-log/replay.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { feedOf } from '../../../unit/projections/engine/support/projected.js';

const digests = Object.fromEntries(Object.entries(goldenDigests()).map(([name, { digest }]) => [name, digest]));
const events = goldenLog();
/** The machine may stand still for longer than a service may let its senders wait. */
const TIMEOUT_MS = 20_000;

describe('the golden log on other engines', function () {
  this.timeout(60_000);
  let server: EventStoreDbServerDouble;
  let mongo: MongoServer;
  let log: EventStoreDbEventStore;
  let now = 0;

  before(async () => {
    server = await new EventStoreDbServerDouble({ clock: () => now }).start();
    mongo = await MongoServer.start();
    log = new EventStoreDbEventStore({ url: server.url, storeTimeoutMs: TIMEOUT_MS });
    for (const { stream, at, id, type, data, body } of events) {
      now = at;
      await log.append(stream, 'any', [{ id, type, data, ...(body === undefined ? {} : { body: body.slice() }) }]);
    }
  });
  after(async () => {
    await log.close();
    await Promise.all([server.stop(), mongo.stop()]);
  });

  it('has the same digests from EventStoreDB', async () => {
    assert.deepEqual(await replayAll(log), { digests, deadLetters: 0 });
  });

  it('has the same digests in MongoDB', async () => {
    const store = new MongoReadModelStore(mongo.url);
    assert.deepEqual(await replayAll(await createEventLog(events), store), { digests, deadLetters: 0 });
    await store.close();
  });

  it('has the same digests from one to the other, is verified there, and again after the connections broke', async () => {
    const store = new MongoReadModelStore(mongo.url.replace('hindsight-test', 'another'));
    assert.deepEqual(await replayAll(log, store), { digests, deadLetters: 0 });
    server.wire.cut();
    mongo.cut();
    assert.deepEqual(await verified(log, store), []);
    await store.close();
  });
});

/** Projections whose read models differ from what a replay gives. */
async function verified(log: EventReader, store: ReadModelStore): Promise<string[]> {
  const projector = new Projector({
    events: log,
    store,
    feed: feedOf(),
    log: SILENT_LOGGER,
    scratch: () => new MemoryReadModelStore(),
    pollingIntervals: { everyMs: 0, idleMs: 50 },
  });
  try {
    await projector.start();
    const found = [];
    for (const name of await projector.projections()) if (!(await projector.verify(name)).equal) found.push(name);
    return found;
  } finally {
    await projector.stop();
  }
}
