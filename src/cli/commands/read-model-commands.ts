import type { Command } from 'commander';
import type { Settings } from '../../config/settings.js';
import { withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import type {
  Operations,
  RebuildOutcome,
  ReplayOptions,
  VerificationOutcome,
} from '../../operations/operations-port.js';
import { printResult, withProgressBar } from '../terminal-output.js';
import { resolveProjections, withOperations } from '../local-operations.js';

interface ReplayCommandOptions extends ReplayOptions {
  readonly json?: true;
}

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('rebuild read models from the event log, then switch to them; the service may run meanwhile')
    .argument('[projection]', 'projection name; default: all')
    .option('--accept-loss', 'proceed even if damaged events that the current read models contain are lost')
    .option('--fresh', 'begin with the first event instead of continuing an unfinished rebuild')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: ReplayCommandOptions) =>
      runToExitStatus(() => runReplay(readLocalSettings(), projection, options)),
    );
  withExamples(command, 'hindsight replay', 'hindsight replay traces');
}

/** Rebuilds the projections with a progress bar. Resolves to true; failures reject. */
function runReplay(
  settings: Settings,
  projection: string | undefined,
  { json = false, acceptLoss = false, fresh = false }: { readonly json?: boolean } & ReplayOptions,
): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const rebuilt: RebuildOutcome[] = [];
    for (const name of await resolveProjections(operations, projection))
      rebuilt.push(await replayProjection(operations, name, json, { acceptLoss, fresh }));
    if (json) printResult(true, rebuilt, '');
    return true;
  });
}

/** Rebuilds one projection with a progress bar, and prints the outcome unless `json`. */
export async function replayProjection(
  operations: Operations,
  name: string,
  json: boolean,
  options: ReplayOptions = {},
): Promise<RebuildOutcome> {
  const rebuilt = await withProgressBar(name.padEnd(8), 'events', json, (onProgress) =>
    operations.replay(name, options, onProgress),
  );
  if (!json) printResult(false, rebuilt, formatRebuild(rebuilt));
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
  if (parked > 0)
    lines.push(
      `  lacks ${parked} ${parked === 1 ? 'event' : 'events'} that could not be projected: run hindsight dead-letters`,
    );
  return lines.join('\n');
}

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description(
      'compare the read models in use with a fresh replay of the event log; exits 1 if one differs or the log is damaged',
    )
    .argument('[projection]', 'projection name; default: all')
    .option('--json', 'print one JSON array')
    .action((projection: string | undefined, options: { json?: true }) =>
      runToExitStatus(() => runVerify(readLocalSettings(), projection, options.json === true)),
    );
  withExamples(command, 'hindsight verify', 'hindsight verify traces --json');
}

/** Resolves to true when every read model equals a fresh replay of the event log, and no event is damaged. */
function runVerify(settings: Settings, projection: string | undefined, json: boolean): Promise<boolean> {
  return withOperations(settings, async (operations) => {
    const verified: VerificationOutcome[] = [];
    for (const name of await resolveProjections(operations, projection)) {
      verified.push(await operations.verify(name));
      if (!json) printResult(false, verified, formatVerification(verified[verified.length - 1]));
    }
    if (json) printResult(true, verified, '');
    return verified.every(({ equal, damage }) => equal && damage === undefined);
  });
}

/** Never advises a replay that would lose events: those that are damaged now and were projected before. */
export function formatVerification({ projection, equal, live, replayed, damage }: VerificationOutcome): string {
  const damaged = damage === undefined ? [] : formatReplayDamage(damage);
  if (equal) return [`ok      ${projection}: ${live}`, ...damaged].join(INDENTED_LINE);
  if (damage === undefined || damage.retained === 0)
    return [
      `DIFFERS ${projection}: in use ${live}, replayed ${replayed}`,
      ...damaged,
      `→ hindsight replay ${projection}`,
    ].join(INDENTED_LINE);
  return [
    `DAMAGED ${projection}: in use ${live}, replayed ${replayed} without ${formatEventCount(damage.retained)} that the read model in use contains`,
    ...damaged,
    `→ keep this read model: a replay would lose ${damage.retained === 1 ? 'this event' : 'these events'}. Restore a backup made before the damage (docs/operating.md, Damaged events)`,
  ].join(INDENTED_LINE);
}

const INDENTED_LINE = '\n        ';
const MAX_LISTED_EVENTS = 10;

function formatReplayDamage({ count, events }: NonNullable<VerificationOutcome['damage']>): string[] {
  const listed = events
    .slice(0, MAX_LISTED_EVENTS)
    .map(({ error, retained }) => `${error}${retained ? '' : '; the read model in use lacks it, too'}`);
  return count > listed.length ? [...listed, `and ${formatEventCount(count - listed.length)} more`] : listed;
}

function formatEventCount(count: number): string {
  return `${count} damaged ${count === 1 ? 'event' : 'events'}`;
}
