import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED } from '../../../../src/config/settings.js';
import { MongoReadModelStore } from '../../../../src/read-models/adapters/mongodb/read-model-store.js';
import type { LiveTopic } from '../../../../src/read-models/documents/live-diagnostics-documents.js';
import { openEventStore } from '../../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import type { EventStore } from '../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../src/streams/live/in-process-feed.js';
import type { AccessApi } from '../../../../src/runtime/threads/access-thread.js';
import type { DiagnosticsApi } from '../../../../src/runtime/threads/diagnostics-thread.js';
import type { ReaderApi } from '../../../../src/runtime/threads/reader-thread.js';
import type { ThreadSettings } from '../../../../src/runtime/engines/engine-settings.js';
import { startThread, type WorkerThread } from '../../../../src/runtime/threads/worker-thread.js';
import { logsReceived, spansReceived } from '../../../unit/projections/engine/support/requests.js';
import { until } from '../../../unit/projections/engine/support/until.js';
import { ShardedLog } from '../../../unit/queries/telemetry/support/sharded-log.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';

const COUNT = 4;
const SPANS = 1_500;
const [LARGE, SMALL, EMPTY] = [0, 1, 2].map((n) => `0f0c4b2a-1111-4222-8333-44445555666${n}`);

/** The query threads of a process with a shared store. */
describe('query threads on sharded read models', () => {
  let dataDir: string;
  let mongo: MongoServer;
  let store: MongoReadModelStore;
  let log: EventStore;
  let world: ShardedLog;
  const threads: WorkerThread<unknown>[] = [];

  before(async function () {
    this.timeout(60_000);
    dataDir = await mkdtemp(join(tmpdir(), 'hindsight-shared-out-'));
    mongo = await MongoServer.start({ remembers: false });
    store = new MongoReadModelStore(mongo.url);
    log = await openEventStore(dataDir, new InProcessFeed('shared-out'), () => undefined);
    world = new ShardedLog(log);
    world.now = Date.now();
    for (const gridId of [LARGE, SMALL, EMPTY]) await world.created(gridId, 'shop');
    const start = world.now - 90_000;
    await world.received(
      spansReceived(
        Array.from({ length: SPANS }, (_, n) => ({ trace: 1, span: n + 1, start: start + n })),
        LARGE,
      ),
    );
    await world.received(spansReceived([{ trace: 1, span: 1, start, service: 'cart' }], SMALL));
    await world.received(logsReceived([{ time: start, body: 'paid', span: 1 }], SMALL));
    await world.project(store, COUNT);
  });

  after(async () => {
    for (const thread of threads) await thread.close();
    await Promise.all([store.close(), log.close()]);
    await mongo.stop();
    await rm(dataDir, { recursive: true });
  });

  function start<Api>(file: string): WorkerThread<Api>['api'] {
    const settings: ThreadSettings = {
      dataDir,
      eventStoreUrl: EMBEDDED,
      readStoreUrl: mongo.url,
      natsUrl: undefined,
      clusterName: 'shared-out',
      natsReplicas: 1,
      projectorShares: COUNT,
      storeTimeoutMs: 2_000,
      logLevel: 'silent',
      memoryLimit: undefined,
      roles: new Set(['api'] as const),
    };
    const thread = startThread<Api>(new URL(`../../../../src/runtime/threads/${file}.js`, import.meta.url), settings);
    threads.push(thread);
    return thread.api;
  }

  it('query traces and logs, with lists of any length', async () => {
    const reader = start<ReaderApi>('reader-thread');
    const found = await reader.findTraces({
      gridId: LARGE,
      range: { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER },
      page: 1,
      pageSize: 10,
    });
    const [{ traceId }] = found.items;
    const [spans, few, logs, none] = await Promise.all([
      reader.traceSpans(LARGE, traceId),
      reader.traceSpans(SMALL, traceId),
      reader.traceLogs(SMALL, traceId),
      reader.traceSpans(EMPTY, traceId),
    ]);
    assert.deepEqual([spans?.length, few?.length, logs?.length, none], [SPANS, 1, 1, undefined]);
    assert.equal(new Set(spans?.map(({ spanId }) => spanId)).size, SPANS);
    assert.deepEqual((await reader.traceFilterOptions(SMALL)).serviceNames, ['cart']);
  });

  it('query all Grids', async () => {
    const access = start<AccessApi>('access-thread');
    const ages = await access.telemetryAges();
    assert.deepEqual(
      new Map(ages.map(({ gridId, oldestMs }) => [gridId, oldestMs !== undefined])),
      new Map([
        [LARGE, true],
        [SMALL, true],
        [EMPTY, false],
      ]),
    );
  });

  it('query diagnostics and charts, and refresh followed live documents', async function () {
    this.timeout(30_000);
    const diagnostics = start<DiagnosticsApi>('diagnostics-thread');
    await diagnostics.start();
    assert.deepEqual([...(await diagnostics.gridsWithRecentTelemetry())].sort(), [LARGE, SMALL]);
    assert.deepEqual(
      (await diagnostics.health(SMALL, {})).services.map(({ serviceName }) => serviceName),
      ['cart'],
    );
    const own = (await diagnostics.charts(SMALL)).filter(({ builtIn }) => !builtIn).map(({ title }) => title);
    assert.deepEqual(
      own,
      (await diagnostics.charts(EMPTY)).map(({ title }) => title),
    );
    assert.ok(own.length > 0);
    const follow = async (topic: LiveTopic) => (await diagnostics.liveDocument(LARGE, topic))?.version;
    const isFollowed = async (topic: LiveTopic): Promise<boolean> => ((await follow(topic)) ?? 0) >= 1; // more, where a minute ends meanwhile
    await until(async () => (await isFollowed('health')) && isFollowed('services'));
    await diagnostics.stop();
  });
});
