import assert from 'node:assert/strict';
import { computeErrorBudget, isWithinBudget } from '../../../../src/diagnostics/slos/error-budget.js';

describe('error budget', () => {
  it('is the share of events that may be bad, less those that are', () => {
    assert.deepEqual(computeErrorBudget({ good: 9_995, total: 10_000 }, 99.9), {
      total: 10,
      consumed: 5,
      remaining: 5,
      remainingPercent: 50,
    });
    assert.equal(computeErrorBudget({ good: 0, total: 0 }, 99.9).remainingPercent, 100);
  });

  it('is kept up to the last event that it allows', () => {
    const isKept = (bad: number): boolean =>
      isWithinBudget(computeErrorBudget({ good: 10_000 - bad, total: 10_000 }, 99.9));
    assert.deepEqual([0, 9, 10, 11].map(isKept), [true, true, true, false]);
  });
});
