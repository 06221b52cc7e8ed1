import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createProjectionLagMonitor } from '../../../src/runtime/projection-lag.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { Position } from '../../../src/streams/event-store.js';
import { ShardMap } from '../../../src/streams/shard-map.js';
import { telemetryStream } from '../../../src/streams/stream-names.js';

const SHARDS = 4;
const CLUSTER = { readStoreUrl: 'mongodb://db', maxProjectionLagMs: 1_000, projectorShares: SHARDS };

describe('projection lag of a cluster', () => {
  let log: MemoryEventStore;
  let positions: Map<string, Position>;
  let laterMs: number;

  beforeEach(() => {
    [log, positions, laterMs] = [new MemoryEventStore(), new Map(), 0];
  });
  afterEach(() => log.close());

  const sources = () => ({
    events: log,
    readPosition: async (gridId: string) => positions.get(gridId),
    now: () => Date.now() + laterMs,
    logger: { warn: () => undefined, info: () => undefined },
  });
  async function append(gridId: string): Promise<Position> {
    const appended = await log.append(telemetryStream(gridId), 'any', [
      { id: randomUUID(), type: 'ThingHappened.v1', data: {} },
    ]);
    assert.ok(appended.ok);
    return appended.position;
  }
  /** One Grid of each of two shards. */
  function twoGrids(): [string, string] {
    const shards = new ShardMap(SHARDS);
    const one = randomUUID();
    for (;;) {
      const other = randomUUID();
      if (shards.shardFor(other) !== shards.shardFor(one)) return [one, other];
    }
  }

  it('is the age of the oldest event of the shard that is not projected', async () => {
    const [one, other] = twoGrids();
    const monitor = createProjectionLagMonitor(CLUSTER, sources())!;
    const admitted = async (): Promise<boolean[]> => {
      const isAdmitted = (gridId: string): boolean => monitor.decide({ ownerId: 'owner', gridId }).admit;
      [one, other].forEach(isAdmitted);
      await monitor.measure();
      return [one, other].map(isAdmitted);
    };
    const first = await append(one);
    positions.set(other, await append(other));
    assert.deepEqual(await admitted(), [true, true]);
    laterMs = 2_000;
    assert.deepEqual(await admitted(), [false, true]);
    positions.set(one, first);
    assert.deepEqual(await admitted(), [true, true]);
  });

  it('is not measured where the projector is in the process, nor without a limit', () => {
    assert.equal(createProjectionLagMonitor({ ...CLUSTER, readStoreUrl: 'embedded:' }, sources()), undefined);
    assert.equal(createProjectionLagMonitor({ ...CLUSTER, maxProjectionLagMs: 0 }, sources()), undefined);
  });
});
