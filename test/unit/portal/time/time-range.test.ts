import assert from 'node:assert/strict';
import { rangeAround, computeRateSeconds } from '../../../../portal/src/time/time-range.js';

const MINUTE = 60_000;

describe('time ranges', () => {
  it('cover whole minutes, but not past now', () => {
    assert.equal(computeRateSeconds({ from: 30_000, to: 10 * MINUTE + 1 }, 60 * MINUTE), 11 * 60);
    assert.equal(computeRateSeconds({ from: 30_000, to: 10 * MINUTE + 1_000 }, 10 * MINUTE + 1_000), 10 * 60 + 1);
    assert.equal(computeRateSeconds({ from: 0, to: 0 }, 0), 1);
  });

  it('lie around a moment, end with the view, and are not empty', () => {
    assert.deepEqual(rangeAround(100 * MINUTE, 5 * MINUTE, 15 * MINUTE, 200 * MINUTE), {
      from: 95 * MINUTE,
      to: 115 * MINUTE,
    });
    assert.deepEqual(rangeAround(100 * MINUTE, 5 * MINUTE, 15 * MINUTE, 101 * MINUTE), {
      from: 95 * MINUTE,
      to: 101 * MINUTE,
    });
    assert.deepEqual(rangeAround(100 * MINUTE, 0, 15 * MINUTE, 100 * MINUTE), { from: 99 * MINUTE, to: 100 * MINUTE });
  });
});
