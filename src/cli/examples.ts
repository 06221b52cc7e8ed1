import type { Command } from 'commander';

const examplesByCommand = new WeakMap<Command, readonly string[]>();

/** Shown at the end of the command's help, and in the reference. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examplesByCommand.set(command, lines);
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

export function examplesOf(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}
