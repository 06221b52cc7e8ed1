import assert from 'node:assert/strict';
import { roundForApi } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { TEN_MINUTES } from './given-charts.js';

describe('rounding of chart data for the API', () => {
  const data = {
    frame: TEN_MINUTES,
    series: [{ label: 'a', points: [1 / 60, 1.005, -1.005, 0].map((value, atMs) => ({ atMs, value })), exemplars: [] }],
    unit: '',
    additive: true,
  };
  const values = (decimals: number) => roundForApi({ ...data, decimals }).series[0].points.map(({ value }) => value);

  it('is rounded to the decimals of its metric', () => {
    assert.deepEqual(values(2), [0.02, 1.01, -1.01, 0]);
    assert.deepEqual(values(3), [0.017, 1.005, -1.005, 0]);
  });

  it('preserves all digits if its metric has no decimals', () => {
    assert.deepEqual(roundForApi(data), data);
  });
});
