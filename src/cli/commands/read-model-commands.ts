import type { Command } from 'commander';
import type { Settings } from '../../config/settings.js';
import { withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import type { Operations, RebuildOutcome, VerificationOutcome } from '../../operations/operations-port.js';
import { withProgressBar } from '../terminal-output.js';
import { resolveProjections, withOperations } from '../local-operations.js';

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('rebuild read models from the event log, then switch to them; the service may run meanwhile')
    .argument('[projection]', 'projection name; default: all')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: { json?: true }) =>
      runToExitStatus(() => runReplay(readLocalSettings(), projection, options.json === true)),
    );
  withExamples(command, 'hindsight replay', 'hindsight replay traces');
}

/** Rebuilds the projections with a progress bar. Resolves to true; failures reject. */
function runReplay(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const rebuilt: RebuildOutcome[] = [];
    for (const name of await resolveProjections(operations, projection))
      rebuilt.push(await replayProjection(operations, name, json));
    if (json) process.stdout.write(`${JSON.stringify(rebuilt)}\n`);
    return true;
  });
}

async function replayProjection(operations: Operations, name: string, json: boolean): Promise<RebuildOutcome> {
  const rebuilt = await withProgressBar(name.padEnd(8), 'events', json, (onProgress) =>
    operations.replay(name, onProgress),
  );
  if (!json) process.stdout.write(`${formatRebuild(rebuilt)}\n`);
  return rebuilt;
}

/** Formats the result of a rebuild, and whether it equals the former read model. */
export function formatRebuild({
  projection,
  events,
  seconds,
  parked,
  position,
  digest,
  former,
}: RebuildOutcome): string {
  const lines = [`${projection}: rebuilt from ${events} events in ${seconds.toFixed(1)} s, now in use`];
  if (digest !== undefined)
    lines.push(`  digest ${digest} at ${position ?? 'the beginning'}${former?.equal === true ? ', as before' : ''}`);
  if (former?.equal === false)
    lines.push(`  DIFFERS from the former read model (${former.digest}) in ${former.differences.join(', ')}`);
  if (parked > 0) lines.push(`  ${parked} dead letters: run hindsight dead-letters`);
  return lines.join('\n');
}

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description('compare the read models in use with a fresh replay of the event log; exits 1 if one differs')
    .argument('[projection]', 'projection name; default: all')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: { json?: true }) =>
      runToExitStatus(() => runVerify(readLocalSettings(), projection, options.json === true)),
    );
  withExamples(command, 'hindsight verify', 'hindsight verify traces --json');
}

/** Resolves to true when every read model equals a fresh replay of the event log. */
function runVerify(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const verified: VerificationOutcome[] = [];
    for (const name of await resolveProjections(operations, projection)) {
      verified.push(await operations.verify(name));
      if (!json) process.stdout.write(`${formatVerification(verified[verified.length - 1])}\n`);
    }
    if (json) process.stdout.write(`${JSON.stringify(verified)}\n`);
    return verified.every(({ equal }) => equal);
  });
}

function formatVerification({ projection, equal, live, replayed }: VerificationOutcome): string {
  if (equal) return `ok      ${projection}: ${live}`;
  return `DIFFERS ${projection}: in use ${live}, replayed ${replayed}\n        → hindsight replay ${projection}`;
}
