import { type Command, Option } from 'commander';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { parseWholeNumber, withExamples } from '../command-definition.js';
import { addGridOption, withRemoteGrid, type GridOptions } from '../command-target.js';
import { runToExitStatus } from '../exit-status.js';
import { formatRecord, formatTable, printResult } from '../terminal-output.js';

interface Incident {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly severity: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly cause: { readonly confidence: number; readonly evidence: readonly string[] } | null;
  readonly affectedServices: readonly string[];
  readonly alertCount: number;
  readonly firingCount: number;
  readonly acknowledgedBy?: string;
  readonly commander?: string;
  readonly resolution?: string;
  readonly mergedInto?: string;
  readonly timeline: readonly { readonly at: string; readonly description: string; readonly by?: string }[];
  readonly timelineCount: number;
}

interface ListOptions extends GridOptions {
  readonly status?: string;
  readonly asOf?: string;
  readonly page: number;
}

const ID_EXAMPLE = '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10';
const PERCENT = 100;

export function addIncidents(program: Command): void {
  const incidents = program.command('incidents').description('list incidents of a Grid, and take care of them');
  addList(incidents);
  addShow(incidents);
  const acknowledge = defineAction(incidents, 'acknowledge', 'acknowledge an incident and its alerts');
  acknowledge
    .alias('ack')
    .action((id: string, options: GridOptions) => runAction(options, id, 'acknowledge', undefined, 'Acknowledged'));
  withExamples(acknowledge, `hindsight incidents acknowledge ${ID_EXAMPLE}`);
  const resolve = defineAction(incidents, 'resolve', 'resolve an incident, even if alerts are still firing');
  resolve
    .addOption(new Option('--note <text>', 'what resolved it').default('', 'none'))
    .action((id: string, { note, ...options }: GridOptions & { readonly note: string }) =>
      runAction(options, id, 'resolve', { note }, 'Resolved'),
    );
  withExamples(resolve, `hindsight incidents resolve ${ID_EXAMPLE} --note "Rolled back to 1.4.1"`);
  const note = defineAction(incidents, 'note', 'add a note to the timeline of an incident');
  note
    .argument('<text>', 'text of the note')
    .action((id: string, text: string, options: GridOptions) =>
      runAction(options, id, 'notes', { text }, 'Added a note to'),
    );
  withExamples(note, `hindsight incidents note ${ID_EXAMPLE} "Restarted the pods; no change"`);
}

function addList(incidents: Command): void {
  const list = incidents
    .command('list')
    .description('list incidents: unresolved first, then newest first, 20 per page')
    .option('--status <statuses>', 'only these: open, acknowledged, recovering, resolved, separated by commas')
    .option('--as-of <time>', 'incidents as they stood at this ISO time')
    .option('--page <number>', 'page, from 1', parseWholeNumber, 1)
    .action((options: ListOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const { status, asOf, page } = options;
          const query = buildQuery({ status, asOf, page: String(page) });
          const found = await api.get<{ incidents: Incident[]; totalCount: number }>(
            buildApiPath`/apm/incidents/${gridId}` + query,
          );
          printResult(options.json === true, found, formatIncidents(found.incidents));
          return true;
        }),
      ),
    );
  withExamples(
    addGridOption(list),
    'hindsight incidents list',
    'hindsight incidents list --grid shop --status open,acknowledged --json',
  );
}

function addShow(incidents: Command): void {
  const show = defineAction(incidents, 'show', 'show an incident with its cause, evidence and timeline');
  show
    .option('--as-of <time>', 'the incident as it stood at this ISO time')
    .action((id: string, options: GridOptions & { readonly asOf?: string }) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const path = buildApiPath`/apm/incidents/${gridId}/${id}` + buildQuery({ asOf: options.asOf });
          const incident = await api.get<Incident>(path);
          printResult(options.json === true, incident, formatIncident(incident));
          return true;
        }),
      ),
    );
  withExamples(show, `hindsight incidents show ${ID_EXAMPLE}`);
}

function defineAction(incidents: Command, name: string, description: string): Command {
  return addGridOption(incidents.command(name).description(description).argument('<incident>', 'id of the incident'));
}

function runAction(
  options: GridOptions,
  id: string,
  action: string,
  body: object | undefined,
  done: string,
): Promise<void> {
  return runToExitStatus(() =>
    withRemoteGrid(options, async (api, gridId) => {
      const receipt = await api.send<object>('POST', buildApiPath`/apm/incidents/${gridId}/${id}/${action}`, body);
      printResult(options.json === true, receipt, `${done} incident ${id}`);
      return true;
    }),
  );
}

function buildQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

export function formatIncidents(incidents: readonly Incident[]): string {
  return formatTable(
    incidents,
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'status', value: ({ status }) => status },
      { title: 'severity', value: ({ severity }) => severity },
      { title: 'incident', value: ({ title }) => title },
      { title: 'since', value: ({ startedAt }) => startedAt },
      { title: 'until', value: ({ endedAt }) => endedAt },
      { title: 'responsible', value: ({ commander, acknowledgedBy }) => commander ?? acknowledgedBy },
      { title: 'firing', value: ({ firingCount }) => firingCount },
    ],
    'no incidents',
  );
}

/** Facts, evidence, and the timeline, oldest first. */
export function formatIncident(incident: Incident): string {
  const { id, title, status, severity, startedAt: since, endedAt: until, cause, affectedServices } = incident;
  const { alertCount, firingCount, acknowledgedBy, commander, resolution, mergedInto } = incident;
  const facts = formatRecord({
    ...{ id, incident: title, status, severity, since, until },
    confidence: cause === null ? undefined : `${Math.round(cause.confidence * PERCENT)} %`,
    'affected services': affectedServices.join(', '),
    alerts: `${firingCount} of ${alertCount} fire`,
    'acknowledged by': acknowledgedBy,
    ...{ commander, resolution, 'part of': mergedInto },
  });
  const evidence = cause === null ? ['No cause is known.'] : cause.evidence;
  return [facts, formatSection('Evidence', evidence), formatSection('Timeline', formatTimeline(incident))].join('\n\n');
}

function formatTimeline({ timeline, timelineCount }: Incident): readonly string[] {
  const left = timelineCount - timeline.length;
  const entries = timeline.map(
    ({ at, description, by }) =>
      `${at}  ${oneLine(description)}${by === undefined || description.includes(by) ? '' : ` (${by})`}`,
  );
  return left > 0 ? [`${left} older entries are not shown`, ...entries] : entries;
}

/** Notes may have several lines: those below could look like other entries. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function formatSection(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${oneLine(line)}`)].join('\n');
}
