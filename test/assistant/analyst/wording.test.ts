import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chartValue } from '../../../src/assistant/analyst/wording.js';

describe('values of charts in answers', () => {
  const VALUES: readonly (readonly [value: number, told: string])[] = [[0.2569528199984003, '0.257'], [194033052.97959185, '194033052.98'], [12.3456, '12.35'], [640.25, '640.25'], [0, '0'], [120456, '120456'], [-0.00012345678, '-0.0001235']];
  for (const [value, told] of VALUES) {
    it(`tell ${value} as ${told}`, () => assert.equal(chartValue(value), told));
  }

  it('are right to half a percent', () => {
    fc.assert(fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => Math.abs(Number(chartValue(value)) - value) <= Math.abs(value) * 0.005_001));
  });
});
