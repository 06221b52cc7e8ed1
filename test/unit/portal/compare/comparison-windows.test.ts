import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BASELINE_OPTIONS, resolveComparisonWindows } from '../../../../portal/src/pages/compare/comparison-windows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 2, 14, 12);
const VIEW = { from: NOON - 15 * MINUTE, to: NOON };
const usual = { against: 'before', around: undefined, baseline: undefined };

describe('comparison windows', () => {
  it('are the view and the preceding period', () => {
    assert.deepEqual(resolveComparisonWindows(usual, VIEW), {
      current: VIEW,
      baseline: { from: NOON - 30 * MINUTE, to: NOON - 15 * MINUTE },
    });
  });

  it('may lie an hour, a day or a week apart', () => {
    for (const [against, by] of [
      ['hour', HOUR],
      ['day', 24 * HOUR],
      ['week', 168 * HOUR],
    ] as const) {
      assert.deepEqual(resolveComparisonWindows({ ...usual, against }, VIEW).baseline, {
        from: VIEW.from - by,
        to: VIEW.to - by,
      });
    }
  });

  it('are before and after a moment, and end with the view', () => {
    const at = NOON - 10 * MINUTE;
    assert.deepEqual(resolveComparisonWindows({ ...usual, around: at + 7 }, VIEW), {
      current: { from: at, to: NOON },
      baseline: { from: at - 30 * MINUTE, to: at },
    });
  });

  it('use a custom baseline', () => {
    const baseline = { from: NOON - 5 * HOUR, to: NOON - 4 * HOUR };
    assert.deepEqual(resolveComparisonWindows({ ...usual, baseline }, VIEW), { current: VIEW, baseline });
  });

  it('are not empty, in whole minutes, and not past the view', () => {
    const moment = fc.integer({ min: NOON - 300 * HOUR, max: NOON + HOUR });
    const asked = fc.record({
      against: fc.constantFrom(...BASELINE_OPTIONS.map(({ id }) => id), 'nonsense'),
      around: fc.option(moment, { nil: undefined }),
      baseline: fc.option(
        fc.record({
          from: fc.integer({ min: NOON - 9 * HOUR, max: NOON - 8 * HOUR }),
          to: fc.integer({ min: NOON - 7 * HOUR, max: NOON }),
        }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 168 * 60 }), fc.nat(MINUTE), (given, minutes, more) => {
        const view = { from: NOON + more - minutes * MINUTE, to: NOON + more };
        const { current, baseline } = resolveComparisonWindows(given, view);
        for (const { from, to } of [current, baseline]) {
          assert.ok(from < to && to <= view.to);
          assert.deepEqual([from % MINUTE, to % MINUTE], [0, 0]);
        }
      }),
    );
  });
});
