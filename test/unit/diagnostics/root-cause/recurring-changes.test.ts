import assert from 'node:assert/strict';
import { isRecurring } from '../../../../src/diagnostics/root-cause/evidence-detector.js';
import { scoreRateChange } from '../../../../src/diagnostics/root-cause/robust-statistics.js';

const WEIGHT = new Float64Array(40).fill(10);
const SPLIT = { past: 38, at: 38, to: 40 };

describe('isRecurring', () => {
  it('is true for a level that was reached as long three times before', () => {
    assert.equal(isRecurring(stepAt([5, 6, 15, 16, 25, 26, 38, 39]), SPLIT), true);
  });

  it('is false for a level that was reached twice', () => {
    assert.equal(isRecurring(stepAt([15, 16, 25, 26, 38, 39]), SPLIT), false);
  });

  it('is false for a level that lasts longer than ever before', () => {
    assert.equal(isRecurring(stepAt([5, 15, 25, 38, 39]), SPLIT), false);
  });

  it('counts a run that lasted much longer once', () => {
    assert.equal(isRecurring(stepAt([5, 6, 7, 8, 9, 10, 11, 12, 38, 39]), SPLIT), false);
  });
});

describe('scoreRateChange of rare events', () => {
  it('takes the usual rate of events that come at random, not that of the quiet minutes', () => {
    const count = new Float64Array(40);
    for (let minute = 0; minute < 38; minute += 5) count[minute] = 1;
    count[38] = 1;
    assert.equal(scoreRateChange(count, WEIGHT, SPLIT)?.before.toFixed(3), (8 / 380).toFixed(3));
    assert.equal(scoreRateChange(count, WEIGHT, SPLIT)?.score, 0);
  });

  it('leaves bursts before the onset out', () => {
    const count = new Float64Array(40);
    count[3] = 30;
    count[38] = 5;
    count[39] = 5;
    const change = scoreRateChange(count, WEIGHT, SPLIT);
    assert.equal(change?.before, 0);
    assert.ok(change.score > 3, String(change.score));
  });
});

function stepAt(minutes: readonly number[]) {
  const sum = new Float64Array(40);
  for (const minute of minutes) sum[minute] = 80;
  return { sum, weight: WEIGHT, before: 0, after: 8 };
}
