import assert from 'node:assert/strict';
import { MetricPointHours } from '../../../../../src/projections/telemetry/rollups/metric-point-hours.js';
import type { ReadModelReader } from '../../../../../src/read-models/read-model-store.js';

describe('the data points of an hour', () => {
  it('add to what is stored, for many Grids in few rounds of reads', async () => {
    let running = 0;
    let most = 0;
    let rounds = 0;
    const store = {
      async get(_collection: unknown, id: string) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        if (--running === 0) rounds++;
        return id.startsWith('g7/') ? { points: 100 } : undefined;
      },
    } as unknown as ReadModelReader;
    const hours = new MetricPointHours(1, store);
    for (let grid = 0; grid < 40; grid++) {
      hours.add(`g${grid}`, 61, 1);
      hours.add(`g${grid}`, 62, 2);
    }
    const { points, changes } = await hours.take();
    assert.deepEqual([points.size, points.get('g7'), changes.length], [40, 3, 40]);
    const totals = changes.map((change) =>
      change.kind === 'put' ? (change.document as { points: number }).points : 0,
    );
    assert.deepEqual([totals[7], totals.filter((total) => total === 3).length], [103, 39]);
    assert.deepEqual([most, rounds], [16, 3]);
    assert.deepEqual((await hours.take()).changes, []);
  });
});
