import assert from 'node:assert/strict';
import { MetricRollups } from '../../../../src/projections/telemetry/rollups/metric-rollups.js';
import { rowsByGrid } from '../../../../src/projections/telemetry/sections.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { metricRollups, ROLLUP_BLOB } from '../../../../src/read-models/rollups.js';
import { decodeMetricRollup } from '../../../../src/read-models/rollups/metric-rollup-codec.js';
import { createMetricColumns } from '../../../../src/telemetry/metric-columns.js';
import { decodeMetrics } from '../../../../src/telemetry/otlp/metric-decoder.js';
import { metricsReceived } from '../../support/requests.js';

const NOON = Date.UTC(2026, 5, 20, 12);

describe('memory of metric rollups', () => {
  for (const keptBytes of [0, 1 << 20]) it(`of ${keptBytes} bytes gives the same`, async () => {
    const store = new MemoryReadModelStore();
    const rollups = new MetricRollups(1, store, keptBytes);
    await rollups.restore();
    for (let i = 0; i < 6; i++) {
      const gridId = `g${i % 2}`;
      const columns = createMetricColumns();
      decodeMetrics(metricsReceived([{ kind: 'sum', time: NOON + i * 1000, value: i * i }]).body!, 0, [], columns);
      const section = { gridId, from: 0, to: 1, recordedAt: 0, keys: [], request: { identity: '', recordedAt: 0, gridId, revision: 0, spans: 0 }, event: 0 };
      const changes = await rollups.received({ columns, sections: [section], rows: rowsByGrid([section], () => true), floorUs: () => 0 });
      await store.commit(changes, []);
    }
    const { minutes } = metricRollups(1);
    const sums: Record<string, number> = {};
    for (const { id, document } of await store.find(minutes, {})) {
      sums[document.gridId] = decodeMetricRollup((await store.blob(minutes, id, ROLLUP_BLOB))!).series[0].sum;
    }
    assert.deepEqual(sums, { g0: 16, g1: 24 });
  });
});
