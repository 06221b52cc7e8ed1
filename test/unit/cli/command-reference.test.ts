import assert from 'node:assert/strict';
import { findExamples } from '../../../src/cli/command-definition.js';
import { createProgram } from '../../../src/cli/program.js';
import { listExecutableCommands, commandPath, renderCommandReference } from '../../../src/cli/command-reference.js';

describe('command reference', () => {
  const program = createProgram();
  const commands = listExecutableCommands(program);

  it('has a section for each command, with its arguments, options and examples', () => {
    const text = renderCommandReference(program);
    for (const command of commands) {
      const chapter = text.split(`### \`${commandPath(command)}\`\n`)[1]?.split('\n### ')[0] ?? '';
      for (const { flags } of command.options)
        assert.ok(chapter.includes(flags.replaceAll('|', String.raw`\|`)), `${commandPath(command)} ${flags}`);
      for (const argument of command.registeredArguments)
        assert.ok(chapter.includes(`\`<${argument.name()}>\``), `${commandPath(command)} ${argument.name()}`);
      for (const example of findExamples(command)) assert.ok(chapter.includes(example));
    }
    assert.match(text, /\| 77 \| not logged in, or not permitted \|/);
    assert.match(text, /`HINDSIGHT_URL`/);
  });

  it('has a description and examples for each command', () => {
    for (const command of commands) {
      assert.notEqual(command.description(), '', commandPath(command));
      const examples = findExamples(command);
      assert.ok(examples.length > 0, `${commandPath(command)} has no example: give it some by withExamples`);
      assert.ok(
        examples.every((example) => example.includes(commandPath(command))),
        commandPath(command),
      );
    }
  });

  it('has --json for every command with a result', () => {
    const silent = ['serve', 'completion'];
    const without = commands
      .filter((command) => !command.options.some(({ long }) => long === '--json'))
      .map((command) => command.name());
    assert.deepEqual(
      without.filter((name) => !silent.includes(name)),
      [],
    );
  });
});
