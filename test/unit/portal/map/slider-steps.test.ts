import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeSliderSteps } from '../../../../portal/src/pages/map/slider-steps.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('map slider steps', () => {
  it('are whole, do not exceed the view, and cover it or three hours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
        fc.integer({ min: 1, max: 168 * 60 }),
        (to, minutes) => {
          const { from, to: last, stepMs } = computeSliderSteps({ from: to - minutes * MINUTE, to });
          assert.ok(last <= to && last > to - stepMs);
          assert.equal(last % stepMs, 0);
          assert.equal((last - from) % stepMs, 0);
          const count = (last - from) / stepMs;
          assert.ok(count >= 12 && count <= 36, String(count));
          assert.ok(
            last - from <= Math.max(3 * HOUR, minutes * MINUTE) &&
              last - from > Math.max(3 * HOUR, minutes * MINUTE) - stepMs,
          );
        },
      ),
    );
  });
});
