import assert from 'node:assert/strict';
import fc from 'fast-check';
import { copySeries, type MetricSeriesRollup } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import { MetricRollupProjection } from '../../../../../src/projections/telemetry/rollups/metric-rollup-projection.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { metricSeriesCollections } from '../../../../../src/read-models/documents/metric-series-documents.js';
import {
  metricRollupCollections,
  ROLLUP_BLOB,
  type RollupCollection,
} from '../../../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../../../src/read-models/rollups/metric-rollup-codec.js';
import { arrivals, START_US } from './support/arbitrary-points.js';
import { naiveRollups } from './support/naive-metrics.js';
import { portionOf, type PlainPoint } from './support/plain-points.js';

const HOUR_US = 3_600_000_000;
const { minutes, hours } = metricRollupCollections(1);

/** How many points a commit takes, whether a new process continues after it, and what of its memory it may keep. */
const commit = fc.record({
  points: fc.integer({ min: 1, max: 9 }),
  restarts: fc.boolean(),
  keptBytes: fc.constantFrom(0, 1 << 20),
});
const commits = fc.array(commit, { minLength: 1, maxLength: 5 });

/** One that closes all hours before it. */
const last: PlainPoint = {
  metric: 'end',
  unit: '',
  kind: 'gauge',
  monotonic: false,
  temporality: 0,
  instance: '',
  resource: 9,
  timeUs: START_US + 20 * HOUR_US,
  startUs: 0,
  value: 1,
  observations: 1,
  min: 1,
  max: 1,
};

describe('rollups of metric series', () => {
  it('say what the definitions say of every kind of points, however these come, are repeated and folded: by minutes', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, commits, async (points, cuts) => {
        const store = await folded(points, cuts);
        assert.deepEqual(await rollupsIn(store, minutes), naiveRollups(points, 1));
      }),
      { numRuns: 400 },
    );
  });

  it('and by hours', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, commits, async (points, cuts) => {
        const store = await folded(points, cuts);
        const rollups = new MetricRollupProjection(1, store);
        await rollups.restore();
        await store.commit(await rollups.foldBatch(portionOf([last])), []);
        assert.deepEqual(await rollupsIn(store, hours), naiveRollups(points, 60));
      }),
      { numRuns: 100 },
    );
  });

  it('and what is remembered of series have the same bytes however commits fall', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, commits, async (points, cuts) => {
        const [one, other] = [
          await folded(points, cuts),
          await folded(points, [{ points: points.length, restarts: false, keptBytes: 0 }]),
        ];
        assert.deepEqual(await bytesIn(one), await bytesIn(other));
        assert.deepEqual(await documentsIn(one), await documentsIn(other));
      }),
      { numRuns: 100 },
    );
  });
});

async function folded(
  points: readonly PlainPoint[],
  cuts: readonly { readonly points: number; readonly restarts: boolean; readonly keptBytes: number }[],
): Promise<MemoryReadModelStore> {
  const store = new MemoryReadModelStore();
  let rollups: MetricRollupProjection | undefined;
  for (let at = 0, i = 0; at < points.length; i++) {
    const { points: more, restarts, keptBytes } = cuts[i % cuts.length];
    if (rollups === undefined || restarts) await (rollups = new MetricRollupProjection(1, store, keptBytes)).restore();
    await store.commit(await rollups.foldBatch(portionOf(points.slice(at, (at += more)))), []);
  }
  return store;
}

/** Series by minute, without lists that are decoded when they are asked for. */
async function rollupsIn(
  store: MemoryReadModelStore,
  collection: RollupCollection,
): Promise<Record<string, MetricSeriesRollup[]>> {
  const found: Record<string, MetricSeriesRollup[]> = {};
  for (const { id, document } of await store.find(collection, {})) {
    const { series } = decodeMetricRollup((await store.readBlob(collection, id, ROLLUP_BLOB))!);
    found[document.minute] = series.map(copySeries).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  return found;
}

const nameOf = ({ metric, kind, monotonic, instance }: MetricSeriesRollup): string =>
  JSON.stringify([metric, kind, monotonic, instance]);

async function bytesIn(store: MemoryReadModelStore): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { id } of await store.find(minutes, {}))
    found[id] = Buffer.from((await store.readBlob(minutes, id, ROLLUP_BLOB))!).toString('hex');
  return found;
}

async function documentsIn(store: MemoryReadModelStore): Promise<string> {
  const { sources, grids } = metricSeriesCollections(1);
  const found = [...(await store.find(sources, {})), ...(await store.find(grids, {}))];
  return JSON.stringify(found.sort((a, b) => (a.id < b.id ? -1 : 1)));
}
