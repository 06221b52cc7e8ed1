import { Option, type Command } from 'commander';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { parseWholeNumber, withExamples } from '../command-definition.js';
import { addGridOption, withRemoteGrid, type GridOptions } from '../command-target.js';
import { runToExitStatus } from '../exit-status.js';
import { escapeTerminalControls, formatRecord, formatTable, printNote, printResult } from '../terminal-output.js';
import { createSinceOption } from './search-commands.js';

interface ErrorGroup {
  readonly groupId: string;
  readonly exceptionType: string;
  readonly messagePattern: string;
  readonly count: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Absent if unknown. */
  readonly isNew?: boolean;
  readonly firstVersion: string;
  readonly versions: readonly { readonly version: string; readonly count: number }[];
  readonly services: readonly { readonly serviceName: string; readonly count: number }[];
  /** Absent if unknown. */
  readonly status?: string;
  readonly resolvedAt?: string;
  readonly resolvedBy?: string;
  readonly resolvedInVersion?: string;
  readonly reopenedAt?: string;
}

interface ErrorGroupDetail extends ErrorGroup {
  readonly sampleTraceIds: readonly string[];
  readonly sample: { readonly message: string; readonly stackTrace: string };
}

interface ErrorOptions extends GridOptions {
  /** Milliseconds. */
  readonly since: number;
  readonly asOf?: string;
  readonly service?: string;
}

interface ListOptions extends ErrorOptions {
  readonly orderBy: string;
  readonly page: number;
  readonly status?: string;
}

const ORDERS = ['count', 'lastSeen'];
const STATUSES = ['open', 'resolved', 'reopened'];

export function addErrors(program: Command): void {
  const errors = program
    .command('errors')
    .description('show, resolve and reopen error groups: exceptions of the same type, message pattern and top frames');
  const list = addErrorOptions(errors.command('list'))
    .description('list groups of exceptions, 20 a page')
    .addOption(new Option('--order-by <order>', 'largest or latest first').choices(ORDERS).default('count'))
    .addOption(new Option('--status <status>', 'only groups of this status').choices(STATUSES))
    .option('--page <number>', 'page, from 1', parseWholeNumber, 1)
    .action(runList);
  withExamples(
    list,
    'hindsight errors list --since 6h',
    'hindsight errors list --service checkout --order-by lastSeen',
    'hindsight errors list --since 1d --status reopened',
  );
  const show = addErrorOptions(errors.command('show'))
    .description('show a group with its versions, sample traces and a stack trace')
    .argument('<group>', 'id of the group')
    .action(runShow);
  withExamples(show, 'hindsight errors show bcebdbf30788a659792c6a3491b73ded --since 1d');
  addResolve(errors);
  addReopen(errors);
}

function addResolve(errors: Command): void {
  const resolve = addGridOption(errors.command('resolve'))
    .description('resolve a group: its next exception reopens it')
    .argument('<group>', 'id of the group')
    .option(
      '--fixed-in <version>',
      'service.version that fixes it: only an exception of that version, or of one that has not reported it so far, reopens it',
    )
    .action((groupId: string, { fixedIn, ...options }: GridOptions & { readonly fixedIn?: string }) =>
      runChange(groupId, 'resolve', options, fixedIn === undefined ? {} : { serviceVersion: fixedIn }),
    );
  withExamples(
    resolve,
    'hindsight errors resolve bcebdbf30788a659792c6a3491b73ded',
    'hindsight errors resolve bcebdbf30788a659792c6a3491b73ded --fixed-in 2.4.1',
  );
}

function addReopen(errors: Command): void {
  const reopen = addGridOption(errors.command('reopen'))
    .description('reopen a group that was resolved')
    .argument('<group>', 'id of the group')
    .action((groupId: string, options: GridOptions) => runChange(groupId, 'reopen', options));
  withExamples(reopen, 'hindsight errors reopen bcebdbf30788a659792c6a3491b73ded');
}

function addErrorOptions(command: Command): Command {
  command
    .addOption(createSinceOption())
    .option('--as-of <time>', 'evaluate as of this ISO time: over the 15 minutes before it')
    .option('--service <name>', 'only exceptions of this service');
  return addGridOption(command);
}

