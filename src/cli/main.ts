import { Command } from 'commander';
import { readEnvironment, readSettings, SettingsError } from '../config.js';
import { diagnose } from './doctor-command.js';
import { replay } from './replay.js';
import { verify } from './verify.js';

const program = new Command('hindsight').description('Self-hosted, event-sourced observability for OpenTelemetry data').showHelpAfterError();

program
  .command('serve')
  .description('run the service in the foreground, as `npm start` does; settings come from the environment and .env')
  .action(async () => {
    const { serve } = await import('../main.js');
    await serve();
  });

program
  .command('replay')
  .description('build read models anew from the log, beside the ones in use, and swap; the service may go on meanwhile')
  .argument('[projection]', 'which one; all when left out')
  .option('--json', 'print one JSON array')
  .action((projection: string | undefined, options: { json?: true }) => finish(() => replay(settings(), projection, options.json === true)));

program
  .command('verify')
  .description('compare the read models in use with a fresh replay of the log; exits 1 when one differs')
  .argument('[projection]', 'which one; all when left out')
  .option('--json', 'print one JSON array')
  .action((projection: string | undefined, options: { json?: true }) => finish(() => verify(settings(), projection, options.json === true)));

program
  .command('doctor')
  .description('look at settings, folder, disk, stores and service: what is wrong and what to do; exits 1 when something is')
  .option('--json', 'print one JSON array')
  .action((options: { json?: true }) => finish(() => diagnose(settings(), options.json === true)));

function settings() {
  return readSettings(readEnvironment());
}

/** Runs a command to its exit status. */
async function finish(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`hindsight: ${(error as Error).message}\n`);
    process.exitCode = error instanceof SettingsError ? 78 : 1;
  }
}

await program.parseAsync();
