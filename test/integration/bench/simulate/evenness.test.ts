import assert from 'node:assert/strict';
import { distributeLoads, computeImbalance, zipfSizes } from '../../../../bench/simulate/load-imbalance.js';
import { randomNumbers } from '../../../support/random-numbers.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

describe('How evenly Grids fall on projectors', () => {
  it('sizes fall by their rank, and are one together', () => {
    const sizes = zipfSizes(100, 1);
    assert.ok(Math.abs(sum(sizes) - 1) < 1e-12);
    assert.ok(Math.abs(sizes[0] / sizes[9] - 10) < 1e-9);
    assert.deepEqual(zipfSizes(4, 0), [0.25, 0.25, 0.25, 0.25]);
  });

  it('shards are dealt evenly by number, and none is lost', () => {
    const counts = distributeLoads(new Array<number>(64).fill(1), 7, randomNumbers(3));
    assert.deepEqual([Math.min(...counts), Math.max(...counts), sum(counts)], [9, 10, 64]);
  });

  it('one projector has everything, and with many alike Grids each of two has about half', () => {
    const grids = { grids: 10_000, exponent: 0, shares: 64 };
    assert.ok(Math.abs(computeImbalance({ ...grids, projectors: 1 }).p95 - 1) < 1e-9);
    assert.ok(computeImbalance({ ...grids, projectors: 2 }).p95 < 1.05);
  });

  it('nothing evens out a Grid that is more than a projector’s part', () => {
    const { largestGrid, median } = computeImbalance({ grids: 200, exponent: 1.2, shares: 256, projectors: 16 });
    assert.ok(median >= largestGrid * 16);
  });
});
