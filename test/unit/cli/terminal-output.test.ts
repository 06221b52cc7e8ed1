import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Column,
  escapeTerminalControls,
  escapeTerminalLines,
  formatRecord,
  formatTable,
  toTerminalJson,
} from '../../../src/cli/terminal-output.js';

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

describe('output to a terminal', () => {
  /** Erases the screen, a C1 control sequence, an override of the direction, an isolate, and a line separator. */
  const HOSTILE = ['a\u001b[2Jb', 'a\u009b2Jb', 'a\u202eb', 'a\u2066b', 'a\u2028b', 'a\rb', 'a\u0000b', 'a\u0007b'];

  for (const text of HOSTILE)
    it(`escapes ${JSON.stringify(text)} in lines and in JSON`, () => {
      const escaped = `a\\u${text.charCodeAt(1).toString(16).padStart(4, '0')}${text.slice(2)}`;
      assert.equal(escapeTerminalLines(`${text}\n${text}`), `${escaped}\n${escaped}`);
      const json = toTerminalJson({ [text]: [text] });
      assert.match(json, /^[\x20-\x7e]*$/);
      assert.deepEqual(JSON.parse(json), { [text]: [text] }, 'programs read what was stored');
    });

  it('goes through the functions that escape, in every command', () => {
    const folder = join(process.cwd(), 'src/cli');
    const writing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && /process\.std(out|err)\.write|console\./.test(read(folder, name)))
      .sort();
    // Completion scripts hold no stored text.
    assert.deepEqual(writing, ['commands/completion-command.ts', 'exit-status.ts', 'terminal-output.ts']);
  });
});

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
