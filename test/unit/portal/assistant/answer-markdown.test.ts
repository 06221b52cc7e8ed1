import assert from 'node:assert/strict';
import { parseBlocks, parseInlineSegments } from '../../../../portal/src/pages/assistant/answer-markdown.js';

describe('the lines of an answer', () => {
  it('are headings, paragraphs and lists', () => {
    assert.deepEqual(parseBlocks('## Payment\nis slow\nsince 9\n\n- one\n* two\n1. first\n2) second'), [
      { kind: 'heading', text: 'Payment' },
      { kind: 'paragraph', text: 'is slow\nsince 9' },
      { kind: 'bullets', items: ['one', 'two'] },
      { kind: 'numbers', items: ['first', 'second'] },
    ]);
  });

  it('keep code and tables as they are', () => {
    assert.deepEqual(parseBlocks('```\n- a\n```\n| a | b |\n| 1 | 2 |'), [
      { kind: 'plain', text: '- a' },
      { kind: 'plain', text: '| a | b |\n| 1 | 2 |' },
    ]);
  });

  it('end a fence that nothing closes', () => {
    assert.deepEqual(parseBlocks('```\n<b>'), [{ kind: 'plain', text: '<b>' }]);
  });

  it('are nothing where there are none', () => assert.deepEqual(parseBlocks(' \n\n'), []));
});

describe('the pieces of a line', () => {
  it('are text, strong text and code', () => {
    assert.deepEqual(parseInlineSegments('a **b** `c`'), [
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'c' },
    ]);
  });

  it('keep what is marked by half, and markup, as text', () => {
    assert.deepEqual(parseInlineSegments('**a <img src=x> [b](javascript:c)'), [
      { kind: 'text', text: '**a <img src=x> [b](javascript:c)' },
    ]);
  });
});
