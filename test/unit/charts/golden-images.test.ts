import assert from 'node:assert/strict';
import { createPngRenderer } from '../../../src/charts/png-renderer.js';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { SCENES } from '../../support/chart-scenes.js';
import { assertGolden, describeDifference, decodePixels } from '../../support/golden-images.js';

const SIZE = { width: 600, height: 300 };
/** Fifty lines in a larger picture are many bytes. */
const SMALLER = { width: 480, height: 260 };
const dark: ChartRenderOptions = { ...SIZE, theme: 'dark' };
const light: ChartRenderOptions = { ...SIZE, theme: 'light' };

const GOLDEN: readonly (readonly [name: string, scene: keyof typeof SCENES, look: ChartRenderOptions])[] = [
  ['line-dark', 'latency', dark],
  ['line-light', 'latency', light],
  ['bar-dark', 'severities', dark],
  ['bar-light', 'bars', light],
  ['area-dark', 'area', dark],
  ['area-light', 'services', light],
  ['empty-dark', 'empty', dark],
  ['empty-light', 'empty', light],
  ['gaps-dark', 'gaps', dark],
  ['gaps-light', 'piledGaps', light],
  ['fifty-dark', 'fifty', { ...SMALLER, theme: 'dark' }],
  ['fifty-light', 'fifty', { ...SMALLER, theme: 'light' }],
  ['thresholds-dark', 'thresholds', dark],
  ['thresholds-light', 'thresholds', light],
  ['scripts-dark', 'scripts', dark],
  ['memory-light', 'memory', light],
  ['value-dark', 'value', { width: 300, height: 160, theme: 'dark' }],
  ['values-light', 'values', light],
  ['top-list-dark', 'topList', { width: 480, height: 200, theme: 'dark' }],
  ['table-light', 'table', light],
  ['heatmap-dark', 'heatmap', dark],
  ['heatmap-light', 'heatmap', { width: 320, height: 160, theme: 'light' }],
  ['thumbnail-dark', 'thresholds', { width: 320, height: 160, theme: 'dark' }],
  ['smallest-light', 'services', { width: 100, height: 100, theme: 'light' }],
];

describe('pictures of charts', () => {
  const { renderChart: render } = createPngRenderer();

  for (const [name, scene, options] of GOLDEN) {
    it(`look as they did: ${name}`, () => assertGolden(name, render(SCENES[scene], options)));
  }

  it('are distinguished by what people see: a label, a line, a colour', async () => {
    const picture = SCENES.thresholds;
    const shown = await decodePixels(render(picture, dark));
    const others = [
      { ...picture, chart: { ...picture.chart, title: 'Error rates' } },
      { ...picture, thresholds: picture.thresholds.slice(1) },
      { ...picture, deployments: picture.deployments.slice(1) },
      {
        ...picture,
        data: {
          ...picture.data,
          series: picture.data.series.map((series) => ({ ...series, points: series.points.toSpliced(30, 4) })),
        },
      },
    ];
    for (const other of others)
      assert.notEqual(describeDifference(shown, await decodePixels(render(other, dark))), undefined);
    assert.equal(describeDifference(shown, await decodePixels(render(picture, dark))), undefined);
  });
});
