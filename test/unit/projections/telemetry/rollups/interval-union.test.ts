import assert from 'node:assert/strict';
import fc from 'fast-check';
import { IntervalUnion } from '../../../../../src/projections/telemetry/rollups/self-time-calculator.js';

const DURATION = 40;

describe('interval union', () => {
  it('is the number of moments within the span that some interval holds', () => {
    const covered = new IntervalUnion();
    const interval = fc.tuple(fc.integer({ min: -20, max: 60 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 100 }), (intervals) => {
        covered.begin(DURATION);
        for (const [start, length] of intervals) covered.add(start, start + length);
        const moments = Array.from({ length: DURATION }, (_, at) => at).filter((at) =>
          intervals.some(([start, length]) => start <= at && at < start + length),
        );
        assert.equal(covered.total(), moments.length);
      }),
    );
  });
});
