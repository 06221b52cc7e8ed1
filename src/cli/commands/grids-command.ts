import { Option, type Command } from 'commander';
import type { Administration, Grid, GridChanges } from '../../operations/administration/administration-port.js';
import { createMissingOptionError, parseDecimal, parseWholeNumber, withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { addTargetOptions, runOnGrid, type TargetOptions, withAdministration } from '../command-target.js';
import { formatRecord, formatTable, printResult } from '../terminal-output.js';

/** Names of the settings as options, and as `grids show` prints them. */
interface SetOptions extends TargetOptions {
  readonly name?: string;
  readonly apdexThresholdMs?: number;
  readonly errorRateThreshold?: number;
  readonly apdexHealthThreshold?: number;
  readonly retentionDays?: number;
  readonly subscription?: 'active' | 'inactive';
}

export function addGrids(program: Command): void {
  const grids = program
    .command('grids')
    .description('Grids: who sends telemetry, who may see it, and how it is judged');
  addList(grids);
  addCreate(grids);
  addShow(grids);
  addSet(grids);
}

function addList(grids: Command): void {
  const command = grids
    .command('list')
    .description('list the Grids of the caller; on this machine all there are')
    .action((options: TargetOptions) =>
      runOnAdministration(options, async (administration) => {
        const found = await administration.listGrids();
        printResult(
          options.json === true,
          found,
          formatTable(
            found,
            [
              { title: 'id', of: ({ gridSecondaryId }) => gridSecondaryId },
              { title: 'name', of: ({ name }) => name },
              { title: 'subscription', of: formatSubscription },
              { title: 'created', of: ({ createdAt }) => createdAt },
            ],
            'no Grids\n  → hindsight grids create <name>',
          ),
        );
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight grids list',
    'hindsight grids list --url https://hindsight.example --json',
  );
}

function addCreate(grids: Command): void {
  const command = grids
    .command('create')
    .description('create a Grid; who calls becomes its Owner, the operator of this machine does not')
    .argument('<name>', 'what people call it')
    .option('--owner <userId>', 'makes this user an Owner')
    .action((name: string, options: TargetOptions & { owner?: string }) =>
      runOnAdministration(options, async (administration) => {
        const grid = await administration.createGrid(name, options.owner);
        printResult(options.json === true, grid, formatGrid(grid));
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight grids create shop --owner alice',
    'hindsight grids create shop --url https://hindsight.example',
  );
}

function addShow(grids: Command): void {
  const command = grids
    .command('show')
    .description('show a Grid and its settings')
    .argument('<grid>', 'its id, or its name where no other has it')
    .action((grid: string, options: TargetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const found = await administration.readGrid(gridId);
        printResult(options.json === true, found, formatGrid(found));
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight grids show shop');
}

function addSet(grids: Command): void {
  const command = grids
    .command('set')
    .description('change settings of a Grid; those that are not named stay')
    .argument('<grid>', 'its id, or its name where no other has it')
    .option('--name <text>', 'what people call it')
    .option('--apdex-threshold-ms <ms>', 'a request that takes no longer satisfies', parseWholeNumber)
    .option('--error-rate-threshold <percent>', 'from here on a service is degraded', parseDecimal)
    .option('--apdex-health-threshold <apdex>', 'below it a service is degraded, 0 to 1', parseDecimal)
    .option('--retention-days <days>', 'how long telemetry is kept; 0: for ever', parseWholeNumber)
    .addOption(
      new Option('--subscription <state>', 'inactive: nothing is taken in or answered').choices(['active', 'inactive']),
    )
    .action((grid: string, options: SetOptions) =>
      runOnGrid(options, grid, async (administration, gridId) => {
        const changed = await administration.changeGrid(gridId, parseChanges(options));
        printResult(options.json === true, changed, formatGrid(changed));
      }),
    );
  withExamples(
    addTargetOptions(command),
    'hindsight grids set shop --apdex-threshold-ms 300 --retention-days 14',
    'hindsight grids set shop --subscription inactive',
  );
}

function parseChanges({
  name,
  apdexThresholdMs,
  errorRateThreshold,
  apdexHealthThreshold,
  retentionDays,
  subscription: state,
}: SetOptions): GridChanges {
  const changes = {
    name,
    apdexThresholdMs,
    errorRateThreshold,
    apdexHealthThreshold,
    retentionDays,
    subscriptionActive: state && state === 'active',
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    throw createMissingOptionError(
      'name at least one setting',
      '--name',
      '--apdex-threshold-ms',
      '--error-rate-threshold',
      '--apdex-health-threshold',
      '--retention-days',
      '--subscription',
    );
  return Object.fromEntries(given);
}

function runOnAdministration(
  options: TargetOptions,
  work: (administration: Administration) => Promise<void>,
): Promise<void> {
  return runToExitStatus(() => withAdministration(options, work).then(() => true));
}

function formatGrid({
  gridSecondaryId,
  name,
  apdexThresholdMs,
  errorRateThreshold,
  apdexHealthThreshold,
  retentionDays,
  createdAt,
  ...grid
}: Grid): string {
  return formatRecord({
    id: gridSecondaryId,
    name,
    'apdex threshold': `${apdexThresholdMs} ms`,
    'error rate threshold': `${errorRateThreshold} %`,
    'apdex health threshold': apdexHealthThreshold,
    retention: retentionDays === null ? 'as RETENTION_DAYS of the service' : formatRetention(retentionDays),
    subscription: formatSubscription(grid),
    created: createdAt,
  });
}

function formatRetention(days: number): string {
  return days === 0 ? 'for ever' : `${days} days`;
}

function formatSubscription({ subscriptionActive }: Pick<Grid, 'subscriptionActive'>): string {
  return subscriptionActive ? 'active' : 'inactive';
}
