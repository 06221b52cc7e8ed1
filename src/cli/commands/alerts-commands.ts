import { type Command, InvalidArgumentError, Option } from 'commander';
import { setTimeout as pause } from 'node:timers/promises';
import { buildApiPath, type ServiceApiClient } from '../../operations/administration/service-api-client.js';
import { createMissingOptionError, withExamples } from '../command-definition.js';
import { addGridOption, resolveRecordId, withRemoteGrid, type GridOptions } from '../command-target.js';
import { runToExitStatus } from '../exit-status.js';
import { formatRecord, formatTable, printResult } from '../terminal-output.js';
import { parseDuration } from './search-commands.js';

interface Alert {
  readonly id: string;
  readonly ruleName: string;
  readonly severity: string;
  readonly serviceName: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly triggeredAt: string;
  readonly status: string;
  readonly acknowledgedBy?: string;
}

interface Silence {
  readonly id: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
  readonly reason: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly createdBy: string;
}

interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly target: string;
  readonly recipients: readonly string[];
}

interface Delivery {
  readonly key: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly statusCode?: number;
  readonly answer?: string;
  readonly error?: string;
}

/** Interval (ms) between two looks at a test message, and their number. */
const LOOK_INTERVAL_MS = 500;
const MAX_LOOKS = 40;

export function addNotificationCommands(program: Command): void {
  addAlerts(program);
  addSilences(program);
  addChannels(program);
}

function addAlerts(program: Command): void {
  const alerts = program.command('alerts').description('list firing alerts in a Grid, and acknowledge them');
  const list = alerts
    .command('list')
    .description('list firing alerts')
    .action((options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const { alerts: all } = await api.get<{ alerts: Alert[] }>(buildApiPath`/apm/diagnostics/${gridId}/alerts`);
          const firing = all.filter(({ status }) => status === 'firing');
          printResult(options.json === true, { alerts: firing }, formatAlerts(firing));
          return true;
        }),
      ),
    );
  withExamples(addGridOption(list), 'hindsight alerts list', 'hindsight alerts list --grid shop --json');
  const acknowledge = alerts
    .command('ack')
    .description('acknowledge an alert, which stops its reminders and its escalation')
    .argument('<alert>', 'id of the alert')
    .action((alertId: string, options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const path = buildApiPath`/apm/alerts/${gridId}/${alertId}/acknowledge`;
          const done = await api.send<{ acknowledgedBy: string; acknowledgedAt: string }>('POST', path);
          const { acknowledgedBy: by, acknowledgedAt: at } = done;
          printResult(options.json === true, done, formatRecord({ alert: alertId, 'acknowledged by': by, at }));
          return true;
        }),
      ),
    );
  withExamples(addGridOption(acknowledge), 'hindsight alerts ack 7f0c1d52-6f0e-8b6b-9a53-2a1f0f2f6a10');
}

function formatAlerts(alerts: readonly Alert[]): string {
  return formatTable(
    alerts,
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'severity', value: ({ severity }) => severity },
      { title: 'service', value: ({ serviceName }) => serviceName },
      { title: 'group', value: ({ labels }) => formatLabels(labels) },
      { title: 'rule', value: ({ ruleName }) => ruleName },
      { title: 'condition', value: ({ condition }) => condition },
      { title: 'fired', value: ({ triggeredAt }) => triggeredAt },
      { title: 'acknowledged by', value: ({ acknowledgedBy }) => acknowledgedBy },
    ],
    'no firing alerts',
  );
}

function formatLabels(labels: Alert['labels']): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

interface Condition {
  readonly label: string;
  readonly value: string;
}

interface SilenceOptions extends GridOptions {
  readonly service?: string;
  readonly rule?: string;
  readonly severity?: string;
  readonly label?: readonly Condition[];
  readonly reason: string;
  /** Milliseconds. */
  readonly for: number;
}

function addSilences(program: Command): void {
  const silences = program
    .command('silence')
    .description('keep alerts from being sent for some time, and manage such silences');
  const add = silences
    .command('add')
    .description('create a silence from now on; alerts that meet all of its conditions are not sent')
    .option('--service <name>', 'alerts of this service; * stands for any text')
    .option('--rule <name>', 'alerts of the rule with this name; * stands for any text')
    .option('--severity <severity>', 'alerts of this severity')
    .addOption(
      new Option(
        '--label <name=value...>',
        'alerts of this group of a rule on a query, such as customer.tier=gold; * stands for any text',
      ).argParser(collectLabels),
    )
    .requiredOption('--reason <text>', 'why, for everybody who looks at it')
    .addOption(
      new Option('--for <duration>', 'how long, such as 30m, 2h or 1d')
        .argParser(parseDuration)
        .default(parseDuration('1h'), '1h'),
    )
    .action((options: SilenceOptions) => runToExitStatus(() => createSilence(options)));
  withExamples(
    addGridOption(add),
    'hindsight silence add --service checkout --for 2h --reason "Upgrade of the database"',
    'hindsight silence add --rule "Slow tenants" --label tenant.id=acme --reason "Known"',
  );
  const list = silences
    .command('list')
    .description('list silences and maintenance windows, including those that are over')
    .action((options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const result = await api.get<{ silences: Silence[] }>(buildApiPath`/admin/grids/${gridId}/silences`);
          printResult(options.json === true, result, formatSilences(result.silences));
          return true;
        }),
      ),
    );
  withExamples(addGridOption(list), 'hindsight silence list');
  const end = silences
    .command('end')
    .description('delete a silence, which ends it at once; what still fires is sent')
    .argument('<silence>', 'id of the silence')
    .action((silenceId: string, options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          await api.send('DELETE', buildApiPath`/admin/grids/${gridId}/silences/${silenceId}`);
          printResult(options.json === true, { id: silenceId, ended: true }, `Ended silence ${silenceId}`);
          return true;
        }),
      ),
    );
  withExamples(addGridOption(end), 'hindsight silence end 7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10');
}

