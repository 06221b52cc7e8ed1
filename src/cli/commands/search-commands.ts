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
    .argument('[words]', 'all of them must be in the text; prefix*, "a phrase"')
    .addOption(new Option('--level <level>', 'exactly this one').choices(SEVERITY_LEVELS))
    .action((words: string | undefined, { level, ...options }: SearchOptions & { level?: string }) =>
      runToExitStatus(() =>
        runSearch<LogItem>('logs', options, { body: words, severityLevel: level }, [
          { title: 'time', of: ({ timestamp }) => timestamp },
          { title: 'level', of: ({ severityLevel }) => severityLevel },
          { title: 'service', of: ({ serviceName }) => serviceName },
          { title: 'trace', of: ({ traceId }) => traceId },
          { title: 'text', of: ({ body }) => body },
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
    .option('--errors', 'only those that failed')
    .option('--slower-than <ms>', 'only those that took as long or longer', parseWholeNumber)
    .action(({ errors, slowerThan, ...options }: SearchOptions & { errors?: true; slowerThan?: number }) =>
      runToExitStatus(() =>
        runSearch<TraceItem>('traces', options, { status: errors && 'ERROR', minDuration: slowerThan }, [
          { title: 'start', of: ({ startTime }) => startTime },
          { title: 'ms', of: ({ duration }) => duration },
          { title: 'status', of: ({ status }) => status },
          { title: 'service', of: ({ serviceName }) => serviceName },
          { title: 'operation', of: ({ operationName }) => operationName },
          { title: 'trace', of: ({ traceId }) => traceId },
        ]),
      ),
    );
  withExamples(
    addSearchOptions(command),
    'hindsight traces --errors --since 15m',
    'hindsight traces --service checkout --slower-than 2000',
  );
}

function addSearchOptions(command: Command): Command {
  command
    .addOption(
      new Option('--since <time>', 'how far back, such as 90s, 15m, 6h or 2d')
        .argParser(parseDuration)
        .default(UNITS_MS['h'], '1h'),
    )
    .option('--service <name>', 'only of this service')
    .option('--page-size <items>', 'at most so many, up to 100', parseWholeNumber, 20);
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
    const found = await api.send<SearchPage<Item>>('POST', buildApiPath`/apm/${signal}/${gridId}`, {
      ...range,
      ...conditions,
      serviceName: options.service,
      pageSize: options.pageSize,
    });
    printResult(options.json === true, found, formatTable(found.items, columns, 'nothing found'));
    if (options.json !== true && found.totalCount > found.items.length)
      printNote(`the newest ${found.items.length} of ${found.totalCount}`);
    return true;
  });
}

function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('It must be a number and a unit, such as 15m.');
  return Number(number) * UNITS_MS[unit];
}
