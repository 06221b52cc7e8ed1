import { Option, type Command } from 'commander';
import type { Administration, Grid, GridChanges } from '../../operations/administration/administration-port.js';
import { createMissingOptionError, parseDecimal, parseWholeNumber, withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { addTargetOptions, runOnGrid, type TargetOptions, withAdministration } from '../command-target.js';
import { formatRecord, formatTable, printResult } from '../terminal-output.js';

/** Settings as options, under the names that `grids show` prints. */
interface SetOptions extends TargetOptions {
  readonly name?: string;
  readonly apdexThresholdMs?: number;
  readonly errorRateThreshold?: number;
  readonly apdexHealthThreshold?: number;
  readonly retentionDays?: number;
  readonly subscription?: 'active' | 'inactive';
}

export function addGrids(program: Command): void {
  const grids = program.command('grids').description('manage Grids and their settings');
  addList(grids);
  addCreate(grids);
  addShow(grids);
  addSet(grids);
}

function addList(grids: Command): void {
  const command = grids
    .command('list')
    .description('list your Grids; on this machine all Grids')
    .action((options: TargetOptions) =>
      runOnAdministration(options, async (administration) => {
        const allGrids = await administration.listGrids();
        printResult(
          options.json === true,
          allGrids,
          formatTable(
            allGrids,
            [
              { title: 'id', value: ({ gridSecondaryId }) => gridSecondaryId },
              { title: 'name', value: ({ name }) => name },
              { title: 'subscription', value: formatSubscription },
              { title: 'created', value: ({ createdAt }) => createdAt },
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
    .description('create a Grid; you become its Owner, unless run by the local operator')
    .argument('<name>', 'display name')
    .option('--owner <userId>', 'user who also becomes an Owner')
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
    .argument('<grid>', 'id of the Grid, or its name if unique')
    .action((idOrName: string, options: TargetOptions) =>
      runOnGrid(options, idOrName, async (administration, gridId) => {
        const grid = await administration.readGrid(gridId);
        printResult(options.json === true, grid, formatGrid(grid));
      }),
    );
  withExamples(addTargetOptions(command), 'hindsight grids show shop');
}

function addSet(grids: Command): void {
  const command = grids
    .command('set')
    .description('change settings of a Grid; others stay unchanged')
    .argument('<grid>', 'id of the Grid, or its name if unique')
    .option('--name <text>', 'display name')
    .option('--apdex-threshold-ms <ms>', 'requests up to this duration count as satisfied', parseWholeNumber)
    .option('--error-rate-threshold <percent>', 'error rate from which a service is degraded', parseDecimal)
    .option('--apdex-health-threshold <apdex>', 'Apdex below which a service is degraded, 0 to 1', parseDecimal)
    .option('--retention-days <days>', 'days for which telemetry is kept; 0: unlimited', parseWholeNumber)
    .addOption(
      new Option(
        '--subscription <state>',
        'state of the subscription; an inactive Grid refuses ingestion and queries',
      ).choices(['active', 'inactive']),
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
      'Specify at least one setting',
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
    retention: retentionDays === null ? 'default (RETENTION_DAYS of the service)' : formatRetention(retentionDays),
    subscription: formatSubscription(grid),
    created: createdAt,
  });
}

function formatRetention(days: number): string {
  return days === 0 ? 'unlimited' : `${days} days`;
}

function formatSubscription({ subscriptionActive }: Pick<Grid, 'subscriptionActive'>): string {
  return subscriptionActive ? 'active' : 'inactive';
}
