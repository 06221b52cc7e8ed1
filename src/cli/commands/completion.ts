import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.js';
import { completionsOf } from '../completion/completions.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { withExamples } from '../examples.js';
import { finish } from '../finish.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

export function addCompletion(program: Command): void {
  const command = program.command('completion').description('print what makes a shell complete commands, options and names of projections')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => finish(async () => {
      const commands = completionsOf(program, new Map([['projection', await projectionNames()]]));
      process.stdout.write(SCRIPTS[shell](commands));
      return true;
    }));
  withExamples(command, 'eval "$(hindsight completion bash)"', 'source <(hindsight completion zsh)', 'hindsight completion fish | source');
}

/** Loaded where it is needed: projections bring all that they fold. */
async function projectionNames(): Promise<string[]> {
  const { GROUPS } = await import('../../projections/groups.js');
  return GROUPS.flatMap(({ projections }) => projections.map(({ name }) => name));
}