function runList(options: ListOptions): Promise<void> {
  return runToExitStatus(() =>
    withRemoteGrid(options, async (api, gridId) => {
      const { orderBy, page, status } = options;
      const query = buildQuery(options, { orderBy, page: String(page), ...(status !== undefined && { status }) });
      const found = await api.get<{ errors: ErrorGroup[]; totalCount: number }>(
        buildApiPath`/apm/errors/${gridId}` + query,
      );
      printResult(options.json === true, found, formatErrors(found.errors));
      if (options.json !== true && found.totalCount > found.errors.length)
        printNote(`page ${page}, ${found.totalCount} groups in all`);
      return true;
    }),
  );
}

function runShow(groupId: string, options: ErrorOptions): Promise<void> {
  return runToExitStatus(() =>
    withRemoteGrid(options, async (api, gridId) => {
      const group = await api.get<ErrorGroupDetail>(
        buildApiPath`/apm/errors/${gridId}/${groupId}` + buildQuery(options),
      );
      printResult(options.json === true, group, formatErrorDetail(group));
      return true;
    }),
  );
}

function runChange(
  groupId: string,
  change: 'resolve' | 'reopen',
  options: GridOptions,
  body?: { readonly serviceVersion?: string },
): Promise<void> {
  return runToExitStatus(() =>
    withRemoteGrid(options, async (api, gridId) => {
      const path = buildApiPath`/apm/errors/${gridId}/${groupId}/${change}`;
      const changed = await api.send<{ readonly groupId: string }>('POST', path, body);
      printResult(options.json === true, changed, `error group ${groupId} ${CHANGED[change]}`);
      return true;
    }),
  );
}

const CHANGED = { resolve: 'resolved', reopen: 'reopened' } as const;

function buildQuery({ since, asOf, service }: ErrorOptions, more: Readonly<Record<string, string>> = {}): string {
  const nowMs = Date.now();
  const range = { rangeStart: new Date(nowMs - since).toISOString(), rangeEnd: new Date(nowMs).toISOString() };
  const time: Readonly<Record<string, string>> = asOf === undefined ? range : { asOf };
  return `?${new URLSearchParams({ ...time, ...(service !== undefined && { serviceName: service }), ...more }).toString()}`;
}

export function formatErrors(errors: readonly ErrorGroup[]): string {
  return formatTable(
    errors,
    [
      { title: 'id', value: ({ groupId }) => groupId },
      { title: 'type', value: ({ exceptionType }) => exceptionType },
      { title: 'message', value: ({ messagePattern }) => messagePattern },
      { title: 'count', value: ({ count }) => count },
      { title: 'last seen', value: ({ lastSeen }) => lastSeen },
      { title: 'status', value: ({ status }) => status ?? '?' },
      { title: 'new in', value: describeFirstVersion },
      { title: 'services', value: ({ services }) => services.map(({ serviceName }) => serviceName).join(', ') },
    ],
    'no exceptions',
  );
}

function formatResolution({ resolvedAt, resolvedBy, resolvedInVersion }: ErrorGroup): string | undefined {
  if (resolvedAt === undefined) return undefined;
  const by = resolvedBy === undefined ? '' : ` by ${resolvedBy}`;
  return `${resolvedAt}${by}${resolvedInVersion === undefined ? '' : `, fixed in ${resolvedInVersion}`}`;
}

/** The version that a new group came with. */
function describeFirstVersion({ isNew, firstVersion }: Pick<ErrorGroup, 'isNew' | 'firstVersion'>): string | undefined {
  if (isNew === undefined) return '?';
  return isNew ? firstVersion || 'unknown version' : undefined;
}

/** Facts, then a stack trace. */
export function formatErrorDetail(group: ErrorGroupDetail): string {
  const { groupId: id, exceptionType: type, messagePattern: message, count, sample } = group;
  const facts = formatRecord({
    ...{ id, type, message, count, status: group.status ?? '?' },
    resolved: formatResolution(group),
    'reopened at': group.reopenedAt,
    'first seen': group.firstSeen,
    'last seen': group.lastSeen,
    'new in': describeFirstVersion(group),
    versions: group.versions.map(({ version, count: each }) => `${version || 'unknown'} (${each})`).join(', '),
    services: group.services.map(({ serviceName, count: each }) => `${serviceName} (${each})`).join(', '),
    'sample traces': group.sampleTraceIds.join(', '),
    'sample message': sample.message,
  });
  const lines = sample.stackTrace.split(/\r?\n/).map((line) => `  ${escapeTerminalControls(line)}`);
  return sample.stackTrace === '' ? facts : [facts, ['Stack trace', ...lines].join('\n')].join('\n\n');
}
