import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatChartValue, escapeMarkup } from '../../../../../src/assistant/analyst/answers/answer-formatting.js';

describe('values of charts in answers', () => {
  const VALUES: readonly (readonly [value: number, reported: string])[] = [
    [0.2569528199984003, '0.257'],
    [194033052.97959185, '194033052.98'],
    [12.3456, '12.35'],
    [640.25, '640.25'],
    [0, '0'],
    [120456, '120456'],
    [-0.00012345678, '-0.0001235'],
  ];
  for (const [value, reported] of VALUES) {
    it(`tell ${value} as ${reported}`, () => assert.equal(formatChartValue(value), reported));
  }

  it('are right to half a percent', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        (value) => Math.abs(Number(formatChartValue(value)) - value) <= Math.abs(value) * 0.005_001,
      ),
    );
  });
});

describe('names in Markdown', () => {
  const LINES: Readonly<Record<string, string>> = {
    'a heading': '# svc is healthy',
    'a heading without a blank': '#svc is healthy',
    'a table': '|svc| is healthy',
    'a quotation': '> svc is healthy',
    'a heading in a list': '- # svc: 1 ms',
    'a table in a list': '- | svc | b |',
    'a list in a list': '- - svc: 1 ms',
  };
  for (const [what, line] of Object.entries(LINES)) {
    it(`are no beginning of ${what}`, () => {
      const reported = escapeMarkup(`Services:\n${line}`).split('\n')[1];
      assert.doesNotMatch(reported, /^(?:- )?\s{0,3}(?:#|\||>|-\s)(?<!^- )/);
      // No character is lost.
      assert.equal(reported.replace(/\u200B/g, ''), line);
    });
  }

  it('leave our own lists alone', () =>
    assert.equal(escapeMarkup('Services:\n- 1. svc\n- other # 2'), 'Services:\n- 1. svc\n- other # 2'));
});
