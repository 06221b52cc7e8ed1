import assert from 'node:assert/strict';
import { extractNumbers, extractWordsWithDigits } from '../../../../bench/assistant/number-extraction.js';

describe('printed numbers', () => {
  const values = (text: string): (readonly [number, string])[] =>
    extractNumbers(text).map(({ value, unit }) => [value, unit]);

  it('are read with separators, decimals, signs and units', () => {
    assert.deepEqual(values('1,343.35 ms, 1.34 s, -12.5%, 95 percent, 3× and 2 hours'), [
      [1343.35, 'ms'],
      [1.34, 's'],
      [-12.5, '%'],
      [95, '%'],
      [3, 'x'],
      [2, 'h'],
    ]);
    assert.deepEqual(values('for 12 minutes, a 15-minute window, 120ms'), [
      [12, 'min'],
      [15, 'min'],
      [120, 'ms'],
    ]);
    assert.deepEqual(values('48 requests a minute, 30 req/min'), [
      [48, '/min'],
      [30, '/min'],
    ]);
  });

  it('are read where they are words', () => {
    assert.deepEqual(values('Two services and three minutes'), [
      [2, ''],
      [3, 'min'],
    ]);
    assert.deepEqual(values('one of them'), []);
  });

  it('are no markers of lists, moments, dates, ids, versions and percentiles', () => {
    assert.deepEqual(values('1. payment\n2. cart'), []);
    assert.deepEqual(values('3. payment'), [[3, '']]);
    assert.deepEqual(
      values('at 14:05 and 14:05:30 on 2026-05-20, 19 May, p95, v2.4.0, 2.3.1, trace 7e57000a, cart-0'),
      [],
    );
  });

  it('have the slack of their last digit', () => {
    assert.deepEqual(
      extractNumbers('10 10.0 1.25 1340 1256').map(({ slack }) => Number(slack.toPrecision(4))),
      [0.5, 0.05, 0.005, 5, 0.5],
    );
  });

  it('leave moments, dates and names', () => {
    assert.deepEqual(extractWordsWithDigits('since 14:05, 2026-05-20T13:00:00Z, May 19: payment-0 runs v2.4.0.'), {
      clocks: ['14:05', '13:00:00'],
      dates: ['2026-05-20', 'May 19'],
      names: ['payment-0', 'v2.4.0'],
    });
  });
});
