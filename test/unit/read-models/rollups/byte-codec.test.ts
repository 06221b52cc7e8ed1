import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteWriter, RepeatedText } from '../../../../src/read-models/rollups/byte-codec.js';

/** What to do next: write a string to a writer, as a repeated one or not, or clear the writer. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ writer: fc.nat(1), text: fc.nat(4), repeated: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ writer: fc.nat(1) }) },
);

describe('repeated strings', () => {
  it('are written as others are, by several writers and again after these are cleared', () =>
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const texts = ['', 'a', 'checkout', 'GET /cart', 'é'].map((text) => new RepeatedText(text));
        const writers = [new ByteWriter(), new ByteWriter()];
        const plain = [new ByteWriter(), new ByteWriter()];
        for (const taken of steps) {
          if (!('text' in taken)) {
            writers[taken.writer].clear();
            plain[taken.writer].clear();
            continue;
          }
          if (taken.repeated) writers[taken.writer].repeatedText(texts[taken.text]);
          else writers[taken.writer].text(texts[taken.text].text);
          plain[taken.writer].text(texts[taken.text].text);
        }
        writers.forEach((writer, n) => assert.deepEqual(writer.finish(), plain[n].finish()));
      }),
    ));
});
