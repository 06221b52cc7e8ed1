import assert from 'node:assert/strict';
import { planFigures } from '../../../src/charts/figure-chart.js';
import { planTable } from '../../../src/charts/table-chart.js';
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
      planTable(SCENES.table, LOOK).heading.subtitle,
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
  });
});

describe('plan of a table', () => {
  it('has a column for each figure, in its own unit', () => {
    const { columns, rows } = planTable(SCENES.table, LOOK);
    assert.deepEqual(columns, ['p99', 'count']);
    assert.deepEqual(rows, [
      ['gold', '1 s', '1,300'],
      ['silver', '1.6 s', '1,900'],
    ]);
  });

  it('has a row for each series where there is one figure, and none for series without', () => {
    const values = [5, undefined, 7];
    const picture = sceneOf({
      chart: { chartType: 'table', groupBy: 'service' },
      labels: ['a', 'b', ''],
      curve: (_share, series) => values[series],
    });
    const { columns, rows } = planTable(picture, LOOK);
    assert.deepEqual(columns, []);
    assert.deepEqual(rows, [
      ['a', '5 req/s'],
      ['(empty)', '7 req/s'],
    ]);
    assert.deepEqual(planTable(sceneOf({ chart: { chartType: 'table' }, labels: [] }), LOOK).rows, []);
  });
});
