import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  markGaps,
  isGapBridged,
  isIncompleteBucket,
  isWithinAxis,
  markIsolatedPoints,
  timeAtFraction,
  selectTicks,
  fractionAtTime,
} from '../../../../portal/src/charts/time-axis.js';

const MINUTE = 60_000;
const times = [0, 1, 2, 3].map((minute) => minute * MINUTE);
const bars = { times, hasBars: true };
const line = { times, hasBars: false };

describe('time axis', () => {
  it('gives each bar the width of its bucket, so that dragging over the last one selects all of it', () => {
    assert.equal(timeAtFraction(bars, 0), 0);
    assert.equal(timeAtFraction(bars, 0.25), MINUTE);
    assert.equal(timeAtFraction(bars, 0.875), 3.5 * MINUTE);
    assert.equal(timeAtFraction(bars, 1), 4 * MINUTE);
  });

  it('places the first and last point of a line at its edges', () => {
    assert.equal(timeAtFraction(line, 1 / 3), MINUTE);
    assert.equal(timeAtFraction(line, 0.5), 1.5 * MINUTE);
    assert.equal(timeAtFraction(line, 1), 4 * MINUTE);
  });

  it('places moments consistently', () => {
    for (const axis of [bars, line]) {
      for (const share of [0, 0.1, 0.33, 0.5, 0.9])
        assert.ok(Math.abs(fractionAtTime(axis, timeAtFraction(axis, share)) - share) < 1e-9);
    }
    assert.equal(fractionAtTime(bars, -MINUTE), 0);
    assert.equal(fractionAtTime(line, 9 * MINUTE), 1);
  });

  it('supports irregular times', () => {
    const uneven = { times: [0, MINUTE, 5 * MINUTE], hasBars: false };
    assert.equal(timeAtFraction(uneven, 0.75), 3 * MINUTE);
    assert.equal(fractionAtTime(uneven, 3 * MINUTE), 0.75);
  });

  it('labels round local times, as many as fit', () => {
    const utc = (ms: number): number => ms;
    const minutes = (from: number, count: number, step = 1) => ({
      times: Array.from({ length: count }, (_, index) => (from + index * step) * MINUTE),
      hasBars: false,
    });
    const named = (axis: typeof line, most: number, clock = utc): readonly number[] =>
      selectTicks(axis, most, clock).map((index) => axis.times[index] / MINUTE);
    assert.deepEqual(named(minutes(29, 61), 8), [30, 40, 50, 60, 70, 80]);
    assert.deepEqual(named(minutes(29, 61), 4), [30, 45, 60, 75]);
    assert.deepEqual(named(minutes(14, 16), 8), [14, 16, 18, 20, 22, 24, 26, 28]);
    assert.deepEqual(named(minutes(14, 16), 4), [15, 20, 25]);
    // Half an hour off UTC: full hours there are half hours in UTC.
    assert.deepEqual(
      named(minutes(0, 241), 4, (ms) => ms + 30 * MINUTE),
      [30, 90, 150, 210],
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30_000_000 }),
        fc.integer({ min: 10, max: 400 }),
        fc.constantFrom(1, 5, 15, 60),
        fc.integer({ min: 3, max: 8 }),
        (from, count, step, most) => {
          const axis = minutes(Math.floor(from / step) * step, count, step);
          const times = named(axis, most);
          if (times.length === count) return;
          assert.ok(times.length >= 2 && times.length <= most);
          assert.equal(new Set(times.slice(1).map((time, index) => time - times[index])).size, 1);
          assert.equal(times[0] % (times[1] - times[0]), 0);
        },
      ),
    );
  });

  it('labels all values if none is at a round time', () => {
    assert.deepEqual(
      selectTicks({ times: [1_000, 62_000], hasBars: false }, 8, (ms) => ms),
      [0, 1],
    );
  });

  it('includes the last bucket', () => {
    assert.ok(isWithinAxis(line, 3.5 * MINUTE));
    assert.ok(!isWithinAxis(line, 4 * MINUTE) && !isWithinAxis(line, -1));
    assert.ok(!isWithinAxis({ times: [], hasBars: false }, 0));
  });

  it('treats a bucket as incomplete until it has ended', () => {
    assert.deepEqual(
      times.map((_, index) => isIncompleteBucket(line, index, 3.5 * MINUTE)),
      [false, false, false, true],
    );
    assert.ok(!isIncompleteBucket(line, 3, 4 * MINUTE));
  });

  it('bridges gaps of less than 3 minutes, like rendered images', () => {
    const minutes = { times: [0, 1, 2, 3, 4].map((minute) => minute * MINUTE), hasBars: false };
    assert.ok(isGapBridged(minutes, 0, 1) && isGapBridged(minutes, 0, 3));
    assert.ok(!isGapBridged(minutes, 0, 4));
    assert.ok(!isGapBridged({ times: [0, 60, 120].map((minute) => minute * MINUTE), hasBars: false }, 0, 2));
  });

  it('marks every segment of a gap', () => {
    const minutes = { times: [0, 1, 2, 3, 4, 5, 6].map((minute) => minute * MINUTE), hasBars: false };
    assert.deepEqual(markGaps(minutes, [1, undefined, 2, undefined, undefined, undefined, 3]), [
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    assert.deepEqual(
      markGaps(minutes, [undefined, 1, 2, undefined, undefined, undefined, undefined]),
      minutes.times.map(() => false),
    );
  });

  it('marks isolated values', () => {
    const hours = { times: [0, 1, 2, 3, 4, 5].map((hour) => hour * 60 * MINUTE), hasBars: false };
    assert.deepEqual(markIsolatedPoints(hours, [1, undefined, 2, 3, undefined, 4]), [
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    assert.deepEqual(markIsolatedPoints(line, [1, undefined, 2, undefined]), [false, false, false, false]);
    assert.deepEqual(markIsolatedPoints(line, [undefined, 5, undefined, undefined]), [false, true, false, false]);
  });
});
