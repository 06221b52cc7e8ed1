import assert from 'node:assert/strict';
import { resolveChartRange } from '../../../../portal/src/time/time-view.js';

const MINUTE = 60_000;
const AT = Date.UTC(2026, 2, 14, 9, 26, 53);

describe('chart range', () => {
  it('ends with the last whole minute before a past moment, to exclude later data', () => {
    assert.deepEqual(resolveChartRange({ kind: 'past', at: AT, windowMs: 15 * MINUTE }, AT + 9 * MINUTE), {
      from: AT - 15 * MINUTE,
      to: Date.UTC(2026, 2, 14, 9, 26),
    });
  });

  it('ends now or at the end of the range', () => {
    assert.equal(resolveChartRange({ kind: 'live', windowMs: MINUTE }, AT).to, AT);
    assert.deepEqual(resolveChartRange({ kind: 'range', from: AT - MINUTE, to: AT }, AT + MINUTE), {
      from: AT - MINUTE,
      to: AT,
    });
  });
});
