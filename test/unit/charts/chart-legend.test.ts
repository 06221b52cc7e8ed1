import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeChartLayout } from '../../../src/charts/chart-layout.js';
import { computeLegend, type LegendItem } from '../../../src/charts/chart-legend.js';

const layout = computeChartLayout({ width: 800, height: 400, theme: 'dark' });
const items = (count: number, label = 'service', value = 'max 12 ms'): LegendItem[] =>
  Array.from({ length: count }, (_, n) => ({ label: `${label} ${n + 1}`, value, colour: '#ffffff', dash: [] }));

describe('legend', () => {
  it('is one row, as the series come, where that is enough', () => {
    const { items: shown, more } = computeLegend(items(4), layout);
    assert.deepEqual(
      shown.map(({ label, value }) => `${label}: ${value}`),
      ['service 1: max 12 ms', 'service 2: max 12 ms', 'service 3: max 12 ms', 'service 4: max 12 ms'],
    );
    assert.equal(new Set(shown.map(({ y }) => y)).size, 1);
    assert.ok(shown.every(({ x }, index) => index === 0 || x > shown[index - 1].x));
    assert.equal(more, undefined);
  });

  it('fills its rows evenly', () => {
    const { items: shown } = computeLegend(items(5, 'a service with a name'), layout);
    assert.deepEqual(
      shown.map(({ y }) => y === shown[0].y),
      [true, true, true, false, false],
    );
    assert.deepEqual([shown[3].x, shown[4].x], [shown[0].x, shown[1].x]);
  });

  it('lets go of the values first, then of what all labels begin with, then of their middles, then of the last series', () => {
    assert.equal(computeLegend(items(40, 's'), layout).items[0].value, '');
    assert.equal(computeLegend(items(20, 'GET /api/v1/some/long/resource'), layout).items[0].label, '… 1');
    const long = Array.from({ length: 50 }, (_, n) => ({
      ...items(1)[0],
      label: `${n} of a long row of very long labels that goes on to ${n}`,
    }));
    const { items: shown, more } = computeLegend(long, layout);
    assert.match(shown[7].label, /^7 of a.*….*7$/);
    assert.equal(more?.text, `+${50 - shown.length} more`);
  });

  it('counts what is left out', () => {
    const { items: shown, more } = computeLegend(
      items(13).map((item, n) => ({ ...item, label: `${n} ${'x'.repeat(300)}` })),
      computeChartLayout({ width: 400, height: 300, theme: 'dark' }),
    );
    assert.equal(shown.length + Number(/\d+/.exec(more!.text)), 13);
  });

  it('is not there without series or without room', () => {
    assert.deepEqual(computeLegend([], layout), { items: [], more: undefined, height: 0 });
    assert.equal(computeLegend(items(3), computeChartLayout({ width: 320, height: 160, theme: 'dark' })).height, 0);
  });

  it('stays within the picture and takes a third of its height at most', () => {
    const size = fc.integer({ min: 100, max: 4_000 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 50 }),
        (width, height, labels) => {
          const {
            items: shown,
            more,
            height: taken,
          } = computeLegend(
            labels.map((label) => ({ ...items(1)[0], label })),
            computeChartLayout({ width, height, theme: 'dark' }),
          );
          assert.ok(taken <= height / 3);
          for (const { x, y } of [...shown, ...(more === undefined ? [] : [more])])
            assert.ok(x >= 0 && x < width && y > height - taken - height * 0.05 && y < height, `${x}, ${y}`);
        },
      ),
    );
  });
});
