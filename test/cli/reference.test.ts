import assert from 'node:assert/strict';
import { examplesOf } from '../../src/cli/examples.js';
import { createProgram } from '../../src/cli/program.js';
import { leaves, pathOf, reference } from '../../src/cli/reference.js';

describe('reference of the command line', () => {
  const program = createProgram();
  const commands = leaves(program);

  it('has a chapter for each command, with its arguments, options and examples', () => {
    const text = reference(program);
    for (const command of commands) {
      const chapter = text.split(`### \`${pathOf(command)}\`\n`)[1]?.split('\n### ')[0] ?? '';
      for (const { flags } of command.options) assert.ok(chapter.includes(flags.replaceAll('|', String.raw`\|`)), `${pathOf(command)} ${flags}`);
      for (const argument of command.registeredArguments) assert.ok(chapter.includes(`\`<${argument.name()}>\``), `${pathOf(command)} ${argument.name()}`);
      for (const example of examplesOf(command)) assert.ok(chapter.includes(example));
    }
    assert.match(text, /\| 77 \| not logged in, or not permitted \|/);
    assert.match(text, /`HINDSIGHT_URL`/);
  });

  it('says what each command is for, and gives examples that begin as they are typed', () => {
    for (const command of commands) {
      assert.notEqual(command.description(), '', pathOf(command));
      const examples = examplesOf(command);
      assert.ok(examples.length > 0, `${pathOf(command)} has no example: give it some by withExamples`);
      assert.ok(examples.every((example) => example.includes(pathOf(command))), pathOf(command));
    }
  });

  it('tells what every command answers programs by --json, but for those that answer none', () => {
    const silent = ['serve', 'completion'];
    const without = commands.filter((command) => !command.options.some(({ long }) => long === '--json')).map((command) => command.name());
    assert.deepEqual(without.filter((name) => !silent.includes(name)), []);
  });
});
