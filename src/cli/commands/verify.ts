import type { Command } from 'commander';
import type { Settings } from '../../config.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import type { Verified } from '../operations.js';
import { chosenProjections, withOperations } from '../with-operations.js';

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description('compare the read models in use with a fresh replay of the log; exits 1 when one differs')
    .argument('[projection]', 'which one; all when left out')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: { json?: true }) => finish(() => verify(localSettings(), projection, options.json === true)));
  withExamples(command, 'hindsight verify', 'hindsight verify traces --json');
}

/** True when every read model says what a fresh replay of the log says. */
function verify(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const verified: Verified[] = [];
    for (const name of await chosenProjections(operations, projection)) {
      verified.push(await operations.verify(name));
      if (!json) process.stdout.write(`${line(verified[verified.length - 1])}\n`);
    }
    if (json) process.stdout.write(`${JSON.stringify(verified)}\n`);
    return verified.every(({ equal }) => equal);
  });
}

function line({ projection, equal, live, replayed }: Verified): string {
  if (equal) return `ok      ${projection}: ${live}`;
  return `DIFFERS ${projection}: in use ${live}, replayed ${replayed}\n        → hindsight replay ${projection}`;
}
