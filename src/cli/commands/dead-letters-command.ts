import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';
import { runToExitStatus, readLocalSettings } from '../exit-status.js';
import type { Operations, ParkedEvent, Retried, Tried } from '../../operations/operations-port.js';
import { escapeTerminalControls, formatTable, printResult, withProgressBar } from '../terminal-output.js';
import { resolveProjections, withOperations } from '../local-operations.js';
import { formatRebuild } from './read-model-commands.js';

interface RetryCommandOptions {
  readonly projection?: string;
  readonly fatal?: true;
  readonly json?: true;
}

export function addDeadLetters(program: Command): void {
  const parked = program
    .command('parked')
    .description('list the events that could not be projected and were passed by; exits 1 when there are any')
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) =>
      runToExitStatus(() =>
        withOperations(readLocalSettings(), (operations) => runList(operations, options.json === true)),
      ),
    );
  withExamples(parked, 'hindsight parked', 'hindsight parked --json');
  const again = parked
    .command('retry')
    .description(
      'try them again after a fix: what lacks an event that can be folded now is built anew; exits 1 when some are left',
    )
    .option('--projection <name>', 'only what this projection lacks')
    .option('--fatal', 'also events that ended the process: when one does so again, the next process passes it by')
    .option('--json', 'print one JSON object')
    .action((options: RetryCommandOptions) =>
      runToExitStatus(() => withOperations(readLocalSettings(), (operations) => runRetry(operations, options))),
    );
  withExamples(again, 'hindsight parked retry', 'hindsight parked retry --projection traces');
}

/** True when nothing is parked. */
async function runList(operations: Operations, json: boolean): Promise<boolean> {
  const events = await operations.parked();
  printResult(json, events, formatDeadLetters(events));
  return events.length === 0;
}

function formatDeadLetters(events: readonly ParkedEvent[]): string {
  const columns = [
    { title: 'position', of: ({ position }: ParkedEvent) => position },
    { title: 'projections', of: ({ lacking }: ParkedEvent) => lacking.join(', ') },
    { title: 'type', of: ({ type }: ParkedEvent) => type },
    { title: 'stream', of: ({ stream }: ParkedEvent) => stream },
    { title: 'at', of: ({ at }: ParkedEvent) => (at === undefined ? undefined : new Date(at).toISOString()) },
    { title: 'error', of: ({ error }: ParkedEvent) => error },
  ];
  return formatTable(events, columns, 'no event is parked');
}

/** True when none that was asked for is left. */
async function runRetry(operations: Operations, { projection, fatal, json }: RetryCommandOptions): Promise<boolean> {
  await resolveProjections(operations, projection);
  const options = { ...(projection === undefined ? {} : { projection }), fatal: fatal === true };
  const retried = await withProgressBar('rebuild ', 'events', json === true, (onProgress) =>
    operations.retryParked(options, onProgress),
  );
  printResult(json === true, retried, formatRetry(retried));
  return retried.left === 0;
}

function formatRetry({ tried, rebuilt, left }: Retried): string {
  const lines = tried.map(
    ({ position, projection, folds, error }: Tried) =>
      `${projection} ${position}: ${folds ? 'folds now' : escapeTerminalControls(error ?? '')}`,
  );
  return [...lines, ...rebuilt.map(formatRebuild), left === 0 ? 'no event is parked' : `${left} still parked`].join(
    '\n',
  );
}
