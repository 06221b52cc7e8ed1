import { InvalidArgumentError, Option, type Command } from 'commander';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { parseWholeNumber, withExamples } from '../command-definition.js';
import { addGridOption, withRemoteGrid, type GridOptions } from '../command-target.js';
import { runToExitStatus } from '../exit-status.js';
import { formatTable, printNote, printResult } from '../terminal-output.js';
import { createSinceOption } from './search-commands.js';

interface QueryOptions extends GridOptions {
  readonly signal: string;
  /** Milliseconds. */
  readonly since: number;
  readonly asOf?: string;
  readonly groupBy?: readonly string[];
  readonly select?: readonly SelectedFunction[];
  readonly step?: number;
  readonly orderBy?: string;
  readonly limit?: number;
}

interface SelectedFunction {
  readonly fn: string;
  readonly field?: string;
}

type Cell = string | number | object | null;

interface Answer {
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly rows?: readonly (readonly Cell[])[];
  readonly totalRows?: number;
  readonly series?: readonly { readonly group: readonly Cell[]; readonly points: readonly (readonly Cell[])[] }[];
}

const SIGNALS = ['spans', 'logs', 'metrics'];

export function addQueryCommand(program: Command): void {
  const command = program
    .command('query')
    .description('filter, group and aggregate spans, logs or metrics')
    .argument('[where]', 'condition that records must meet, such as "service = checkout and duration > 250ms"')
    .addOption(new Option('--signal <signal>', 'kind of telemetry').choices(SIGNALS).default('spans'))
    .addOption(createSinceOption())
    .option('--as-of <time>', 'evaluate as of this ISO time: over the 15 minutes before it')
    .option('--group-by <fields...>', 'fields to group by')
    .addOption(
      new Option(
        '--select <functions...>',
        'functions such as count, errorRate or p99(duration); without any, the records are listed',
      ).argParser(collectFunctions),
    )
    .option('--step <seconds>', 'return a time series with steps of this length', parseWholeNumber)
    .option('--order-by <column>', 'column to sort by, largest first')
    .option('--limit <rows>', 'number of rows or series, at most 1000', parseWholeNumber)
    .action((where: string | undefined, options: QueryOptions) => runToExitStatus(() => runQuery(where, options)));
  withExamples(
    addGridOption(command),
    `hindsight query 'kind = server' --group-by customer.tier --select count 'p99(duration)'`,
    `hindsight query 'severity = Error timeout not upstream' --signal logs --group-by service --select count --step 60`,
    `hindsight query 'service = checkout' --order-by duration --limit 1 --json`,
  );
}

function runQuery(where: string | undefined, options: QueryOptions): Promise<boolean> {
  return withRemoteGrid(options, async (api, gridId) => {
    const { signal, groupBy, select, step, orderBy, limit } = options;
    const answer = await api.send<Answer>('POST', buildApiPath`/apm/query/${gridId}`, {
      signal,
      where,
      groupBy,
      select,
      stepSeconds: step,
      limit,
      ...(orderBy !== undefined && { orderBy: [{ by: orderBy, descending: true }] }),
      ...resolveTimes(options, Date.now()),
    });
    printResult(options.json === true, answer, formatAnswer(answer));
    if (options.json !== true && (answer.totalRows ?? 0) > (answer.rows?.length ?? 0))
      printNote(`the first ${answer.rows?.length} of ${answer.totalRows}`);
    return true;
  });
}

function resolveTimes({ asOf, since }: QueryOptions, nowMs: number): object {
  if (asOf !== undefined) return { asOf };
  return { rangeStart: new Date(nowMs - since).toISOString(), rangeEnd: new Date(nowMs).toISOString() };
}

function formatAnswer({ columns, rows, series }: Answer): string {
  const titles = columns.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`));
  const groups = series?.[0]?.group.length ?? 0;
  const all = series === undefined ? titles : [...titles.slice(0, groups), 'time', ...titles.slice(groups)];
  const lines = rows ?? (series ?? []).flatMap(({ group, points }) => points.map((point) => [...group, ...point]));
  return formatTable(
    lines,
    all.map((title, at) => ({ title, value: (line: readonly Cell[]) => formatCell(line[at]) })),
    'no results',
  );
}

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** `p99(duration)`, or a function without a field. */
function collectFunctions(text: string, previous: readonly SelectedFunction[] = []): SelectedFunction[] {
  const [, fn, field] = /^(\w+)(?:\((.+)\))?$/.exec(text) ?? [];
  if (fn === undefined) throw new InvalidArgumentError('It must be a function such as count or p99(duration).');
  return [...previous, field === undefined ? { fn } : { fn, field }];
}
