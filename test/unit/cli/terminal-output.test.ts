import assert from 'node:assert/strict';
import { type Column, escapeTerminalControls, formatRecord, formatTable } from '../../../src/cli/terminal-output.js';

const COLUMNS: readonly Column<{ readonly name: string; readonly n: number | null }>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'n', value: ({ n }) => n },
];

describe('tables', () => {
  it('align columns under their titles, numbers at the right', () => {
    assert.equal(
      formatTable(
        [
          { name: 'checkout', n: 7 },
          { name: 'a', n: 1234 },
        ],
        COLUMNS,
        'none',
      ),
      'NAME         N\ncheckout     7\na         1234',
    );
  });

  it('show a dash for empty values, and a text without rows', () => {
    assert.equal(formatTable([{ name: '', n: null }], COLUMNS, 'none'), 'NAME  N\n-     -');
    assert.equal(formatTable([], COLUMNS, 'none at all'), 'none at all');
  });

  it('count characters, not bytes', () => {
    assert.equal(
      formatTable(
        [
          { name: 'äöü', n: 1 },
          { name: '🦊', n: 2 },
        ],
        COLUMNS,
        '',
      ),
      'NAME  N\näöü   1\n🦊     2',
    );
  });

  it('escape characters that a terminal would interpret', () => {
    const hostile = 'a\u001b[31mred\u001b]8;;http://x\u0007 \u202egnp.exe\r\nb\tc\u009b2J';
    assert.equal(
      escapeTerminalControls(hostile),
      String.raw`a\u001b[31mred\u001b]8;;http://x\u0007 \u202egnp.exe\u000d\nb c\u009b2J`,
    );
    assert.equal(formatTable([{ name: '\u001b[2J', n: 1 }], COLUMNS, '').includes('\u001b'), false);
    assert.equal(
      formatRecord({ name: 'x\u0000y', missing: undefined, none: null }),
      String.raw`name  x\u0000y` + '\nnone  -',
    );
  });
});
