import assert from 'node:assert/strict';
import {
  type ComparedPath,
  describeLonger,
  findLargestDifferences,
  formatCountDifference,
  formatTimeDifference,
  namePaths,
} from '../../../../portal/src/pages/traces/trace-comparison-model.js';

const NONE = { count: 0, errorCount: 0, durationNs: 0, selfTimeNs: 0 };

function path(depth: number, operationName: string, selfTimeNs = 0): ComparedPath {
  const difference = { ...NONE, selfTimeNs };
  return { depth, serviceName: 'shop', operationName, presence: 'both', current: NONE, baseline: NONE, difference };
}

describe('comparison of traces in the portal', () => {
  it('names what is above each path', () => {
    const named = namePaths([path(0, 'a'), path(1, 'b'), path(2, 'c'), path(1, 'd'), path(0, 'e')]);
    assert.deepEqual(
      named.map(({ above }) => above),
      [[], ['shop a'], ['shop a', 'shop b'], ['shop a'], []],
    );
  });

  it('keeps only the nearest names of a deep trace', () => {
    const named = namePaths(Array.from({ length: 100 }, (_, depth) => path(depth, `o${depth}`)));
    assert.deepEqual([named[99].above.length, named[99].above.at(-1)], [20, 'shop o98']);
  });

  it('finds where the own time differs most, in either direction', () => {
    const named = namePaths([path(0, 'a', 5), path(1, 'b', -9), path(1, 'c'), path(1, 'd', 7)]);
    assert.deepEqual(
      findLargestDifferences(named, 2).map((each) => each.path.operationName),
      ['b', 'd'],
    );
    assert.equal(findLargestDifferences(named, 9).length, 3);
  });

  it('writes differences with their sign', () => {
    assert.deepEqual([1_500_000, -250_000_000, 0].map(formatTimeDifference), ['+1.5 ms', '−250 ms', '±0 ms']);
    assert.deepEqual([2, -1, 0].map(formatCountDifference), ['+2', '−1', '']);
    assert.deepEqual([2_000_000, -2_000_000, 0].map(describeLonger), [
      'This trace took 2 ms longer than the other one.',
      'This trace took 2 ms less than the other one.',
      'Both traces took the same time.',
    ]);
  });
});
