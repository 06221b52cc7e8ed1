import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { escapeControlCharacters, escapeDisplayedText } from '../../../../portal/src/format/control-characters.js';

describe('text that the portal shows', () => {
  it('has no character that hides, erases or reorders text', () => {
    const unseen = [0x00, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f];
    const directions = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
    for (const code of [...unseen, ...directions])
      assert.equal(
        escapeControlCharacters(`a${String.fromCharCode(code)}b`),
        `a\\u${code.toString(16).padStart(4, '0')}b`,
      );
  });

  it('keeps line breaks, tabs, and every language', () => {
    for (const text of ['a\nb\tc', 'a\r\nb', 'žluťoučký kůň', 'שלום', 'مرحبا', '👩‍👩‍👧', 'a\u00a0b', '\u2014'])
      assert.equal(escapeControlCharacters(text), text);
    assert.equal(escapeControlCharacters('a\rb'), 'a\\u000db', 'a carriage return alone would overwrite the line');
  });

  it('is escaped in children at any depth, and in attributes that people read', () => {
    const element = { type: 'b', props: { children: 'x' } };
    const props = { title: 'a\u202eb', children: ['c\u001bd', 5, element, ['e\u0000f', null]], className: 'g\u0000' };
    assert.deepEqual(escapeDisplayedText('p', props), {
      title: 'a\\u202eb',
      children: ['c\\u001bd', 5, element, ['e\\u0000f', null]],
      className: 'g\u0000',
    });
  });

  it('is not escaped in what is edited or handed on', () => {
    const input = { value: 'a\u202eb', defaultValue: 'a\u202eb' };
    assert.equal(escapeDisplayedText('input', input), input);
    const Component = (): null => null;
    const data = { title: 'a\u202eb', serviceName: 'a\u202eb' };
    assert.equal(escapeDisplayedText(Component, data), data, 'a component escapes where it shows it');
  });

  it('costs no new object where there is nothing to escape', () => {
    const props = { title: 'a', children: ['b', ['c', { d: 1 }]] };
    assert.equal(escapeDisplayedText('p', props), props);
    assert.equal(escapeDisplayedText('p', null), null);
  });

  it('goes through the JSX runtime that escapes it, in build and type check', () => {
    assert.match(readFileSync('portal/tsconfig.json', 'utf8'), /"jsxImportSource": "portal-jsx"/);
    assert.match(readFileSync('portal/vite.config.ts', 'utf8'), /react\(\{ jsxImportSource: 'portal-jsx' \}\)/);
  });
});
