import assert from 'node:assert/strict';
import { MetricRollupProjection } from '../../../../../src/projections/telemetry/rollups/metric-rollup-projection.js';
import { createDroppedRecords, selectRowsByGrid } from '../../../../../src/projections/telemetry/telemetry-batch.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { metricRollupCollections, ROLLUP_BLOB } from '../../../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../../../src/read-models/rollups/metric-rollup-codec.js';
import { createMetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import { metricsReceived } from '../../engine/support/requests.js';

const NOON = Date.UTC(2026, 5, 20, 12);

describe('memory of metric rollups', () => {
  for (const keptBytes of [0, 1 << 20])
    it(`of ${keptBytes} bytes gives the same`, async () => {
      const store = new MemoryReadModelStore();
      const rollups = new MetricRollupProjection(1, store, keptBytes);
      await rollups.restore();
      for (let i = 0; i < 6; i++) {
        const gridId = `g${i % 2}`;
        const columns = createMetricColumns();
        decodeMetrics(metricsReceived([{ kind: 'sum', time: NOON + i * 1000, value: i * i }]).body!, 0, [], columns);
        const section = {
          gridId,
          from: 0,
          to: 1,
          recordedAt: 0,
          keys: [],
          request: { identity: '', recordedAt: 0, gridId, revision: 0, spans: 0 },
          event: 0,
          dropped: createDroppedRecords(),
        };
        const changes = await rollups.foldBatch({
          columns,
          eventRows: [section],
          rows: selectRowsByGrid([section], () => true),
          floorUs: () => 0,
        });
        await store.commit(changes, []);
      }
      const { minutes } = metricRollupCollections(1);
      const sums: Record<string, number> = {};
      for (const { id, document } of await store.find(minutes, {})) {
        sums[document.gridId] = decodeMetricRollup((await store.readBlob(minutes, id, ROLLUP_BLOB))!).series[0].sum;
      }
      assert.deepEqual(sums, { g0: 16, g1: 24 });
    });
});
