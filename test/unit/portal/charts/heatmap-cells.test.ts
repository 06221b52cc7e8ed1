import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildHeatmap, selectCells, writeSelection } from '../../../../portal/src/charts/heatmap-cells.js';
import { parseWhere } from '../../../../src/queries/query/language/where-parser.js';

const START = Date.UTC(2026, 2, 14, 9);
const STEP_MS = 60_000;
const series = (bound: number, ...counts: number[]) => ({
  bound,
  points: counts.map((count, at) => ({ at: START + at * STEP_MS, count })),
});

describe('a heatmap of durations', () => {
  it('has a row for each bucket between the fastest and the slowest span', () => {
    const { bounds, cells, times, most } = buildHeatmap([series(1.58, 0, 7), series(1, 3, 0)], STEP_MS);
    assert.deepEqual(bounds, [1, 1.26, 1.58, 2]);
    assert.deepEqual(cells, [
      { column: 1, row: 2, count: 7 },
      { column: 0, row: 0, count: 3 },
    ]);
    assert.deepEqual(times, [START, START + STEP_MS, START + 2 * STEP_MS]);
    assert.equal(most, 7);
  });

  it('puts spans without duration directly below the others', () => {
    assert.deepEqual(buildHeatmap([series(0, 1), series(100, 1)], STEP_MS).bounds, [0, 100, 126]);
    assert.deepEqual(buildHeatmap([series(0, 1)], STEP_MS).bounds.length, 2);
    assert.deepEqual(buildHeatmap([], STEP_MS), { times: [], bounds: [], cells: [], most: 0 });
  });

  it('selects whole cells, at least one, from any two corners', () => {
    const heatmap = buildHeatmap([series(1, 1, 1, 1, 1), series(1.58, 1, 1, 1, 1)], STEP_MS);
    assert.deepEqual(selectCells(heatmap, [0.6, 0.9], [0.3, 0.4]), {
      from: START + STEP_MS,
      to: START + 3 * STEP_MS,
      minMs: 1.26,
      maxMs: 2,
    });
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 2, noNaN: true }), { minLength: 4, maxLength: 4 }), (at) => {
        const { from, to, minMs, maxMs } = selectCells(heatmap, [at[0], at[1]], [at[2], at[3]]);
        assert.ok(from < to && minMs < maxMs);
      }),
    );
  });

  it('writes a condition that the service reads', () => {
    assert.equal(
      writeSelection({ from: START, to: START + STEP_MS, minMs: 1.26, maxMs: 0.0000126 }),
      'time >= "2026-03-14T09:00:00.000Z" and time < "2026-03-14T09:01:00.000Z" and duration >= 1.26ms and duration < 0.0000126ms',
    );
    assert.ok(
      'predicate' in parseWhere('spans', writeSelection({ from: START, to: START + 1, minMs: 0, maxMs: 1e-6 })),
    );
  });
});
