import assert from 'node:assert/strict';
import type { ChartRenderOptions } from '../../../src/charts/render-options.js';
import { colourIndex, assignSharedColours } from '../../../src/charts/colour-palette.js';
import type { ChartRenderInput } from '../../../src/queries/charts/chart-query-types.js';
import { sceneOf } from '../../support/chart-scenes.js';

const grouped = (labels: readonly string[], groupBy = 'service'): ChartRenderInput =>
  sceneOf({ chart: { groupBy }, labels });
const reported = (pictures: readonly ChartRenderInput[], colours = 11) =>
  assignSharedColours(pictures, colours).map((places) => places && Object.fromEntries(places));

describe('colours that charts of a dashboard share', () => {
  it('are those of the groups, in the order in which the charts name them', () => {
    const places = { cart: 0, checkout: 1, email: 2 };
    assert.deepEqual(reported([grouped(['cart', 'checkout', 'other']), grouped(['email', 'cart'])]), [places, places]);
  });

  it('are shared by charts that are grouped by the same alone', () => {
    assert.deepEqual(reported([grouped(['a', 'b']), grouped(['b', 'a'], 'operation')]), [
      { a: 0, b: 1 },
      { b: 0, a: 1 },
    ]);
  });

  it('are not those of charts without groups', () => {
    assert.deepEqual(reported([grouped(['p50', 'p95'], ''), grouped(['requests'], '')]), [undefined, undefined]);
  });

  it('are left to a chart in which two groups would look the same', () => {
    const [first, second, third] = reported([grouped(['a', 'b']), grouped(['c', 'a']), grouped(['b', 'c'])], 2);
    assert.deepEqual([first === undefined, second === undefined, third === undefined], [false, true, false]);
  });

  it('stand for the place of a series, and nowhere else', () => {
    const options: ChartRenderOptions = {
      width: 400,
      height: 200,
      theme: 'dark',
      panel: { scale: 1, showsService: false, colourIndexes: new Map([['cart', 7]]) },
    };
    assert.deepEqual(
      [
        colourIndex('cart', 0, options),
        colourIndex('other', 3, options),
        colourIndex('cart', 0, { ...options, panel: undefined }),
      ],
      [7, 3, 0],
    );
  });
});
