import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitText } from '../../../../../../src/assistant/speech/adapters/openai/synthesizer.js';

describe('Pieces of a text', () => {
  it('end after sentences, else after words, else anywhere', () => {
    assert.deepEqual(splitText('One two. Three four. Five', 12), ['One two.', 'Three four.', 'Five']);
    assert.deepEqual(splitText('one two three', 8), ['one two', 'three']);
    assert.deepEqual(splitText('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
    assert.deepEqual(splitText('a💥💥', 2), ['a', '💥', '💥']);
    assert.deepEqual(splitText('', 4), []);
  });

  it('are short enough, whole, and together the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'bc', ' ', '. ', '💥'), maxLength: 200 }),
        fc.integer({ min: 2, max: 50 }),
        (text, most) => {
          const pieces = splitText(text, most);
          assert.equal(pieces.join('').replace(/\s/g, ''), text.replace(/\s/g, ''));
          for (const piece of pieces)
            assert.ok(piece.length <= most && piece !== '' && !/[\ud800-\udbff]$/.test(piece));
        },
      ),
    );
  });
});
