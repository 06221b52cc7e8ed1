import assert from 'node:assert/strict';
import { EMBEDDED } from '../../../../src/config/settings.js';
import { HindsightError } from '../../../../src/errors.js';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import type { ProjectorPort } from '../../../../src/projections/sharding/sharded-projector.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { initializeShardCount } from '../../../../src/read-models/sharding/installed-shard-count.js';
import type {
  DocumentChange,
  Checkpoint,
  CommitResult,
  ReadModelStore,
} from '../../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import {
  createProjectorLifecycle,
  computeTailBytes,
  type ProjectorLifecycle,
} from '../../../../src/runtime/threads/projector-lifecycle.js';
import type { ThreadSettings } from '../../../../src/runtime/engines/engine-settings.js';
import { projectionsOf } from '../../../support/cluster/cluster.js';
import { feedOf } from '../../../unit/projections/engine/support/projected.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../support/nats-server.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeIf } from '../../../support/speech-engines.js';

const SETTINGS: ThreadSettings = {
  dataDir: '/nowhere',
  logLevel: 'error',
  eventStoreUrl: EMBEDDED,
  readStoreUrl: 'mongodb://elsewhere',
  natsUrl: undefined,
  clusterName: 'projecting',
  natsReplicas: 1,
  projectorShares: 4,
  storeTimeoutMs: 2_000,
  memoryLimit: undefined,
  roles: new Set(['project']),
};
const ALL = projectionsOf(4);

describe('log tails of a process', () => {
  it('have less memory each the more shards there are', () => {
    const MIB = 1024 * 1024;
    assert.deepEqual(
      [1, 4, 16, 256].map((shards) => computeTailBytes(shards) / MIB),
      [16, 16, 4, 1],
    );
  });
});

describe('projector lifecycle', () => {
  const feed = feedOf();
  const events = new MemoryEventStore({ feed });
  const under: ProjectorLifecycle[] = [];
  const refused: Error[] = [];
  let reported: (readonly number[])[] = [];

  beforeEach(() => {
    reported = [];
    refused.length = 0;
  });
  afterEach(() => Promise.all(under.splice(0).map((each) => each.stop())));

  async function over(
    store: ReadModelStore,
    changes: Partial<ThreadSettings> = {},
    onHeld = (shards: readonly number[]): void => void reported.push(shards),
  ): Promise<ProjectorLifecycle> {
    const parts = {
      events,
      store,
      feed,
      log: SILENT_LOGGER,
      scratch: () => new MemoryReadModelStore(),
      onOwnedShardsChanged: onHeld,
      onStartRefused: (error: Error) => void refused.push(error),
    };
    const each = await createProjectorLifecycle({ ...SETTINGS, ...changes }, parts);
    under.push(each);
    return each;
  }

  it('starts one projector on embedded read models, with unsharded collections', async () => {
    const store = new MemoryReadModelStore();
    const { projector, start } = await over(store, { readStoreUrl: EMBEDDED, projectorShares: 1 });
    await start();
    assert.deepEqual((await projector.projections()).sort(), projectionsOf(1));
    assert.deepEqual(
      [reported, await store.count({ name: 'installation', indexes: [] }), await store.readCheckpoint('tenure')],
      [[[0]], 0, undefined],
    );
  });

  it('owns all shards without NATS', async () => {
    const { projector, start, stop } = await over(new MemoryReadModelStore());
    await start();
    await waitUntil(() => keepsAll(projector), 'all shards are kept');
    assert.deepEqual(reported, [[], [0, 1, 2, 3]]);
    await stop();
    assert.deepEqual(await projector.projections(), []);
  });

  it('refuses to start when the read models have another number of shards', async () => {
    const store = new MemoryReadModelStore();
    await initializeShardCount(store, 8);
    const { start } = await over(store);
    await assert.rejects(start(), {
      code: 'invalid-request',
      message: /PROJECTOR_SHARES is 4, but the read models were created for 8 shards/,
    });
    assert.deepEqual([reported, refused], [[], []]);
  });

  it('starts once an unreachable store responds', async () => {
    const { projector, start } = await over(new AwayAtFirst());
    await start();
    await waitUntil(() => keepsAll(projector), 'all shards are kept');
  });

  describeIf(HAS_NATS)(`over NATS${NATS_NEEDS}`, () => {
    let server: NatsServer;

    before(async () => {
      server = await NatsServer.start();
    });
    after(() => server.dispose());

    it('divides the shards among all processes, and the others take over when one leaves', async function () {
      this.timeout(30_000);
      const store = new MemoryReadModelStore();
      const held: (readonly number[])[] = [[], []];
      const both = [0, 1].map((n) => over(store, { natsUrl: server.url }, (shards) => void (held[n] = shards)));
      const [first, second] = await Promise.all(both);
      await Promise.all([first.start(), second.start()]);
      await waitUntil(() => held.every((shards) => shards.length === 2), 'both hold two shards', 20_000);
      assert.deepEqual([...held[0], ...held[1]].sort(), [0, 1, 2, 3]);
      await first.stop();
      await waitUntil(() => keepsAll(second.projector), 'the other keeps all', 10_000);
    });
  });
});

async function keepsAll(projector: ProjectorPort): Promise<boolean> {
  const health = await projector.check();
  return (await projector.projections()).sort().join() === ALL.join() && health.ok && health.degraded === undefined;
}

class AwayAtFirst extends MemoryReadModelStore {
  private isAway = true;

  override commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    if (!this.isAway) return super.commit(changes, checkpoints);
    this.isAway = false;
    return Promise.reject(new HindsightError('unavailable', 'away'));
  }
}
