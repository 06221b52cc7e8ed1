import assert from 'node:assert/strict';
import {
  moveChart,
  findFreePosition,
  sortInReadingOrder,
  hasSamePlacement,
  resolveOverlaps,
  type PlacedChart,
} from '../../../../portal/src/pages/dashboards/dashboard-layout.js';

const at = (chartId: string, row: number, col: number, width = 6, height = 4): PlacedChart => ({
  chartId,
  position: { row, col, width, height },
});
const places = (items: readonly PlacedChart[]) =>
  Object.fromEntries(
    items.map(({ chartId, position: { row, col, width, height } }) => [chartId, [row, col, width, height]]),
  );

describe('dashboard layout', () => {
  it('adds charts at the first free position, or else at the end', () => {
    assert.deepEqual(findFreePosition([]), { row: 0, col: 0, width: 6, height: 4 });
    assert.deepEqual(findFreePosition([at('a', 0, 0)]), { row: 0, col: 6, width: 6, height: 4 });
    assert.deepEqual(findFreePosition([at('a', 0, 0, 12)]), { row: 4, col: 0, width: 6, height: 4 });
    assert.deepEqual(findFreePosition([at('a', 0, 0), at('b', 0, 6, 6, 2)]), { row: 2, col: 6, width: 6, height: 4 });
  });

  it('moves charts by steps, and pushes others down', () => {
    assert.deepEqual(places(moveChart([at('a', 0, 0), at('b', 0, 6)], 'a', 'right')), {
      a: [0, 1, 6, 4],
      b: [4, 6, 6, 4],
    });
    assert.deepEqual(places(moveChart([at('a', 0, 0), at('b', 4, 0)], 'b', 'up')), {
      a: [4, 0, 6, 4],
      b: [0, 0, 6, 4],
    });
    assert.deepEqual(places(moveChart([at('a', 0, 0), at('b', 4, 0), at('c', 8, 0)], 'a', 'down')), {
      a: [1, 0, 6, 4],
      b: [5, 0, 6, 4],
      c: [9, 0, 6, 4],
    });
  });

  it('keeps charts within the grid and at a minimum size', () => {
    assert.deepEqual(places(moveChart([at('a', 0, 0)], 'a', 'left')), { a: [0, 0, 6, 4] });
    assert.deepEqual(places(moveChart([at('a', 0, 6)], 'a', 'wider')), { a: [0, 5, 7, 4] });
    assert.deepEqual(places(moveChart([at('a', 0, 0, 12)], 'a', 'wider')), { a: [0, 0, 12, 4] });
    assert.deepEqual(places(moveChart([at('a', 0, 0, 2, 2)], 'a', 'lower')), { a: [0, 0, 2, 2] });
  });

  it('resolves all overlaps', () => {
    const settled = resolveOverlaps([at('a', 0, 0), at('b', 0, 0), at('c', 0, 3)], 'b');
    assert.deepEqual(places(settled), { a: [4, 0, 6, 4], b: [0, 0, 6, 4], c: [8, 3, 6, 4] });
    assert.deepEqual(
      sortInReadingOrder(settled).map(({ chartId }) => chartId),
      ['b', 'a', 'c'],
    );
  });

  it('compares positions', () => {
    assert.equal(hasSamePlacement([at('a', 0, 0)], [at('a', 0, 0)]), true);
    assert.equal(hasSamePlacement([at('a', 0, 0)], [at('a', 0, 1)]), false);
    assert.equal(hasSamePlacement([at('a', 0, 0)], []), false);
  });
});
