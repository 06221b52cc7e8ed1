import assert from 'node:assert/strict';
import { PendingRollups } from '../../../../../src/projections/telemetry/rollups/pending-rollups.js';
import { MetricRollupProjection } from '../../../../../src/projections/telemetry/rollups/metric-rollup-projection.js';
import { createDroppedRecords, selectRowsByGrid } from '../../../../../src/projections/telemetry/telemetry-batch.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { requestRollupCollections, ROLLUP_BLOB } from '../../../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../../../src/read-models/rollups/metric-rollup-codec.js';
import { createMetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import { metricsReceived, type TestPoint } from '../../engine/support/requests.js';

const NOON = Date.UTC(2026, 5, 20, 12);
const MINUTE_MS = 60_000;
const GRID = 'g';

/** A delta counter of requests over the hour before noon and a few ms. */
const hourPoint = (number: number, service = 'shop'): TestPoint => ({
  kind: 'sum',
  monotonic: true,
  temporality: 1,
  metric: 'traces.span.metrics.calls',
  service,
  start: NOON - 60 * MINUTE_MS,
  time: NOON + number,
  value: 120,
});

/** Folds one event for each request in one batch or one batch each; returns the requests by service and minute. */
async function fold(requests: readonly (readonly TestPoint[])[], together = true): Promise<Map<string, number>> {
  const store = new MemoryReadModelStore();
  const projection = new MetricRollupProjection(1, store);
  await projection.restore();
  for (const batch of together ? [requests] : requests.map((request) => [request])) {
    const columns = createMetricColumns();
    let from = 0;
    const eventRows = batch.map((points) => {
      decodeMetrics(metricsReceived(points, GRID).body!, 0, [], columns);
      const section = {
        gridId: GRID,
        from,
        to: (from += points.length),
        recordedAt: 0,
        keys: [],
        request: { identity: '', recordedAt: 0, gridId: GRID, revision: 0, spans: 0 },
        event: 0,
        dropped: createDroppedRecords(),
      };
      return section;
    });
    const rows = selectRowsByGrid(eventRows, () => true);
    await store.commit(await projection.foldBatch({ columns, eventRows, rows, floorUs: () => 0 }), []);
  }
  return readRequests(store);
}

async function readRequests(store: MemoryReadModelStore): Promise<Map<string, number>> {
  const { minutes } = requestRollupCollections(1);
  const found = new Map<string, number>();
  for (const { id, document } of await store.find(minutes, {})) {
    const { series } = decodeMetricRollup((await store.readBlob(minutes, id, ROLLUP_BLOB))!);
    const sum = series.reduce((total, one) => total + one.sum, 0);
    found.set(`${document.service} ${document.minute - NOON / MINUTE_MS}`, sum);
  }
  return found;
}

const total = (requests: ReadonlyMap<string, number>): number =>
  [...requests.values()].reduce((sum, each) => sum + each, 0);

describe('points of a request that cover many minutes', () => {
  it('are divided among them', async () => {
    const requests = await fold([[hourPoint(0), hourPoint(1)]]);
    assert.equal(requests.size, 60);
    assert.deepEqual(new Set(requests.values()), new Set([4]));
  });

  it('count in the minute of their time beyond 32 MiB of parts, and none is lost', async () => {
    const points = Array.from({ length: 4_000 }, (_, i) => hourPoint(i));
    const requests = await fold([points]);
    assert.equal(total(requests), 4_000 * 120);
    const undivided = requests.get('shop 0') ?? 0;
    assert.ok(undivided > 0 && undivided < 2_000 * 120, `${undivided} requests were not divided`);
  });

  it('count in the minute of their time beyond 10,000 minutes of services, and none is lost', async () => {
    const points = Array.from({ length: 300 }, (_, i) => hourPoint(0, `s${i}`));
    const requests = await fold([points]);
    assert.equal(total(requests), 300 * 120);
    assert.ok(requests.size <= 10_000 + 300, `${requests.size} rollups`);
    assert.equal(requests.get('s299 0'), 120);
    assert.equal(requests.get('s0 -1'), 2);
  });

  it('are limited by request, however requests are batched', async () => {
    const requests = [0, 1].map((request) =>
      Array.from({ length: 200 }, (_, i) => hourPoint(request, `s${request}-${i}`)),
    );
    const together = await fold(requests);
    assert.deepEqual(together, await fold(requests, false));
    assert.equal(together.get('s1-0 -1'), 2);
  });

  it('are added to their rollups before many are pending', () => {
    const pending = new PendingRollups({} as never, GRID, undefined, 3);
    const isFull: boolean[] = [];
    for (let i = 0; i < 3; i++) {
      pending.add({ minute: i, service: 'shop' }, {} as never, {} as never);
      isFull.push(pending.isFull);
    }
    assert.deepEqual(isFull, [false, false, true]);
  });
});
