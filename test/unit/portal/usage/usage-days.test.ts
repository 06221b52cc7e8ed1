import assert from 'node:assert/strict';
import { resolveUsageDays, computeUsedPercent } from '../../../../portal/src/pages/usage/usage-days.js';
import { diffLimits, toLimitTexts } from '../../../../portal/src/pages/usage/grid-limits.js';

const AT = Date.UTC(2026, 2, 14, 12, 30);

describe('usage days', () => {
  it('are at least seven, including the current one', () => {
    assert.deepEqual(resolveUsageDays({ from: AT - 900_000, to: AT }), {
      from: '2026-03-08T00:00:00.000Z',
      to: '2026-03-14T12:30:00.000Z',
    });
  });

  it('start with the first day of a longer view', () => {
    assert.equal(resolveUsageDays({ from: Date.UTC(2026, 1, 1, 23, 59), to: AT }).from, '2026-02-01T00:00:00.000Z');
  });
});

describe('used percentage of a limit', () => {
  it('is clamped to 100', () => {
    assert.deepEqual(
      [
        computeUsedPercent(0, 100),
        computeUsedPercent(25, 100),
        computeUsedPercent(120, 100),
        computeUsedPercent(-1, 100),
      ],
      [0, 25, 100, 0],
    );
  });

  it('is 100 for a limit of 0', () => {
    assert.equal(computeUsedPercent(0, 0), 100);
  });
});

describe('limits form', () => {
  const limits = { dailyPromptLimit: 100, monthlySpeechMinutes: 60, maxConcurrentSessions: 10 };

  it('sends changed values only', () => {
    assert.deepEqual(diffLimits(limits, toLimitTexts(limits)), {});
    assert.deepEqual(diffLimits(limits, { ...toLimitTexts(limits), dailyPromptLimit: '0' }), { dailyPromptLimit: 0 });
  });
});
