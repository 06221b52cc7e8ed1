import type { OfflineOperations } from '../../../../src/operations/operations-port.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalAdministration } from '../../../../src/operations/administration/local-administration.js';
import { readSettings, type Settings } from '../../../../src/config/settings.js';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { openOfflineOperations } from '../../../../src/runtime/offline/offline-operations.js';
import { exportFromEventLog } from '../../../../src/runtime/offline/offline-incident-export.js';
import { diagnoseShards } from '../../../../src/runtime/offline/shard-diagnostics.js';
import { SingleProcessLeases } from '../../../../src/projections/sharding/single-process-leases.js';
import { ShardedProjector } from '../../../../src/projections/sharding/sharded-projector.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import { initializeShardCount } from '../../../../src/read-models/sharding/installed-shard-count.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import { EventStoreDbEventStore } from '../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { ShardMap } from '../../../../src/streams/shard-map.js';
import { telemetryStream } from '../../../../src/streams/stream-names.js';
import { administrationContract } from '../../../contracts/administration.contract.js';
import { feedOf } from '../../../unit/projections/engine/support/projected.js';
import { EventStoreDbServerDouble } from '../../../support/eventstoredb-server/server.js';
import { goldenLog } from '../../../support/golden-log/golden-log.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';
import { waitUntil } from '../../../support/wait-until.js';

const SHARES = 4;
const ACTOR = 'operator:test';
/** The machine may stall for longer than a service makes senders wait. */
const TIMEOUT_MS = 20_000;

describe('operations on shared stores', function () {
  this.timeout(300_000);
  let folder: string;
  let server: EventStoreDbServerDouble;
  let mongo: MongoServer;
  let settings: Settings;
  let owner: { stop(): Promise<void> };
  let stores: OfflineOperations;
  const notices: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindsight-desk-'));
    server = await new EventStoreDbServerDouble().start();
    mongo = await MongoServer.start({ remembers: false });
    settings = readSettings({
      DATA_DIR: join(folder, 'data'),
      EVENT_STORE_URL: server.url,
      READ_STORE_URL: mongo.url,
      PROJECTOR_SHARES: String(SHARES),
    });
    owner = await own();
    stores = await openOfflineOperations(settings, (text) => notices.push(text));
  });
  after(async () => {
    await stores.close();
    await owner.stop();
    await Promise.all([server.stop(), mongo.stop()]);
    await rm(folder, { recursive: true });
  });
  beforeEach(() => notices.splice(0));

  /** A process with the role `project`, as seen by others. */
  async function own(): Promise<{ stop(): Promise<void> }> {
    const events = new EventStoreDbEventStore({ url: server.url, storeTimeoutMs: TIMEOUT_MS });
    const store = new MongoReadModelStore(mongo.url);
    await initializeShardCount(store, SHARES);
    const leases = new SingleProcessLeases(SHARES, Date.now(), 'owner');
    const host = new ShardedProjector({
      events,
      store,
      feed: feedOf(),
      log: SILENT_LOGGER,
      leases,
      shardMap: new ShardMap(SHARES),
      openShardStore: (shard) => new ShardStore(store, shard),
      scratch: () => new MemoryReadModelStore(),
      pollingIntervals: { everyMs: 0, idleMs: 50 },
    });
    await host.start();
    return {
      async stop() {
        await host.stop();
        await leases.close();
        await Promise.all([events.close(), store.close()]);
      },
    };
  }

  administrationContract('with them', () => ({
    administration: createLocalAdministration(stores, ACTOR),
    actor: ACTOR,
    unknownGrid: 'not-found',
  }));

  it('create no data folder', async () => {
    assert.deepEqual(await readdir(folder), []);
  });

  it('import an incident file and export it again', async () => {
    const telemetry = goldenLog().filter(({ type, body }) => type === 'TracesReceived.v1' && body !== undefined);
    const { gridId } = await stores.createGrid(ACTOR, 'busy', { id: 'alice', kind: 'user' });
    const log = new EventStoreDbEventStore({ url: server.url, storeTimeoutMs: TIMEOUT_MS });
    for (const { type, data, body } of telemetry)
      await log.append(telemetryStream(gridId), 'any', [
        { id: randomUUID(), type, data: { ...data, gridId }, body: body?.slice() },
      ]);
    await log.close();
    const file = join(folder, 'busy.gz');
    const now = Date.now();
    const bounds = {
      fromMs: telemetry[0].at - 3_600_000,
      toMs: telemetry[0].at + 3_600_000,
      baselineMs: 0,
      lateMs: now,
      strip: [],
      now,
      hindsight: 'test',
      onProgress: () => undefined,
    };
    const exported = await exportFromEventLog(settings, 'busy', file, bounds);
    assert.ok(exported.events > 2 && exported.records > 50, `${exported.events} events`);
    const imported = await stores.importSlice(
      file,
      { owner: 'alice', actor: ACTOR, withKey: true, name: 'again' },
      () => undefined,
    );
    assert.deepEqual([imported.events, imported.records], [exported.events, exported.records]);
    assert.ok((await stores.allGrids()).some(({ name }) => name === 'again'));
    await rm(file);
  });

  it('refuse operations of shard owners, and list the dead letters of all shards', async () => {
    for (const order of [
      stores.projections(),
      stores.verify('access'),
      stores.replay('access', {}, () => undefined),
      stores.retryDeadLetters({}, () => undefined),
    ]) {
      await assert.rejects(order, {
        code: 'unavailable',
        message: /role project\n {2}→ run the command where one of them runs/,
      });
    }
    assert.deepEqual(await stores.listDeadLetters(), []);
    const { gridId } = await stores.createGrid(ACTOR, 'poisoned');
    const log = new EventStoreDbEventStore({ url: server.url, storeTimeoutMs: TIMEOUT_MS });
    await log.append(telemetryStream(gridId), 'any', [
      { id: randomUUID(), type: 'TracesReceived.v1', data: { gridId }, body: Uint8Array.of(1) },
    ]);
    await log.close();
    await waitUntil(async () => (await stores.listDeadLetters()).length > 0, 'the event is deadLetters');
    const [{ lacking }] = await stores.listDeadLetters();
    assert.deepEqual(lacking, [`traces/${new ShardMap(SHARES).shardFor(gridId)}`]);
    assert.equal((await diagnoseShards(settings))?.deadLetters, 1);
  });

  it('refuse another number of shards than in the read models', async () => {
    await assert.rejects(openOfflineOperations({ ...settings, projectorShares: 8 }), {
      code: 'invalid-request',
      message: /PROJECTOR_SHARES is 8.*created for 4/,
    });
  });

  it('report the lag of each shard, and a change that is not visible without an owner', async () => {
    await waitUntil(
      async () => (await diagnoseShards(settings))!.lags.every(({ waitingMs }) => waitingMs === 0),
      'nothing waits',
    );
    await owner.stop();
    const before = await stores.allGrids();
    await stores.createGrid(ACTOR, 'unseen');
    assert.match(notices.join(), /^the change is in the event log, but was not visible after 10 s/);
    assert.deepEqual(await stores.allGrids(), before);
    const { lags } = (await diagnoseShards(settings))!;
    assert.deepEqual(
      lags.map(({ projection }) => projection),
      ['access', 'traces/0', 'traces/1', 'traces/2', 'traces/3'],
    );
    assert.ok(lags[0].waitingMs > 4_000);
    owner = await own();
    await waitUntil(async () => (await stores.allGrids()).some(({ name }) => name === 'unseen'), 'it shows');
  });
});
