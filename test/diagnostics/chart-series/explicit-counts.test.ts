import assert from 'node:assert/strict';
import { ExplicitCounts } from '../../../src/diagnostics/chart-series/explicit-counts.js';

describe('explicit histograms by step', () => {
  const BOUNDS = [1, 10];

  it('add up by step and over all of them', () => {
    const [one, two] = [new ExplicitCounts(BOUNDS, 3), new ExplicitCounts(BOUNDS, 3)];
    one.add(0, [1, 2, 3]);
    two.add(0, [10, 0, 0]);
    two.add(2, [0, 5, 0]);
    one.merge(two);
    assert.deepEqual([0, 1, 2].map((step) => one.of(step)?.counts), [[11, 2, 3], undefined, [0, 5, 0]]);
    assert.deepEqual(one.total(), { kind: 'explicit', bounds: BOUNDS, counts: [11, 7, 3] });
  });

  it('keep nothing of what is added', () => {
    const sums = new ExplicitCounts(BOUNDS, 1);
    const counts = [1, 1, 1];
    sums.add(0, counts);
    counts[0] = 100;
    assert.deepEqual(sums.of(0)?.counts, [1, 1, 1]);
  });

  it('take memory for steps with observations alone, and no more for more of these', () => {
    const sums = new ExplicitCounts(BOUNDS, 400);
    const empty = sums.bytes;
    sums.add(7, [1, 0, 0]);
    const once = sums.bytes;
    sums.add(7, [1, 0, 0]);
    assert.deepEqual([once - empty < 200, sums.bytes], [true, once]);
  });
});
