import type { Command } from 'commander';
import { buildApiPath, type ServiceApiClient } from '../../operations/administration/service-api-client.js';
import { withExamples } from '../command-definition.js';
import { addGridOption, resolveRecordId, withRemoteGrid, type GridOptions } from '../command-target.js';
import { runToExitStatus } from '../exit-status.js';
import { formatTable, printResult } from '../terminal-output.js';

interface Assessment {
  readonly name: string;
  readonly status: string;
  readonly objective: number;
  readonly windowDays: number;
  readonly sli: number | null;
  readonly errorBudget: { readonly remainingPercent: number };
  readonly burnRates: Readonly<Record<string, number>>;
}

interface ReportOptions extends GridOptions {
  readonly month?: string;
  readonly zone: string;
}

interface Report {
  readonly markdown: string;
}

function addReport(slos: Command): void {
  const report = slos
    .command('report')
    .description('print a report on an objective in one month as Markdown')
    .argument('<objective>', 'id or name of the objective')
    .option('--month <month>', 'the month, such as 2026-11; default: the current one')
    .option('--zone <zone>', 'time zone of the month and its days', 'UTC')
    .action((objective: string, options: ReportOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const sloId = await findObjective(api, gridId, objective);
          const { month = new Date().toISOString().slice(0, 7), zone } = options;
          const query = new URLSearchParams({ month, zone });
          const path = buildApiPath`/apm/slos/${gridId}/${sloId}/report`;
          const found = await api.get<Report>(`${path}?${query.toString()}`);
          printResult(options.json === true, found, found.markdown);
          return true;
        }),
      ),
    );
  withExamples(
    addGridOption(report),
    "hindsight slos report 'Checkout is available' --month 2026-11",
    "hindsight slos report 'Checkout is available' --zone Europe/Berlin > report.md",
  );
}

async function findObjective(api: ServiceApiClient, gridId: string, wanted: string): Promise<string> {
  type Known = { readonly slos: readonly { readonly id: string; readonly name: string }[] };
  const { slos } = await api.get<Known>(buildApiPath`/admin/grids/${gridId}/slos`);
  return resolveRecordId(slos, wanted, 'objectives');
}

interface Assessments {
  readonly slos: readonly Assessment[];
  readonly uncounted: readonly { readonly name: string; readonly failure: { readonly message: string } }[];
}

export function addSlos(program: Command): void {
  const slos = program.command('slos').description('show whether the objectives of a Grid are met');
  const list = slos
    .command('list')
    .description('list objectives with their error budgets and burn rates')
    .action((options: GridOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const result = await api.get<Assessments>(buildApiPath`/apm/slos/${gridId}`);
          printResult(options.json === true, result, formatAssessments(result));
          return result.uncounted.length === 0;
        }),
      ),
    );
  addReport(slos);
  withExamples(addGridOption(list), 'hindsight slos list', 'hindsight slos list --grid shop --json');
}

function formatAssessments({ slos, uncounted }: Assessments): string {
  const failures = uncounted.map(({ name, failure }) => `not counted: ${name}: ${failure.message}`);
  return [...(slos.length === 0 && failures.length > 0 ? [] : [formatSlos(slos)]), ...failures].join('\n');
}

function formatSlos(slos: readonly Assessment[]): string {
  return formatTable(
    slos,
    [
      { title: 'name', value: ({ name }) => name },
      { title: 'status', value: ({ status }) => status },
      { title: 'objective', value: ({ objective, windowDays }) => `${objective} % / ${windowDays} d` },
      { title: 'good', value: ({ sli }) => (sli === null ? undefined : `${sli} %`) },
      { title: 'budget left', value: ({ errorBudget }) => `${errorBudget.remainingPercent} %` },
      { title: 'burn 1h', value: ({ burnRates }) => String(burnRates['1h']) },
      { title: 'burn 3d', value: ({ burnRates }) => String(burnRates['3d']) },
    ],
    'the Grid has no objectives',
  );
}
