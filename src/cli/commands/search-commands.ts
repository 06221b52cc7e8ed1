import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseWholeNumber, withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { withRemoteGrid, addGridOption, type GridOptions } from '../command-target.js';
import { type Column, formatTable, printNote, printResult } from '../terminal-output.js';

interface SearchOptions extends GridOptions {
  /** Milliseconds. */
  readonly since: number;
  readonly service?: string;
  readonly pageSize: number;
}

interface SearchPage<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

interface LogItem {
  readonly timestamp: string;
  readonly severityLevel: string;
  readonly serviceName: string;
  readonly body: string;
  readonly traceId: string;
}

interface TraceItem {
  readonly startTime: string;
  readonly duration: number;
  readonly status: string;
  readonly serviceName: string;
  readonly operationName: string;
  readonly traceId: string;
}

const SEVERITY_LEVELS = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function addSearchCommands(program: Command): void {
  addLogs(program);
  addTraces(program);
}

function addLogs(program: Command): void {
  const command = program
    .command('logs')
    .description('search log entries, newest first')
    .argument('[words]', 'words that the text must contain; also prefix* and "a phrase"')
    .addOption(new Option('--level <level>', 'only this severity level').choices(SEVERITY_LEVELS))
    .action((words: string | undefined, { level, ...options }: SearchOptions & { level?: string }) =>
      runToExitStatus(() =>
        runSearch<LogItem>('logs', options, { body: words, severityLevel: level }, [
          { title: 'time', value: ({ timestamp }) => timestamp },
          { title: 'level', value: ({ severityLevel }) => severityLevel },
          { title: 'service', value: ({ serviceName }) => serviceName },
          { title: 'trace', value: ({ traceId }) => traceId },
          { title: 'text', value: ({ body }) => body },
        ]),
      ),
    );
  withExamples(
    addSearchOptions(command),
    'hindsight logs --level Error --since 15m',
    `hindsight logs '"card declined"' --service payment`,
  );
}

function addTraces(program: Command): void {
  const command = program
    .command('traces')
    .description('search traces, newest first')
    .option('--errors', 'only failed traces')
    .option('--slower-than <ms>', 'only traces with at least this duration', parseWholeNumber)
    .action(({ errors, slowerThan, ...options }: SearchOptions & { errors?: true; slowerThan?: number }) =>
      runToExitStatus(() =>
        runSearch<TraceItem>('traces', options, { status: errors && 'ERROR', minDuration: slowerThan }, [
          { title: 'start', value: ({ startTime }) => startTime },
          { title: 'ms', value: ({ duration }) => duration },
          { title: 'status', value: ({ status }) => status },
          { title: 'service', value: ({ serviceName }) => serviceName },
          { title: 'operation', value: ({ operationName }) => operationName },
          { title: 'trace', value: ({ traceId }) => traceId },
        ]),
      ),
    );
  withExamples(
    addSearchOptions(command),
    'hindsight traces --errors --since 15m',
    'hindsight traces --service checkout --slower-than 2000',
  );
}

/** The time range of a search, in milliseconds. */
export function createSinceOption(): Option {
  return new Option('--since <time>', 'time range up to now, such as 90s, 15m, 6h or 2d')
    .argParser(parseDuration)
    .default(UNITS_MS['h'], '1h');
}

function addSearchOptions(command: Command): Command {
  command
    .addOption(createSinceOption())
    .option('--service <name>', 'only this service')
    .option('--page-size <items>', 'number of results, at most 100', parseWholeNumber, 20);
  return addGridOption(command);
}

function runSearch<Item>(
  signal: 'logs' | 'traces',
  options: SearchOptions,
  conditions: object,
  columns: readonly Column<Item>[],
): Promise<boolean> {
  return withRemoteGrid(options, async (api, gridId) => {
    const nowMs = Date.now();
    const range = {
      rangeStart: new Date(nowMs - options.since).toISOString(),
      rangeEnd: new Date(nowMs).toISOString(),
    };
    const resultPage = await api.send<SearchPage<Item>>('POST', buildApiPath`/apm/${signal}/${gridId}`, {
      ...range,
      ...conditions,
      serviceName: options.service,
      pageSize: options.pageSize,
    });
    printResult(options.json === true, resultPage, formatTable(resultPage.items, columns, 'no results'));
    if (options.json !== true && resultPage.totalCount > resultPage.items.length)
      printNote(`the newest ${resultPage.items.length} of ${resultPage.totalCount}`);
    return true;
  });
}

export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('It must be a number and a unit, such as 15m.');
  return Number(number) * UNITS_MS[unit];
}
