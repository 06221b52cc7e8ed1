import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  alignText,
  replaceAligned,
  normalizeClockPhrases,
  normalizeTimePhrases,
} from '../../../../../src/assistant/analyst/time/time-phrase-normalizer.js';
import { NOW } from '../../shop.js';

describe('a text whose time phrases were reworded', () => {
  it('records where each character stood', () => {
    const { text, origins } = replaceAligned(alignText('at midnight, 5 mins'), /midnight|mins/g, ([said]) =>
      said === 'mins' ? 'minutes' : '00:00',
    );
    assert.equal(text, 'at 00:00, 5 minutes');
    assert.deepEqual(origins, [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 18, 18, 18, 19]);
  });

  it('keeps every character that was not reworded', () => {
    const phrases = fc.constantFrom(
      'since midnight',
      'last few hours',
      'between 2 and 3 pm',
      '10 mins',
      'half past one',
    );
    const words = fc.constantFrom('payment', 'or', 'cart', 'slower', '“', '?', 'than');
    fc.assert(
      fc.property(fc.array(fc.oneof(phrases, words), { maxLength: 8 }), (said) => {
        const question = said.join(' ');
        const { text, origins } = normalizeTimePhrases(normalizeClockPhrases(alignText(question), NOW));
        assert.equal(origins.length, text.length + 1);
        assert.equal(origins.at(-1), question.length);
        origins.slice(1).forEach((origin, at) => assert.ok(origin >= origins[at]));
        for (const { 0: word, index } of text.matchAll(/payment|cart|slower/g))
          assert.equal(question.slice(origins[index], origins[index + word.length]), word);
      }),
    );
  });
});
