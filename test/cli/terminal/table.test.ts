import assert from 'node:assert/strict';
import { shownText } from '../../../src/cli/terminal/shown-text.js';
import { record, table, type Column } from '../../../src/cli/terminal/table.js';

const COLUMNS: readonly Column<{ readonly name: string; readonly n: number | null }>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'n', of: ({ n }) => n },
];

describe('tables', () => {
  it('align columns under their titles, numbers at the right', () => {
    assert.equal(table([{ name: 'checkout', n: 7 }, { name: 'a', n: 1234 }], COLUMNS, 'none'), 'NAME         N\ncheckout     7\na         1234');
  });

  it('show a dash for nothing, and a sentence where there is no row', () => {
    assert.equal(table([{ name: '', n: null }], COLUMNS, 'none'), 'NAME  N\n-     -');
    assert.equal(table([], COLUMNS, 'none at all'), 'none at all');
  });

  it('count characters and not bytes', () => {
    assert.equal(table([{ name: 'äöü', n: 1 }, { name: '🦊', n: 2 }], COLUMNS, ''), 'NAME  N\näöü   1\n🦊     2');
  });

  it('show nothing that a terminal would obey', () => {
    const hostile = 'a\u001b[31mred\u001b]8;;http://x\u0007 \u202egnp.exe\r\nb\tc\u009b2J';
    assert.equal(shownText(hostile), String.raw`a\u001b[31mred\u001b]8;;http://x\u0007 \u202egnp.exe\u000d\nb c\u009b2J`);
    assert.equal(table([{ name: '\u001b[2J', n: 1 }], COLUMNS, '').includes('\u001b'), false);
    assert.equal(record({ name: 'x\u0000y', missing: undefined, none: null }), String.raw`name  x\u0000y` + '\nnone  -');
  });
});
