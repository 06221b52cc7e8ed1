import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Runs a program that may open this many files: exit status and output. */
function runWith(openFiles: number, ...program: string[]): [status: number | null, output: string] {
  const shell = `ulimit -n ${openFiles} && exec "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell, process.execPath, ...program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [status, stdout + stderr];
}

describe('a limit of open files', function () {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  for (const [name, ...program] of [
    ['the service', 'bin/hindsight.js', 'serve'],
    ['npm start', 'scripts/start.mjs', 'serve'],
    ['npm run demo', 'scripts/start.mjs', 'demo'],
  ] as const) {
    it(`too low for ${name} is named in one line that says what is needed`, () => {
      for (const openFiles of [64, 256, 1_023]) {
        const [status, output] = runWith(openFiles, ...program);
        assert.equal(status, 78);
        assert.match(
          output,
          new RegExp(`^hindsight: this process may open ${openFiles} files, the service needs 1024 or more: .*\\n$`),
        );
      }
    });
  }

  it('does not concern other commands', () => {
    const [status, output] = runWith(256, 'bin/hindsight.js', '--version');
    assert.equal(status, 0, output);
  });
});
