import assert from 'node:assert/strict';
import { planFigures } from '../../../src/charts/figure-chart.js';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { SCENES, sceneOf } from '../../support/chart-scenes.js';

const LOOK: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };

describe('plan of a chart of figures', () => {
  it('has a row for each series, with its value and its share of the longest', () => {
    const { rows, heading } = planFigures(SCENES.topList, LOOK);
    assert.deepEqual(
      rows.slice(0, 2).map(({ label, value, share }) => [label, value, share]),
      [
        ['checkout', '1,000 req/s', 1],
        ['cart', '500 req/s', 0.5],
      ],
    );
    assert.equal(rows.length, 11);
    assert.equal(heading.subtitle, 'all services by service · Nov 20, 13:00 – 14:00 UTC');
  });

  it('names what a query shows', () => {
    assert.equal(
      planFigures(SCENES.table, LOOK).heading.subtitle,
      'spans by customer.tier where (duration > 1s) and (region = eu) · Nov 20, 13:00 – 14:00 UTC',
    );
  });

  it('needs no label beside a value that stands alone', () => {
    const labelsOf = (scene: keyof typeof SCENES) => planFigures(SCENES[scene], LOOK).rows.map(({ label }) => label);
    assert.deepEqual(labelsOf('value'), ['']);
    assert.deepEqual(labelsOf('values'), ['p50', 'p95', 'p99']);
  });

  it('leaves out series without a value, and draws no bar for values below zero', () => {
    const values = [undefined, -5, 10];
    const picture = sceneOf({
      chart: { chartType: 'top_list', groupBy: 'service' },
      labels: ['none', 'less', 'more'],
      curve: (_share, series) => values[series],
    });
    assert.deepEqual(
      planFigures(picture, LOOK).rows.map(({ label, share }) => [label, share]),
      [
        ['less', 0],
        ['more', 1],
      ],
    );
    assert.deepEqual(planFigures(sceneOf({ chart: { chartType: 'table' }, labels: [] }), LOOK).rows, []);
  });
});
