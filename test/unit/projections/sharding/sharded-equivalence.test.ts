import assert from 'node:assert/strict';
import { createDiagnosticsQueries } from '../../../../src/queries/diagnostics/diagnostics-queries.js';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { createReaderForGrid } from '../../../../src/read-models/sharding/shard-readers.js';
import { ShardStore } from '../../../../src/read-models/sharding/shard-store.js';
import { createRollupReader } from '../../../../src/read-models/sharding/sharded-rollup-reader.js';
import type { ReadModelReader } from '../../../../src/read-models/read-model-store.js';
import { ShardMap } from '../../../../src/streams/shard-map.js';
import { TelemetryBodyCache } from '../../../../src/streams/telemetry-body-cache.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { logsReceived, metricsReceived, spansReceived } from '../engine/support/requests.js';
import { ProjectorProcesses } from './support/projector-processes.js';

const GRIDS = Array.from({ length: 24 }, (_none, n) => `grid-${n}`);
const MINUTE = 60_000;

describe('one log in 1 shard and in 16', () => {
  let processes: ProjectorProcesses;

  before(async () => {
    processes = new ProjectorProcesses(16);
    await processes.join();
    await processes.join();
    for (const [n, gridId] of GRIDS.entries()) await fill(gridId, n);
    await processes.settle();
    await processes.log.settle();
  });
  after(() => processes.stop());

  async function fill(gridId: string, n: number): Promise<void> {
    const { log } = processes;
    const data = { actor: 'owner', at: log.now, gridId, name: gridId };
    await log.events.append(gridStream(gridId), 'none', [{ id: `created ${gridId}`, type: 'GridCreated.v1', data }]);
    if (n % 3 === 0) await log.setApdex(2 + n, gridId);
    for (let trace = 0; trace < 3 + (n % 4); trace++) {
      const start = log.now - 5 * MINUTE + trace * 1_000;
      const spans = [0, 1].map((span) => ({
        trace,
        span: trace * 2 + span,
        start,
        service: `shop-${span}`,
        operation: `buy ${n}`,
        attributes: { grid: gridId },
      }));
      await log.append(spansReceived(spans, gridId));
      await log.append(logsReceived([{ time: start, body: `entry of ${gridId}`, span: trace }], gridId));
      await log.append(metricsReceived([{ time: start, value: trace, kind: 'sum', service: 'shop-0' }], gridId));
    }
    if (n % 5 === 0) await log.expire(log.now - 5 * MINUTE + 1_500, gridId);
    log.now += 1_000;
  }

  /** Everything that a Grid is asked, of read models in so many shards. */
  function answersOf(store: ReadModelReader, count: number): (gridId: string) => Promise<unknown> {
    const shardMap = new ShardMap(count);
    const [getReader, rollups] = [createReaderForGrid(store, shardMap), createRollupReader(store, shardMap)];
    const telemetry = createTelemetryQueries(store, new TelemetryBodyCache(processes.log.events), { getReader });
    const { queries } = createDiagnosticsQueries({
      store,
      getReader,
      rollups,
      live: new MemoryReadModelStore(),
      now: () => processes.log.now,
    });
    const when = { range: { fromMs: processes.log.now - 30 * MINUTE, toMs: processes.log.now } };
    const range = { fromUs: (processes.log.now - 60 * MINUTE) * 1_000, toUs: processes.log.now * 1_000 };
    return async (gridId) => ({
      traces: await telemetry.findTraces({ gridId, range, page: 1, pageSize: 100 }),
      tagged: await telemetry.findTraces({ gridId, range, tags: { grid: gridId }, page: 1, pageSize: 100 }),
      logs: await telemetry.findLogs({ gridId, range, page: 1, pageSize: 100 }),
      names: [await telemetry.traceFilterOptions(gridId), await telemetry.logFilterOptions(gridId)],
      health: await queries.health(gridId, when),
      trends: await queries.trends(gridId, when),
      map: await queries.serviceMap(gridId, when),
      timeline: await queries.timeline(gridId, when),
    });
  }

  it('gives the same result for every query on every Grid', async () => {
    const [one, many] = [answersOf(processes.log.store, 1), answersOf(processes.store, 16)];
    for (const gridId of GRIDS) {
      const answer = await one(gridId);
      assert.deepEqual(await many(gridId), answer, gridId);
      const { traces, logs } = answer as { traces: { totalCount: number }; logs: { totalCount: number } };
      assert.ok(traces.totalCount > 0 && logs.totalCount > 0, gridId);
    }
  });

  it('stores nothing of a Grid in another shard', async () => {
    const collections = [
      'span-block-catalogs.v1',
      'log-block-catalogs.v1',
      'span-blocks.v1',
      'log-blocks.v1',
      'apdex-thresholds.v1',
      'trace-filter-names.v1',
    ];
    const found = new Set<string>();
    for (let shard = 0; shard < 16; shard++) {
      const store = new ShardStore(processes.store, shard);
      for (const name of collections) {
        for (const { document } of await store.find<{ gridId: string }>({ name, indexes: [] }, {})) {
          assert.equal(
            processes.shardMap.shardFor(document.gridId),
            shard,
            `${name}: ${document.gridId} in shard ${shard}`,
          );
          found.add(name);
        }
      }
    }
    assert.deepEqual([...found].sort(), [...collections].sort());
  });
});
