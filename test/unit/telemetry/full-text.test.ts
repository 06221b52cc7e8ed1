import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StringInterner } from '../../../src/telemetry/columns/string-interner.js';
import { AsciiWordScanner, extractWords, matchesTextQuery, parseTextQuery } from '../../../src/telemetry/full-text.js';

const matches = (query: string, body: string): boolean => matchesTextQuery(parseTextQuery(query), body);

describe('words of a text', () => {
  it('are runs of letters, digits and underscores, in lower case, in their order', () => {
    assert.deepEqual(extractWords('Order-17 FAILED: order_id=17, Größe 大きい!'), [
      'order',
      '17',
      'failed',
      'order_id',
      '17',
      'größe',
      '大きい',
    ]);
  });

  it('are cut at 64 UTF-16 units without parting a pair of surrogates', () => {
    assert.deepEqual(extractWords('x'.repeat(80)), ['x'.repeat(64)]);
    const letter = '𝒳'.toLowerCase();
    assert.deepEqual(extractWords(`a${letter.repeat(40)}`), [`a${letter.repeat(31)}`]);
  });

  it('are the same by bytes where a text is ASCII', () => {
    const ascii = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.stringMatching(/^[A-Za-z0-9_ ]{0,200}$/));
    fc.assert(
      fc.property(ascii, (text) => {
        const words = new StringInterner();
        const scanner = new AsciiWordScanner();
        const bytes = Buffer.from(`é${text}é`);
        assert.ok(scanner.start(bytes, 2, bytes.length - 2));
        const seen: string[] = [];
        for (let word = scanner.next(words); word >= 0; word = scanner.next(words)) seen.push(words.text(word));
        assert.deepEqual(seen, extractWords(text));
      }),
    );
  });

  it('are left to the slow way where a byte is not ASCII', () => {
    const bytes = Buffer.from('plain è');
    assert.equal(new AsciiWordScanner().start(bytes, 0, bytes.length), false);
    assert.equal(new AsciiWordScanner().start(bytes, 0, 5), true);
  });
});

describe('text query', () => {
  it('reads words, prefixes and phrases', () => {
    assert.deepEqual(parseTextQuery('Timeout order* "Connection reset by" "single" a-b'), {
      words: ['timeout', 'single', 'a', 'b'],
      prefixes: ['order'],
      phrases: [['connection', 'reset', 'by']],
    });
  });

  it('never throws, and matches everything where it asks for nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        (query, body) => typeof matches(query, body) === 'boolean',
      ),
    );
    for (const nothing of ['', '*', '"', '""', '"*" !!', '\ud800']) assert.ok(matches(nothing, 'any body'), nothing);
  });

  it('takes an unclosed quote to the end as a phrase', () => {
    assert.deepEqual(parseTextQuery('a "b c'), { words: ['a'], prefixes: [], phrases: [['b', 'c']] });
  });

  it('finds all words in any order and any case', () => {
    assert.ok(matches('TIMEOUT payment', 'Payment failed: timeout'));
    assert.ok(!matches('timeout cart', 'Payment failed: timeout'));
    assert.ok(!matches('time', 'Payment failed: timeout'));
    assert.ok(matches('ΣΊΣΥΦΟΣ', 'ο Σίσυφος') && matches('σίσυφος', 'ΣΊΣΥΦΟΣ'));
  });

  it('finds prefixes and phrases', () => {
    assert.ok(matches('time*', 'Payment failed: timeout'));
    assert.ok(matches('"failed timeout"', 'Payment failed: timeout'));
    assert.ok(!matches('"timeout failed"', 'Payment failed: timeout'));
    assert.ok(!matches('"a b c"', 'a b'));
    assert.ok(matches('"a a b"', 'a a a b'));
  });

  it('finds every body by any of its words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        for (const word of extractWords(body)) {
          assert.ok(matches(word, body));
          assert.ok(matches(`${word}*`, body));
          assert.ok(matchesTextQuery({ words: [], prefixes: [], phrases: [extractWords(word)] }, body));
        }
      }),
    );
  });
});
