import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findCompletionPlace } from '../../../../portal/src/pages/explore/query-completion.js';
import { highlightQuery } from '../../../../portal/src/pages/explore/query-highlighting.js';

/** The place at the end of a text. */
const at = (text: string) => findCompletionPlace(text, text.length);

describe('suggestions for a condition', () => {
  it('begin with fields', () => {
    const { fields, operators, connectives, valuesOf, from } = at('');
    assert.deepEqual([fields, operators, connectives, valuesOf, from], [true, false, false, undefined, 0]);
    assert.deepEqual([at('serv').fields, at('serv').typed, at('serv').from], [true, 'serv', 0]);
  });

  it('are operators after a field', () => {
    assert.equal(at('service ').operators, true);
    assert.equal(at('`my field` ').operators, true);
    assert.equal(at('service = cart ').operators, false);
  });

  it('are values of the field after an operator, and in lists', () => {
    assert.equal(at('service = ').valuesOf, 'service');
    assert.equal(at('a = 1 and customer.tier != go').valuesOf, 'customer.tier');
    assert.deepEqual([at('x = 1 or `my field` = "a b').valuesOf, at('`my field` = "a b').typed], ['my field', 'a b']);
    assert.equal(at('kind in (server, ').valuesOf, 'kind');
    assert.equal(at('kind in (').valuesOf, 'kind');
    assert.equal(at('service = ').fields, false);
  });

  it('are connectives and fields after a condition', () => {
    const { connectives, fields } = at('service = cart ');
    assert.deepEqual([connectives, fields], [true, true]);
    assert.deepEqual([at('a = 1 and ').connectives, at('a = 1 and ').fields], [false, true]);
    assert.deepEqual([at('exists(').fields, at('exists(').valuesOf], [true, undefined]);
  });

  it('concern the caret, not the end', () => {
    const text = 'service =  and kind = server';
    assert.equal(findCompletionPlace(text, 'service = '.length).valuesOf, 'service');
  });

  it('are found in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, caret) => {
        const { from } = findCompletionPlace(text, Math.min(caret, text.length));
        assert.ok(from >= 0 && from <= text.length);
      }),
    );
  });
});

describe('colours of a condition', () => {
  it('tell fields, operators, values and words of the language apart', () => {
    assert.deepEqual(
      highlightQuery('service = cart and not "card declined" or exists(x)')
        .filter(({ text }) => text.trim() !== '')
        .map(({ text, kind }) => `${kind} ${text}`),
      [
        'field service',
        'operator =',
        'value cart',
        'keyword and',
        'keyword not',
        'text "card declined"',
        'keyword or',
        'keyword exists',
        'plain (',
        'field x',
        'plain )',
      ],
    );
  });

  it('never change the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(
          highlightQuery(text)
            .map((token) => token.text)
            .join(''),
          text,
        );
      }),
    );
  });
});
