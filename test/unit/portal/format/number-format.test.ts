import assert from 'node:assert/strict';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
  formatSpanDuration,
} from '../../../../portal/src/format/number-format.js';

describe('number format', () => {
  it('has two decimals, and abbreviates large numbers', () => {
    assert.deepEqual([0, 0.01, 1 / 3, 61 / 60, 9_999.5, 12_345, 3_400_000].map(formatCount), [
      '0',
      '0.01',
      '0.33',
      '1.02',
      '9,999.5',
      '12.3K',
      '3.4M',
    ]);
  });

  it('does not round small values to zero', () => {
    assert.deepEqual([3 / 3600, 0.0035, -0.00028].map(formatCount), ['0.000833', '0.0035', '-0.00028']);
    assert.equal(formatRate(1 / 3600), '0.000278 /s');
    assert.deepEqual([0, 0.004, 5].map(formatPercent), ['0 %', '0.004 %', '5 %']);
    assert.deepEqual([0, 0.0004, 0.25, 12.345].map(formatDuration), ['0 ms', '400 ns', '250 µs', '12.3 ms']);
    assert.equal(formatSpanDuration({ durationNs: 123_456 }), '123 µs');
  });
});
