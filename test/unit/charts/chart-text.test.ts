import assert from 'node:assert/strict';
import { GlobalFonts, createCanvas } from 'canvas';
import fc from 'fast-check';
import { registerFonts } from '../../../src/charts/chart-fonts.js';
import { sanitizeText, truncateEnd, truncateMiddle, textWidth, wrapText } from '../../../src/charts/chart-text.js';

const SIZE = 12;

describe('text of telemetry', () => {
  it('loses controls, line breaks, and what turns or hides letters', () => {
    assert.equal(sanitizeText('a\u0000b\r\nc\td\u2028e'), 'a b c d e');
    assert.equal(sanitizeText('invoice\u202egnp.exe\u2066\u200f'), 'invoicegnp.exe');
    assert.equal(sanitizeText('pass\u200bword\ufeff\u00ad'), 'password');
    assert.equal(sanitizeText('  \u0007 '), '');
    assert.equal(sanitizeText('half \ud83d of a pair'), 'half \ufffd of a pair');
  });

  it('keeps what people write', () => {
    for (const text of ['Zürich', 'Θεσσαλονίκη', 'チェックアウト', 'خدمة', '🚀 rocket', 'क्षि', 'e\u0301'])
      assert.equal(sanitizeText(text), text);
  });

  it('is bounded, and piles no marks', () => {
    assert.equal([...sanitizeText('x'.repeat(100_000))].length, 256);
    assert.equal(sanitizeText(`Z${'\u0301'.repeat(50)}algo`), 'Z\u0301\u0301algo');
  });

  it('is never longer than it may be, nor broken inside a character', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 400 }), (raw, width) => {
        for (const cut of [
          truncateEnd(sanitizeText(raw), width, SIZE),
          truncateMiddle(sanitizeText(raw), width, SIZE),
        ]) {
          assert.ok(textWidth(cut, SIZE) <= width + 1e-6, `${textWidth(cut, SIZE)} of ${width}`);
          assert.doesNotMatch(cut, /\p{Cs}|[\p{Cc}\u202a-\u202e]/u);
        }
      }),
    );
  });

  it('is cut at its end or in its middle, where it does not fit', () => {
    assert.equal(truncateEnd('Latency of checkout', 80, SIZE), 'Latency of…');
    assert.equal(truncateMiddle('GET /api/v1/products/{id}', 90, SIZE), 'GET /ap…s/{id}');
    assert.equal(truncateEnd('short', 80, SIZE), 'short');
    assert.equal(truncateMiddle('short', textWidth('short', SIZE), SIZE), 'short');
    assert.equal(truncateEnd('none', -5, SIZE), '…');
  });

  it('is broken between words into lines, of which the last is cut', () => {
    assert.deepEqual(wrapText('one two three four', 50, SIZE, 3), ['one two', 'three', 'four']);
    assert.deepEqual(wrapText('one two three four', 50, SIZE, 2), ['one two', 'three f…']);
    assert.deepEqual(wrapText('x'.repeat(99), 50, SIZE, 2).length, 1);
  });

  it('is as wide as the canvas makes it', () => {
    const families = registerFonts();
    assert.ok(GlobalFonts.has('Inter'));
    const context = createCanvas(1, 1).getContext('2d');
    context.font = `400 100px ${families}`;
    for (const text of [
      'GET /api/v1/products/{id}',
      'checkout-7f9c8d-abcde',
      'Nov 20, 13:00 - 14:00 UTC',
      'max 1,234.5 req/s',
    ]) {
      const ratio = textWidth(text, 100) / context.measureText(text).width;
      assert.ok(ratio > 0.97 && ratio < 1.05, `${text}: ${ratio}`);
    }
    // If no installed font has a script, each of its marks is drawn as a box.
    for (const text of ['Θεσσαλονίκη', 'Привет', 'Zürich', 'Đà Nẵng', 'e\u0301', 'ผู้ใช้', 'हिन्दी', '支付服务', '🚀'])
      assert.ok(textWidth(text, 100) >= context.measureText(text).width * 0.98, text);
  });
});
