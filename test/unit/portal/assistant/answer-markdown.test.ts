import assert from 'node:assert/strict';
import { parseBlocks, parseInlineSegments } from '../../../../portal/src/pages/assistant/answer-markdown.js';

describe('answer blocks', () => {
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

  it('close an unclosed fence', () => {
    assert.deepEqual(parseBlocks('```\n<b>'), [{ kind: 'plain', text: '<b>' }]);
  });

  it('are empty for empty answers', () => assert.deepEqual(parseBlocks(' \n\n'), []));
});

describe('inline segments', () => {
  it('are text, strong text and code', () => {
    assert.deepEqual(parseInlineSegments('a **b** `c`'), [
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'c' },
    ]);
  });

  it('keep incomplete marks and HTML as text', () => {
    assert.deepEqual(parseInlineSegments('**a <img src=x> [b](javascript:c)'), [
      { kind: 'text', text: '**a <img src=x> [b](javascript:c)' },
    ]);
  });
});
