import assert from 'node:assert/strict';
import { createChartFold } from '../../../../src/diagnostics/chart-series/chart-fold.js';
import type { ChartFold } from '../../../../src/diagnostics/chart-series/chart-fold-contract.js';
import { ChartFoldCache } from '../../../../src/read-models/rollups/chart-fold-cache.js';
import { chartOf, frameOf } from '../../diagnostics/chart-series/given-charts.js';

/** An hour of about this many bytes. */
function hourOf(bytes: number): ChartFold {
  const fold = createChartFold(chartOf({}), frameOf(60));
  return { ...fold, state: { bytes, merge: () => undefined } };
}

describe('folded time buckets', () => {
  it('are returned as they were put, as long as the bucket has that version', () => {
    const hours = new ChartFoldCache(1_000_000);
    const [one, two] = [hourOf(10), hourOf(10)];
    hours.put('a', 1, one);
    hours.put('b', 1, two);
    assert.deepEqual(
      [hours.get('a', 1) === one, hours.get('b', 1) === two, hours.get('c', 1)],
      [true, true, undefined],
    );
    assert.equal(hours.get('a', 2), undefined);
    assert.equal(hours.get('a', 1), undefined, 'what is outdated is forgotten');
    hours.put('b', 3, one);
    assert.equal(hours.get('b', 3), one);
  });

  it('are limited: the least recently used are evicted first', () => {
    const hours = new ChartFoldCache(50_000);
    for (const key of ['a', 'b', 'c']) hours.put(key, 1, hourOf(9_000));
    hours.get('a', 1);
    hours.put('d', 1, hourOf(9_000));
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => hours.get(key, 1) !== undefined),
      [true, false, true, true],
    );
    assert.ok(hours.size > 40_000 && hours.size <= 50_000);
    hours.put('e', 1, hourOf(50_000));
    assert.equal(hours.size, 0, 'one that is larger than the bound is not kept');
  });

  it('are released when nothing has used them since the last release', () => {
    const hours = new ChartFoldCache(1_000_000);
    for (const key of ['a', 'b', 'c']) hours.put(key, 1, hourOf(1_000));
    hours.releaseUnused();
    hours.get('b', 1);
    hours.put('d', 1, hourOf(1_000));
    hours.releaseUnused();
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => hours.get(key, 1) !== undefined),
      [false, true, false, true],
    );
    hours.shrinkTo(0);
    assert.equal(hours.size, 0);
  });

  it('account for their size, whatever is put twice or outdated', () => {
    const hours = new ChartFoldCache(1_000_000);
    for (let round = 0; round < 5; round++) hours.put('a', round, hourOf(1_000));
    const once = hours.size;
    hours.get('a', 4);
    assert.equal(hours.size, once);
    hours.get('a', 5);
    assert.equal(hours.size, 0);
  });
});
