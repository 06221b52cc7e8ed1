import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { ShardMap } from '../../../../src/streams/shard-map.js';
import {
  logsReceived,
  metricsReceived,
  received,
  spansReceived,
  type TestLog,
  type TestPoint,
  type TestSpan,
} from '../../projections/engine/support/requests.js';
import { traceRequest, type GivenSpan } from './support/requests.js';
import { ShardedLog, type AllQueries } from './support/sharded-log.js';

const COUNT = 4;
const UNKNOWN = 'ffffffff-0000-4000-8000-000000000000';
const MINUTE = 60_000;

/** Six Grids in four shards. */
const GRIDS = Array.from({ length: 6 }, (_, n) => `0f0c4b2a-1111-4222-8333-44445555666${n}`);

const grid = fc.constantFrom(...GRIDS);
const service = fc.constantFrom('cart', 'shop');
/** ms before now. */
const ago = fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * MINUTE + 7);
const span = fc.record({
  trace: fc.integer({ min: 1, max: 3 }),
  span: fc.integer({ min: 1, max: 9 }),
  ago,
  service,
  version: fc.constantFrom('', '1', '2'),
});
const log = fc.record({
  ago,
  service,
  body: fc.constantFrom('payment failed', 'payment done'),
  span: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
});
const point = fc.record({ ago, service, value: fc.nat(9), metric: fc.constantFrom('queue', 'process.memory.usage') });
const many = { minLength: 1, maxLength: 6 };

/** Events of an installation, in order. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('created' as const), gridId: grid }),
    fc.record({ kind: fc.constant('apdex' as const), gridId: grid, ms: fc.constantFrom(1, 100, 900) }),
    fc.record({ kind: fc.constant('expired' as const), gridId: grid, ago }),
    fc.record({ kind: fc.constant('spans' as const), gridId: grid, spans: fc.array(span, many) }),
    fc.record({ kind: fc.constant('logs' as const), gridId: grid, logs: fc.array(log, many) }),
    fc.record({ kind: fc.constant('points' as const), gridId: grid, points: fc.array(point, many) }),
  ),
  { minLength: 3, maxLength: 14 },
);

type Happening = typeof happenings extends fc.Arbitrary<(infer Each)[]> ? Each : never;

describe('queries over Grids in several shards', () => {
  it('have Grids in all shards', () => {
    const shardMap = new ShardMap(COUNT);
    assert.deepEqual([...new Set(GRIDS.map((gridId) => shardMap.shardFor(gridId)))].sort(), [0, 1, 2, 3]);
  });

  it('count the traces that a cause affects', async () => {
    const world = new ShardedLog();
    const [gridId] = GRIDS.slice(-1);
    const failing = (n: number): GivenSpan => {
      const start = BigInt(world.now - (1 + (n % 40)) * MINUTE) * 1_000_000n;
      const status = n % 40 < 5 ? 2 : 1;
      return {
        traceId: (n + 1).toString(16).padStart(32, '0'),
        spanId: (n + 1).toString(16).padStart(16, '0'),
        service: 'cart',
        operation: 'add',
        kind: 2,
        status,
        start,
        end: start + 1_000_000n,
      };
    };
    const given = Array.from({ length: 800 }, (_, n) => failing(n));
    await world.received(received(gridId, 'traces', given.length, traceRequest(given)));
    const store = new MemoryReadModelStore();
    await world.project(store, COUNT);
    const [cause] = await world.ask(store, COUNT).diagnostics.diagnosis(gridId, {});
    assert.equal(cause.impactedTraceCount, 100);
  });

  it('answer the same as over one shard, about every Grid and all of them', async function () {
    await fc.assert(
      fc.asyncProperty(happenings, async (given) => {
        const world = new ShardedLog();
        const [whole, shared] = [new MemoryReadModelStore(), new MemoryReadModelStore()];
        const [one, four] = [world.ask(whole, 1), world.ask(shared, COUNT)];
        // Queries in between: cached results must not hide later events.
        for (const part of [given.slice(0, given.length / 2), given.slice(given.length / 2)]) {
          for (const happening of part) await happen(world, happening);
          await Promise.all([world.project(whole, 1), world.project(shared, COUNT)]);
          for (const gridId of [...GRIDS, UNKNOWN])
            assert.deepEqual(
              await answersAbout(four, gridId, world.now),
              await answersAbout(one, gridId, world.now),
              gridId,
            );
          assert.deepEqual(
            sorted(await four.diagnostics.gridsWithRecentTelemetry()),
            sorted(await one.diagnostics.gridsWithRecentTelemetry()),
          );
          assert.deepEqual(sorted(await four.liveSource.findDueGrids()), sorted(await one.liveSource.findDueGrids()));
          assert.deepEqual(byGrid(await four.ages()), byGrid(await one.ages()));
        }
      }),
      { numRuns: 12 },
    );
  });
});

function happen(world: ShardedLog, happening: Happening): Promise<void> {
  const { gridId } = happening;
  switch (happening.kind) {
    case 'created':
      return world.created(gridId, 'shop');
    case 'apdex':
      return world.apdex(gridId, happening.ms);
    case 'expired':
      return world.expired(gridId, world.now - happening.ago);
    case 'spans':
      return world.received(
        spansReceived(
          happening.spans.map(({ ago: before, ...each }): TestSpan => ({ ...each, start: world.now - before })),
          gridId,
        ),
      );
    case 'logs':
      return world.received(
        logsReceived(
          happening.logs.map(({ ago: before, ...each }): TestLog => ({ ...each, time: world.now - before })),
          gridId,
        ),
      );
    case 'points':
      return world.received(
        metricsReceived(
          happening.points.map(({ ago: before, ...each }): TestPoint => ({ ...each, time: world.now - before })),
          gridId,
        ),
      );
    default:
      return happening satisfies never;
  }
}

async function answersAbout(
  { telemetry, diagnostics, charts }: AllQueries,
  gridId: string,
  now: number,
): Promise<unknown> {
  const range = { fromUs: 0, toUs: now * 1_000 + 1 };
  const page = { page: 1, pageSize: 50 };
  const traces = await telemetry.findTraces({ gridId, range, ...page });
  const [first] = traces.items;
  const listed = await charts.charts(gridId);
  return {
    traces,
    spans: first && (await telemetry.traceSpans(gridId, first.traceId)),
    tags: first && (await telemetry.spanTags(gridId, first.spanId)),
    traceLogs: first && (await telemetry.traceLogs(gridId, first.traceId)),
    logs: await telemetry.findLogs({ gridId, range, body: '"payment failed"', ...page }),
    filters: [await telemetry.traceFilterOptions(gridId), await telemetry.logFilterOptions(gridId)],
    health: await diagnostics.health(gridId, {}),
    trends: await diagnostics.trends(gridId, {}),
    map: await diagnostics.serviceMap(gridId, {}),
    diagnosis: await diagnostics.diagnosis(gridId, { asOfMs: now - 30 * MINUTE }),
    changes: await diagnostics.changes(gridId, {}),
    detail: await diagnostics.serviceDetail(gridId, 'cart', {}),
    evaluations: await diagnostics.evaluations(gridId),
    listed,
    data: await Promise.all(listed.map(({ id }) => charts.chartData(gridId, id, {}))),
    picture: listed.length === 0 ? undefined : (await charts.chartRenderInput(gridId, listed[0].id, {}))?.digest,
    dashboards: await charts.dashboards(gridId),
    metrics: await charts.metrics(gridId),
  };
}

const sorted = (names: readonly string[]): string[] => [...names].sort();

function byGrid<T extends { readonly gridId: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.gridId < b.gridId ? -1 : 1));
}
