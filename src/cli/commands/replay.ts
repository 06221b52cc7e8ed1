import type { Command } from 'commander';
import type { Settings } from '../../config.js';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import type { Operations, Rebuilt } from '../operations.js';
import { withProgress } from '../progress.js';
import { chosenProjections, withOperations } from '../with-operations.js';

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('build read models anew from the log, beside the ones in use, and swap; the service may go on meanwhile')
    .argument('[projection]', 'which one; all when left out')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: { json?: true }) => finish(() => replay(localSettings(), projection, options.json === true)));
  withExamples(command, 'hindsight replay', 'hindsight replay traces');
}

/** Rebuilds and swaps; prints a bar on the way. Answers true: what fails, throws. */
function replay(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const rebuilt: Rebuilt[] = [];
    for (const name of await chosenProjections(operations, projection)) rebuilt.push(await rebuild(operations, name, json));
    if (json) process.stdout.write(`${JSON.stringify(rebuilt)}\n`);
    return true;
  });
}

async function rebuild(operations: Operations, name: string, json: boolean): Promise<Rebuilt> {
  const rebuilt = await withProgress(name.padEnd(8), 'events', json, (onProgress) => operations.replay(name, onProgress));
  if (!json) process.stdout.write(`${toldOf(rebuilt)}\n`);
  return rebuilt;
}

/** What a rebuild came to, and whether that is what was in use before. */
export function toldOf({ projection, events, seconds, parked, position, digest, former }: Rebuilt): string {
  const lines = [`${projection}: ${events} events in ${seconds.toFixed(1)} s, in use now`];
  if (digest !== undefined) lines.push(`  digest ${digest} at ${position ?? 'the beginning'}${former?.equal === true ? ', as before' : ''}`);
  if (former?.equal === false) lines.push(`  DIFFERS from what was in use (${former.digest}) in ${former.differences.join(', ')}`);
  if (parked > 0) lines.push(`  ${parked} events could not be folded: see hindsight parked`);
  return lines.join('\n');
}
