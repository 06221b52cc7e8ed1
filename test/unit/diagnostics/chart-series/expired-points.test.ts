import assert from 'node:assert/strict';
import { type ChartData, removeExpiredPoints } from '../../../../src/diagnostics/chart-series/chart-series.js';

const MINUTE = 60_000;

describe('a chart over telemetry that has expired', () => {
  const points = [0, 10, 20, 30].map((minute) => ({ atMs: minute * MINUTE, value: 0 }));
  const data: ChartData = {
    frame: { fromMs: 0, toMs: 40 * MINUTE, stepMs: 10 * MINUTE, nowMs: 40 * MINUTE },
    series: [{ label: 'Requests', points, exemplars: [] }],
    unit: 'req/s',
    additive: true,
  };
  const left = (keptFromMinute: number): number[] =>
    removeExpiredPoints(data, keptFromMinute * MINUTE).series[0].points.map(({ atMs }) => atMs / MINUTE);

  it('has points of the steps alone of which something is left', () => {
    assert.deepEqual(
      [left(9), left(10), left(29), left(30), left(100)],
      [[0, 10, 20, 30], [10, 20, 30], [20, 30], [30], []],
    );
  });

  it('is as it was where nothing of it has', () => {
    assert.equal(removeExpiredPoints(data, 0), data);
  });
});
