import type { Command } from 'commander';
import { createLocalAdministration, localOperatorId } from '../../operations/administration/local-administration.js';
import type {
  WatermarkTakenBack,
  Operations,
  RebuildOutcome,
  RetentionReport,
} from '../../operations/operations-port.js';
import { withExamples } from '../command-definition.js';
import { NEXT_STEP_PREFIX, readLocalSettings, runToExitStatus } from '../exit-status.js';
import { resolveGridId, GRID_ARGUMENT_HELP } from '../command-target.js';
import { withOperations } from '../local-operations.js';
import { replayProjection } from './read-model-commands.js';
import { formatTable, printNote, printResult } from '../terminal-output.js';

interface JsonOption {
  readonly json?: true;
}

interface TakeBackOptions extends JsonOption {
  readonly acceptLoss?: true;
}

interface FailedRebuild {
  readonly projection: string;
  readonly error: string;
}

export function addRetention(program: Command): void {
  const retention = program
    .command('retention')
    .description('show the clock and the retention watermark of each Grid; exits 1 if retention is on hold')
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
      'move the retention watermark of a Grid back to what its current retention requires, and rebuild the read models from the event log',
    )
    .argument('<grid>', GRID_ARGUMENT_HELP)
    .option('--accept-loss', 'proceed even if damaged events that the current read models contain are lost')
    .option('--json', 'print one JSON object')
    .action((grid: string, options: TakeBackOptions) =>
      runToExitStatus(() =>
        withOperations(readLocalSettings(), (operations) => runTakeBack(operations, grid, options)),
      ),
    );
  withExamples(takeBack, 'hindsight retention take-back demo');
}

/**
 * Rebuilds every projection of the Grid that this process owns, from the first event: an unfinished rebuild may be past
 * the watermark. One that cannot be rebuilt does not stop the others. Resolves to true when all are rebuilt.
 */
export async function runTakeBack(
  operations: Operations,
  grid: string,
  { json = false, acceptLoss = false }: { readonly json?: boolean; readonly acceptLoss?: boolean },
): Promise<boolean> {
  const actor = localOperatorId();
  const gridId = await resolveGridId(createLocalAdministration(operations, actor), grid);
  const here = await operations.projections();
  const taken = await operations.takeBackMark(gridId, actor);
  if (!json) printResult(false, taken, formatTakenBack(taken));
  const rebuilt: RebuildOutcome[] = [];
  const failed: FailedRebuild[] = [];
  for (const projection of taken.projections.filter((each) => here.includes(each)))
    try {
      rebuilt.push(await replayProjection(operations, projection, json, { acceptLoss, fresh: true }));
    } catch (error) {
      failed.push({ projection, error: error instanceof Error ? error.message : String(error) });
    }
  if (json) printResult(true, { ...taken, rebuilt, failed }, '');
  const left = taken.projections.filter((each) => !here.includes(each));
  for (const note of [...failed.map(formatFailedRebuild), ...left.map(formatRebuildElsewhere)]) printNote(note);
  return left.length === 0 && failed.length === 0;
}

/**
 * Telemetry older than the former watermark that is received meanwhile is in the log: a later rebuild finds it. An
 * error that names its own remedy, as one about damaged events does, needs no other: the same rebuild would fail again.
 */
function formatFailedRebuild({ projection, error }: FailedRebuild): string {
  const remedy = error.includes(NEXT_STEP_PREFIX) ? '' : `${NEXT_STEP_PREFIX}hindsight replay ${projection} --fresh`;
  return `${projection} was not rebuilt: until it is, it lacks the expired telemetry and stores none that is older than the former watermark: ${error}${remedy}`;
}

function formatRebuildElsewhere(projection: string): string {
  return `another process owns ${projection}: run hindsight replay ${projection} --fresh there`;
}

function formatTakenBack({ gridId, from, to }: WatermarkTakenBack): string {
  return `${gridId}: retention watermark moved back from ${toIso(from)} to ${to === 0 ? 'none' : toIso(to)}`;
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