function collectLabels(text: string, previous: readonly Condition[] = []): Condition[] {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('Must be name=value.');
  return [...previous, { label: text.slice(0, at), value: text.slice(at + 1) }];
}

function createSilence(options: SilenceOptions): Promise<boolean> {
  const { service, rule, severity, label: labels = [], reason } = options;
  const matchers = [
    { label: 'service', value: service },
    { label: 'alertname', value: rule },
    { label: 'severity', value: severity },
    ...labels,
  ].flatMap(({ label, value }) => (value === undefined ? [] : [{ label, operator: '=', value }]));
  if (matchers.length === 0)
    throw createMissingOptionError('Say which alerts', '--service', '--rule', '--severity', '--label');
  return withRemoteGrid(options, async (api, gridId) => {
    const body = { matchers, reason, endsAt: new Date(Date.now() + options.for).toISOString() };
    const silence = await api.send<Silence>('POST', buildApiPath`/admin/grids/${gridId}/silences`, body);
    const { id, startsAt: starts, endsAt: ends } = silence;
    const record = { id, alerts: describeMatchers(silence), reason, starts, ends };
    printResult(options.json === true, silence, formatRecord(record));
    return true;
  });
}

function formatSilences(silences: readonly Silence[]): string {
  return formatTable(
    silences,
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'alerts', value: describeMatchers },
      { title: 'reason', value: ({ reason }) => reason },
      { title: 'starts', value: ({ startsAt }) => startsAt },
      { title: 'ends', value: ({ endsAt }) => endsAt },
      { title: 'by', value: ({ createdBy }) => createdBy },
    ],
    'no silences',
  );
}

function describeMatchers({ matchers }: Silence): string {
  return matchers.map(({ label, operator, value }) => `${label} ${operator} ${value}`).join(', ');
}

function addChannels(program: Command): void {
  const channels = program.command('channels').description('list notification channels, and test them');
  const list = channels
    .command('list')
    .description('list the notification channels of a Grid')
    .action((options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const found = await listChannels(api, gridId);
          printResult(options.json === true, { channels: found }, formatChannels(found));
          return true;
        }),
      ),
    );
  withExamples(addGridOption(list), 'hindsight channels list');
  const test = channels
    .command('test')
    .description('send a test message to a channel; exits 1 if the receiver does not accept it')
    .argument('<channel>', 'id or name of the channel')
    .action((channel: string, options: GridOptions) => runToExitStatus(() => testChannel(channel, options)));
  withExamples(addGridOption(test), 'hindsight channels test "On call"');
}

async function listChannels(api: ServiceApiClient, gridId: string): Promise<readonly Channel[]> {
  return (await api.get<{ channels: Channel[] }>(buildApiPath`/admin/grids/${gridId}/channels`)).channels;
}

function formatChannels(channels: readonly Channel[]): string {
  return formatTable(
    channels,
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'name', value: ({ name }) => name },
      { title: 'type', value: ({ type }) => type },
      { title: 'receiver', value: ({ target, recipients }) => (target === '' ? recipients.join(', ') : target) },
    ],
    'no channels\n  → create one in the portal: Notifications',
  );
}

/** Waits until the receiver has taken the message, or an attempt has failed. */
function testChannel(channel: string, options: GridOptions): Promise<boolean> {
  return withRemoteGrid(options, async (api, gridId) => {
    const id = resolveRecordId(await listChannels(api, gridId), channel, 'channels');
    const path = buildApiPath`/admin/grids/${gridId}/channels/${id}`;
    let delivery = await api.send<Delivery>('POST', `${path}/test`);
    for (let look = 0; look < MAX_LOOKS && isUndecided(delivery); look += 1) {
      await pause(LOOK_INTERVAL_MS);
      const { deliveries } = await api.get<{ deliveries: Delivery[] }>(`${path}/deliveries`);
      delivery = deliveries.find(({ key }) => key === delivery.key) ?? delivery;
    }
    const { key, state, attempts, statusCode: status, answer, error } = delivery;
    printResult(options.json === true, delivery, formatRecord({ key, state, attempts, status, answer, error }));
    return state === 'delivered';
  });
}

function isUndecided({ state, error }: Delivery): boolean {
  return state === 'pending' && error === undefined;
}
