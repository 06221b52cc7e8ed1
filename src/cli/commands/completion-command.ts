import { Argument, type Command } from 'commander';
import { renderBashCompletion } from '../completion/bash-completion.js';
import { buildCompletions } from '../completion/completion-model.js';
import { renderFishCompletion } from '../completion/fish-completion.js';
import { renderZshCompletion } from '../completion/zsh-completion.js';
import { withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';

const RENDERERS = { bash: renderBashCompletion, zsh: renderZshCompletion, fish: renderFishCompletion } as const;
type Shell = keyof typeof RENDERERS;

export function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .description('print a shell script that completes commands, options and projection names')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(RENDERERS)))
    .action((shell: Shell) =>
      runToExitStatus(async () => {
        const commands = buildCompletions(program, new Map([['projection', await loadProjectionNames()]]));
        process.stdout.write(RENDERERS[shell](commands));
        return true;
      }),
    );
  withExamples(
    command,
    'eval "$(hindsight completion bash)"',
    'source <(hindsight completion zsh)',
    'hindsight completion fish | source',
  );
}

/** Loaded on demand: the module imports every projection. */
async function loadProjectionNames(): Promise<string[]> {
  const { PROJECTION_GROUPS } = await import('../../projections/projection-groups.js');
  return PROJECTION_GROUPS.flatMap(({ projections }) => projections.map(({ name }) => name));
}
