import type { Command } from 'commander';
import { createLocalAdministration, localOperatorId } from '../../operations/administration/local-administration.js';
import type { MarkTakenBack, Operations, RebuildOutcome, RetentionReport } from '../../operations/operations-port.js';
import { withExamples } from '../command-definition.js';
import { readLocalSettings, runToExitStatus } from '../exit-status.js';
import { resolveGridId, GRID_ARGUMENT_HELP } from '../command-target.js';
import { withOperations } from '../local-operations.js';
import { replayProjection } from './read-model-commands.js';
import { formatTable, printNote, printResult } from '../terminal-output.js';

interface JsonOption {
  readonly json?: true;
}

export function addRetention(program: Command): void {
  const retention = program
    .command('retention')
    .description('show the clock and the expiry mark of each Grid; exits 1 if retention is on hold')
    .option('--json', 'print one JSON object')
    .action((options: JsonOption) => runOnRetention(options, (operations) => operations.retention()));
  withExamples(retention, 'hindsight retention', 'hindsight retention --json');
  const confirm = retention
    .command('confirm-clock')
    .description('confirm that the clock of this machine is right, after a jump that put retention on hold')
    .option('--json', 'print one JSON object')
    .action((options: JsonOption) =>
      runOnRetention(options, (operations) => operations.confirmClock(localOperatorId())),
    );
  withExamples(confirm, 'hindsight retention confirm-clock');
  const takeBack = retention
    .command('take-back')
    .description(
      'take the expiry mark of a Grid back to where its retention puts it by now, and rebuild what is still in the event log',
    )
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .option('--json', 'print one JSON object')
    .action((grid: string, { json }: JsonOption) =>
      runToExitStatus(() =>
        withOperations(readLocalSettings(), (operations) => runTakeBack(operations, grid, json === true)),
      ),
    );
  withExamples(takeBack, 'hindsight retention take-back demo');
}

/** Resolves to true when all projections of the Grid are rebuilt. */
async function runTakeBack(operations: Operations, grid: string, json: boolean): Promise<boolean> {
  const actor = localOperatorId();
  const gridId = await resolveGridId(createLocalAdministration(operations, actor), grid);
  const here = await operations.projections();
  const taken = await operations.takeBackMark(gridId, actor);
  if (!json) printResult(false, taken, formatTakenBack(taken));
  const rebuilt: RebuildOutcome[] = [];
  for (const name of taken.projections.filter((each) => here.includes(each)))
    rebuilt.push(await replayProjection(operations, name, json));
  const left = taken.projections.filter((each) => !here.includes(each));
  if (json) printResult(true, { ...taken, rebuilt }, '');
  for (const name of left) printNote(`another process owns ${name}: run hindsight replay ${name} there`);
  return left.length === 0;
}

function formatTakenBack({ gridId, from, to }: MarkTakenBack): string {
  return `${gridId}: expiry mark taken back from ${toIso(from)} to ${to === 0 ? 'none' : toIso(to)}`;
}

/** Prints the report; the exit status is 0 if the clock agrees. */
function runOnRetention(
  { json }: JsonOption,
  work: (operations: Operations) => Promise<RetentionReport>,
): Promise<void> {
  return runToExitStatus(() =>
    withOperations(readLocalSettings(), async (operations) => {
      const report = await work(operations);
      const names = new Map((await operations.allGrids()).map(({ gridId, name }) => [gridId, name]));
      printResult(json === true, report, formatReport(report, names));
      return report.clock.kind === 'agrees';
    }),
  );
}

function formatReport({ clock, grids }: RetentionReport, names: ReadonlyMap<string, string>): string {
  const table = formatTable(
    grids,
    [
      { title: 'grid', value: ({ gridId }) => gridId },
      { title: 'name', value: ({ gridId }) => names.get(gridId) },
      { title: 'retention', value: ({ retentionDays }) => formatDays(retentionDays) },
      {
        title: 'expired before',
        value: ({ expiredBefore }) => (expiredBefore === 0 ? undefined : toIso(expiredBefore)),
      },
      { title: 'oldest', value: ({ oldestMs }) => (oldestMs === undefined ? undefined : toIso(oldestMs)) },
    ],
    'no Grids',
  );
  return `${clock.advice ?? `the clock agrees; retention uses ${toIso(clock.trusted)}`}\n${table}`;
}

function formatDays(days: number | null): string {
  if (days === null) return 'default';
  return days === 0 ? 'unlimited' : `${days} days`;
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
