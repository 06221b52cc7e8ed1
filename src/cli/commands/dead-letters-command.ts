import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';
import { runToExitStatus, readLocalSettings } from '../exit-status.js';
import type { Operations, DeadLetter, RetryOutcome, DryRunOutcome } from '../../operations/operations-port.js';
import { escapeTerminalControls, formatTable, printResult, withProgressBar } from '../terminal-output.js';
import { resolveProjections, withOperations } from '../local-operations.js';
import { formatRebuild } from './read-model-commands.js';

interface RetryCommandOptions {
  readonly projection?: string;
  readonly fatal?: true;
  readonly json?: true;
}

export function addDeadLetters(program: Command): void {
  const deadLetters = program
    .command('dead-letters')
    .alias('parked')
    .description('list dead letters: events that could not be projected and were skipped; exits 1 if there are any')
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) =>
      runToExitStatus(() =>
        withOperations(readLocalSettings(), (operations) => runList(operations, options.json === true)),
      ),
    );
  withExamples(deadLetters, 'hindsight dead-letters', 'hindsight dead-letters --json');
  const retry = deadLetters
    .command('retry')
    .description(
      'retry dead letters after a fix and rebuild the projections that can now process them; exits 1 if some are left',
    )
    .option('--projection <name>', 'only dead letters of this projection')
    .option('--fatal', 'also events that crashed the process; if one does so again, the next process skips it')
    .option('--json', 'print one JSON object')
    .action((options: RetryCommandOptions) =>
      runToExitStatus(() => withOperations(readLocalSettings(), (operations) => runRetry(operations, options))),
    );
  withExamples(retry, 'hindsight dead-letters retry', 'hindsight dead-letters retry --projection traces');
}

/** Resolves to true when there are no dead letters. */
async function runList(operations: Operations, json: boolean): Promise<boolean> {
  const events = await operations.listDeadLetters();
  printResult(json, events, formatDeadLetters(events));
  return events.length === 0;
}

function formatDeadLetters(events: readonly DeadLetter[]): string {
  const columns = [
    { title: 'position', value: ({ position }: DeadLetter) => position },
    { title: 'projections', value: ({ lacking }: DeadLetter) => lacking.join(', ') },
    { title: 'type', value: ({ type }: DeadLetter) => type },
    { title: 'stream', value: ({ stream }: DeadLetter) => stream },
    { title: 'at', value: ({ at }: DeadLetter) => (at === undefined ? undefined : new Date(at).toISOString()) },
    { title: 'error', value: ({ error }: DeadLetter) => error },
  ];
  return formatTable(events, columns, 'no dead letters');
}

/** Resolves to true when none of the selected dead letters is left. */
async function runRetry(operations: Operations, { projection, fatal, json }: RetryCommandOptions): Promise<boolean> {
  await resolveProjections(operations, projection);
  const options = { ...(projection === undefined ? {} : { projection }), fatal: fatal === true };
  const retried = await withProgressBar('rebuild ', 'events', json === true, (onProgress) =>
    operations.retryDeadLetters(options, onProgress),
  );
  printResult(json === true, retried, formatRetry(retried));
  return retried.left === 0;
}

function formatRetry({ tried, rebuilt, left }: RetryOutcome): string {
  const lines = tried.map(
    ({ position, projection, folds, error }: DryRunOutcome) =>
      `${projection} ${position}: ${folds ? 'can be projected now' : escapeTerminalControls(error ?? '')}`,
  );
  return [...lines, ...rebuilt.map(formatRebuild), left === 0 ? 'no dead letters' : `${left} dead letters left`].join(
    '\n',
  );
}
