import { Option, type Command } from 'commander';
import type { Administration, Grid, GridChanges } from '../administration.js';
import { withExamples } from '../examples.js';
import { finish } from '../finish.js';
import { onGrid } from '../on-grid.js';
import { choice, decimal, wholeNumber } from '../option-values.js';
import { print } from '../terminal/output.js';
import { record, table } from '../terminal/table.js';
import { withAdministration, withTarget, type TargetOptions } from '../with-administration.js';

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
  const grids = program.command('grids').description('Grids: who sends telemetry, who may see it, and how it is judged');
  addList(grids);
  addCreate(grids);
  addShow(grids);
  addSet(grids);
}

function addList(grids: Command): void {
  const command = grids.command('list').description('list the Grids of the caller; on this machine all there are')
    .action((options: TargetOptions) => run(options, async (administration) => {
      const found = await administration.grids();
      print(options.json === true, found, table(found, [
        { title: 'id', of: ({ gridSecondaryId }) => gridSecondaryId },
        { title: 'name', of: ({ name }) => name },
        { title: 'subscription', of: subscription },
        { title: 'created', of: ({ createdAt }) => createdAt },
      ], 'no Grids\n  → hindsight grids create <name>'));
    }));
  withExamples(withTarget(command), 'hindsight grids list', 'hindsight grids list --url https://hindsight.example --json');
}

function addCreate(grids: Command): void {
  const command = grids.command('create').description('create a Grid; who calls becomes its Owner, the operator of this machine does not')
    .argument('<name>', 'what people call it')
    .option('--owner <userId>', 'makes this user an Owner')
    .action((name: string, options: TargetOptions & { owner?: string }) => run(options, async (administration) => {
      const grid = await administration.createGrid(name, options.owner);
      print(options.json === true, grid, shown(grid));
    }));
  withExamples(withTarget(command), 'hindsight grids create shop --owner alice', 'hindsight grids create shop --url https://hindsight.example');
}

function addShow(grids: Command): void {
  const command = grids.command('show').description('show a Grid and its settings')
    .argument('<grid>', 'its id, or its name where no other has it')
    .action((grid: string, options: TargetOptions) => onGrid(options, grid, async (administration, gridId) => {
      const found = await administration.grid(gridId);
      print(options.json === true, found, shown(found));
    }));
  withExamples(withTarget(command), 'hindsight grids show shop');
}

function addSet(grids: Command): void {
  const command = grids.command('set').description('change settings of a Grid; those that are not named stay')
    .argument('<grid>', 'its id, or its name where no other has it')
    .option('--name <text>', 'what people call it')
    .option('--apdex-threshold-ms <ms>', 'a request that takes no longer satisfies', wholeNumber)
    .option('--error-rate-threshold <percent>', 'from here on a service is degraded', decimal)
    .option('--apdex-health-threshold <apdex>', 'below it a service is degraded, 0 to 1', decimal)
    .option('--retention-days <days>', 'how long telemetry is kept; 0: for ever', wholeNumber)
    .addOption(new Option('--subscription <state>', 'inactive: nothing is taken in or answered').choices(['active', 'inactive']))
    .action((grid: string, options: SetOptions) => onGrid(options, grid, async (administration, gridId) => {
      const changed = await administration.changeGrid(gridId, changesOf(options));
      print(options.json === true, changed, shown(changed));
    }));
  withExamples(withTarget(command), 'hindsight grids set shop --apdex-threshold-ms 300 --retention-days 14', 'hindsight grids set shop --subscription inactive');
}

function changesOf({ name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscription: state }: SetOptions): GridChanges {
  const changes = { name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, subscriptionActive: state && state === 'active' };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw choice('name at least one setting', '--name', '--apdex-threshold-ms', '--error-rate-threshold', '--apdex-health-threshold', '--retention-days', '--subscription');
  return Object.fromEntries(given);
}

function run(options: TargetOptions, work: (administration: Administration) => Promise<void>): Promise<void> {
  return finish(() => withAdministration(options, work).then(() => true));
}

function shown({ gridSecondaryId, name, apdexThresholdMs, errorRateThreshold, apdexHealthThreshold, retentionDays, createdAt, ...grid }: Grid): string {
  return record({
    'id': gridSecondaryId,
    name,
    'apdex threshold': `${apdexThresholdMs} ms`,
    'error rate threshold': `${errorRateThreshold} %`,
    'apdex health threshold': apdexHealthThreshold,
    'retention': retentionDays === null ? 'as RETENTION_DAYS of the service' : retention(retentionDays),
    'subscription': subscription(grid),
    'created': createdAt,
  });
}

function retention(days: number): string {
  return days === 0 ? 'for ever' : `${days} days`;
}

function subscription({ subscriptionActive }: Pick<Grid, 'subscriptionActive'>): string {
  return subscriptionActive ? 'active' : 'inactive';
}
