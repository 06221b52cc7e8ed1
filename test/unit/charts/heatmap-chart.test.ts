import assert from 'node:assert/strict';
import { planHeatmap } from '../../../src/charts/heatmap-chart.js';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { MINUTE, sceneOf, SCENES, TWO_O_CLOCK } from '../../support/chart-scenes.js';

const LOOK: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };

describe('plan of a heatmap', () => {
  const heatmapOf = (labels: readonly string[], curve: (share: number, series: number) => number) =>
    planHeatmap(sceneOf({ chart: { chartType: 'heatmap' }, minutes: 2, labels, curve }), LOOK);

  it('has a row for each bucket between the fastest and the slowest spans, and a cell for each count', () => {
    const { cells, durations } = heatmapOf(['1.58', '1'], (share, series) => (share > 0 ? 4 : 16) * (1 - series / 2));
    const [first, second] = [TWO_O_CLOCK - 2 * MINUTE, TWO_O_CLOCK - MINUTE];
    assert.deepEqual(
      cells.map(({ fromMs, toMs, row }) => [fromMs, toMs, row]),
      [
        [first, second, 2],
        [second, TWO_O_CLOCK, 2],
        [first, second, 0],
        [second, TWO_O_CLOCK, 0],
      ],
    );
    assert.deepEqual([cells[0].opacity, cells[1].opacity], [1, 0.56]);
    assert.deepEqual(
      durations.ticks.map(({ value, label }) => [value, label]),
      [
        [0, '1 ms'],
        [1, '1.26 ms'],
        [2, '1.58 ms'],
        [3, '2 ms'],
      ],
    );
  });

  it('counts all spans in its subtitle', () => {
    const { heading } = heatmapOf(['100'], () => 1_500);
    assert.match(heading.subtitle, / · 3,000 spans$/);
    assert.match(
      planHeatmap(SCENES.heatmap, LOOK).heading.subtitle,
      /^spans by durationBucket where service = checkout/,
    );
  });

  it('is empty without spans', () => {
    assert.deepEqual(heatmapOf([], () => 0).cells, []);
    assert.deepEqual(heatmapOf(['1'], () => 0).cells, []);
  });
});
