import type { Command } from 'commander';
import { withExamples } from '../examples.js';
import { finish, localSettings } from '../finish.js';
import type { Operations, ParkedEvent, Retried, Tried } from '../operations.js';
import { withProgress } from '../progress.js';
import { print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { table } from '../terminal/table.js';
import { chosenProjections, withOperations } from '../with-operations.js';
import { toldOf } from './replay.js';

interface RetryOptions {
  readonly projection?: string;
  readonly fatal?: true;
  readonly json?: true;
}

export function addParked(program: Command): void {
  const parked = program
    .command('parked')
    .description('list the events that could not be projected and were passed by; exits 1 when there are any')
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) => finish(() => withOperations(localSettings(), (operations) => list(operations, options.json === true))));
  withExamples(parked, 'hindsight parked', 'hindsight parked --json');
  const again = parked
    .command('retry')
    .description('try them again after a fix: what lacks an event that can be folded now is built anew; exits 1 when some are left')
    .option('--projection <name>', 'only what this projection lacks')
    .option('--fatal', 'also events that ended the process: when one does so again, the next process passes it by')
    .option('--json', 'print one JSON object')
    .action((options: RetryOptions) => finish(() => withOperations(localSettings(), (operations) => retry(operations, options))));
  withExamples(again, 'hindsight parked retry', 'hindsight parked retry --projection traces');
}

/** True when nothing is parked. */
async function list(operations: Operations, json: boolean): Promise<boolean> {
  const events = await operations.parked();
  print(json, events, listed(events));
  return events.length === 0;
}

function listed(events: readonly ParkedEvent[]): string {
  const columns = [
    { title: 'position', of: ({ position }: ParkedEvent) => position },
    { title: 'projections', of: ({ lacking }: ParkedEvent) => lacking.join(', ') },
    { title: 'type', of: ({ type }: ParkedEvent) => type },
    { title: 'stream', of: ({ stream }: ParkedEvent) => stream },
    { title: 'at', of: ({ at }: ParkedEvent) => (at === undefined ? undefined : new Date(at).toISOString()) },
    { title: 'error', of: ({ error }: ParkedEvent) => error },
  ];
  return table(events, columns, 'no event is parked');
}

/** True when none that was asked for is left. */
async function retry(operations: Operations, { projection, fatal, json }: RetryOptions): Promise<boolean> {
  await chosenProjections(operations, projection);
  const options = { ...(projection === undefined ? {} : { projection }), fatal: fatal === true };
  const retried = await withProgress('rebuild ', 'events', json === true, (onProgress) => operations.retryParked(options, onProgress));
  print(json === true, retried, told(retried));
  return retried.left === 0;
}

function told({ tried, rebuilt, left }: Retried): string {
  const lines = tried.map(({ position, projection, folds, error }: Tried) => `${projection} ${position}: ${folds ? 'folds now' : shownText(error ?? '')}`);
  return [...lines, ...rebuilt.map(toldOf), left === 0 ? 'no event is parked' : `${left} still parked`].join('\n');
}
