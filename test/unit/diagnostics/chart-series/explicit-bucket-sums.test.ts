import assert from 'node:assert/strict';
import { ExplicitBucketSums } from '../../../../src/diagnostics/chart-series/histogram-accumulator.js';

describe('explicit histograms by step', () => {
  const BOUNDS = [1, 10];

  it('add up by step and over all of them', () => {
    const [one, two] = [new ExplicitBucketSums(BOUNDS, 3), new ExplicitBucketSums(BOUNDS, 3)];
    one.add(0, [1, 2, 3]);
    two.add(0, [10, 0, 0]);
    two.add(2, [0, 5, 0]);
    one.merge(two);
    assert.deepEqual(
      [0, 1, 2].map((step) => one.bucketsAt(step)?.counts),
      [[11, 2, 3], undefined, [0, 5, 0]],
    );
    assert.deepEqual(one.total(), { kind: 'explicit', bounds: BOUNDS, counts: [11, 7, 3] });
  });

  it('do not reference what is added', () => {
    const sums = new ExplicitBucketSums(BOUNDS, 1);
    const counts = [1, 1, 1];
    sums.add(0, counts);
    counts[0] = 100;
    assert.deepEqual(sums.bucketsAt(0)?.counts, [1, 1, 1]);
  });

  it('take memory for steps with observations alone, and no more for more of these', () => {
    const sums = new ExplicitBucketSums(BOUNDS, 400);
    const empty = sums.bytes;
    sums.add(7, [1, 0, 0]);
    const once = sums.bytes;
    sums.add(7, [1, 0, 0]);
    assert.deepEqual([once - empty < 200, sums.bytes], [true, once]);
  });
});
