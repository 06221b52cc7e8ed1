import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { renderBashCompletion } from '../../../../src/cli/completion/bash-completion.js';
import { buildCompletions, type CommandCompletion } from '../../../../src/cli/completion/completion-model.js';
import { renderFishCompletion } from '../../../../src/cli/completion/fish-completion.js';
import { renderZshCompletion } from '../../../../src/cli/completion/zsh-completion.js';
import { createProgram } from '../../../../src/cli/program.js';

const PROJECTIONS = ['access', 'traces'];

/** Words before the cursor, the last one possibly incomplete, and the expected offers. */
const EXPECTED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['gri'], ['grids']],
  [
    ['grids', ''],
    ['create', 'list', 'set', 'show'],
  ],
  [
    ['members', 'set', 'shop', 'bob', ''],
    ['Guest', 'Member', 'Owner', 'User'],
  ],
  [
    ['grids', 'set', '--subscription', ''],
    ['active', 'inactive'],
  ],
  // The value of an option is not an argument, and one that equals a command is not a command.
  [['members', 'set', '--url', 'remove', 'shop', 'bob', 'G'], ['Guest']],
  [['keys', 'list', '--json', '--ur'], ['--url']],
  [['replay', 't'], ['traces']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['grids', 'set', '--name', ''], []],
  [['keys', 'list', ''], []],
];

const SHELLS: Readonly<
  Record<
    string,
    {
      readonly script: (commands: readonly CommandCompletion[]) => string;
      readonly ask: (script: string, words: readonly string[]) => string;
    }
  >
> = {
  bash: {
    script: renderBashCompletion,
    ask: (script, words) =>
      run('bash', [
        '--norc',
        '-c',
        `${script}\nCOMP_WORDS=(hindsight "$@"); COMP_CWORD=$#; _hindsight; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ]),
  },
  zsh: {
    // zsh has no completion system outside of its line editor: the test prints what the script would pass to it.
    script: renderZshCompletion,
    ask: (script, words) =>
      run('zsh', [
        '-f',
        '-c',
        `compdef() { : }; _files() { : }; _describe() { print -rl -- \${(P)2%%:*} }\n${script}\nwords=(hindsight "$@"); CURRENT=$#words; _hindsight`,
        'zsh',
        ...words,
      ]),
  },
  fish: {
    script: renderFishCompletion,
    ask: (script, words) =>
      run('fish', ['--no-config', '-c', `${script}\ncomplete -C "hindsight ${words.join(' ')}"`]).replaceAll(
        /\t.*$/gm,
        '',
      ),
  },
};

function run(shell: string, words: string[]): string {
  return execFileSync(shell, words, { encoding: 'utf8', cwd: '/' });
}

describe('completion', () => {
  const commands = buildCompletions(createProgram(), new Map([['projection', PROJECTIONS]]));

  for (const [shell, { script, ask }] of Object.entries(SHELLS)) {
    it(`works in ${shell}`, function () {
      if (spawnSync(shell, ['-c', 'true']).error !== undefined) {
        this.test!.title += `: needs ${shell} (apt-get install ${shell})`;
        this.skip();
      }
      const text = script(commands);
      for (const [words, expected] of EXPECTED) {
        const begun = words.at(-1) ?? '';
        const offered = ask(text, words)
          .split('\n')
          .filter((word) => word !== '' && word.startsWith(begun));
        assert.deepEqual([...new Set(offered)].sort(), [...expected].sort(), `${shell}: ${words.join(' ')}`);
      }
    }).timeout(30_000);
  }

  it('quotes descriptions with special characters', function () {
    const hostile = new Command('hindsight');
    hostile
      .command('list')
      .description(`it's $(touch /tmp/pwned) \`id\` "quoted": 100 % \\ done`)
      .option('--all', "don't $HOME");
    for (const [shell, { script, ask }] of Object.entries(SHELLS)) {
      if (spawnSync(shell, ['-c', 'true']).error !== undefined) continue;
      assert.equal(ask(script(buildCompletions(hostile, new Map())), ['li']).trim(), 'list', shell);
    }
  }).timeout(30_000);
});
