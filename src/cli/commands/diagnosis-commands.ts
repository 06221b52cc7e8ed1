import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { withRemoteGrid, addGridOption, type GridOptions } from '../command-target.js';
import { escapeTerminalControls, formatTable, printResult } from '../terminal-output.js';

type RecentStatus = 'healthy' | 'degraded' | 'recovering' | 'unknown';

interface Health {
  readonly overallStatus: 'healthy' | 'degraded' | 'unknown';
  readonly recentStatus: RecentStatus;
  readonly timestamp: string;
  readonly services: readonly {
    readonly serviceName: string;
    readonly status: string;
    readonly recentStatus: RecentStatus;
    readonly causeOf?: { readonly severity: string; readonly confidence: number };
    readonly errorRate: number;
    readonly apdex: number;
    readonly requestCount: number;
    readonly avgLatencyMs: number;
  }[];
}

interface Diagnosis {
  readonly cause: string;
  readonly confidence: number;
  readonly severity: string;
  readonly affectedServices: readonly string[];
  readonly evidence: readonly string[];
  readonly firstDetected: string;
  readonly impactedTraceCount: number;
  readonly sampleTraceIds: readonly string[];
}

interface AsOfOptions extends GridOptions {
  readonly asOf?: string;
}

export function addDiagnosisCommands(program: Command): void {
  addHealth(program);
  const command = program
    .command('diagnosis')
    .description('show the probable causes of current problems in a Grid with their evidence, likeliest first')
    .option('--as-of <time>', 'state at this ISO time instead of now')
    .action((options: AsOfOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const result = await api.get<{ diagnoses: Diagnosis[] }>(
            buildApiPath`/apm/diagnostics/${gridId}/diagnosis` + buildAsOfQuery(options),
          );
          printResult(
            options.json === true,
            result,
            result.diagnoses.length === 0 ? 'no problems found' : result.diagnoses.map(formatDiagnosis).join('\n\n'),
          );
          return true;
        }),
      ),
    );
  withExamples(
    addGridOption(command),
    'hindsight diagnosis',
    'hindsight diagnosis --grid shop --as-of 2026-11-20T03:00:00Z',
  );
}

function addHealth(program: Command): void {
  const command = program
    .command('health')
    .description(
      'show the health of the services in a Grid, now and over the last 15 minutes; exits 1 if one is degraded or none has a status',
    )
    .option('--as-of <time>', 'state at this ISO time instead of now')
    .action((options: AsOfOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const health = await api.get<Health>(
            buildApiPath`/apm/diagnostics/${gridId}/health` + buildAsOfQuery(options),
          );
          printResult(
            options.json === true,
            health,
            `${health.recentStatus} at ${health.timestamp}; over the whole window: ${health.overallStatus}\n\n${formatServices(health)}`,
          );
          return health.overallStatus === 'healthy' && health.recentStatus !== 'degraded';
        }),
      ),
    );
  withExamples(
    addGridOption(command),
    'hindsight health',
    'hindsight health --grid shop --url https://hindsight.example --json',
  );
}

function buildAsOfQuery({ asOf }: AsOfOptions): string {
  return asOf === undefined ? '' : buildApiPath`?asOf=${asOf}`;
}

function formatServices({ services }: Health): string {
  return formatTable(
    services,
    [
      { title: 'service', value: ({ serviceName }) => serviceName },
      { title: 'now', value: ({ recentStatus }) => recentStatus },
      { title: '15 min', value: ({ status }) => status },
      { title: 'cause', value: ({ causeOf }) => formatCause(causeOf) },
      { title: 'requests', value: ({ requestCount }) => requestCount },
      { title: 'errors %', value: ({ errorRate }) => errorRate },
      { title: 'apdex', value: ({ apdex }) => apdex },
      { title: 'avg ms', value: ({ avgLatencyMs }) => avgLatencyMs },
    ],
    'no service has received requests in the last 24 hours, so there is no status',
  );
}

/** Whether a diagnosis names the service as its cause. */
function formatCause(causeOf: Health['services'][number]['causeOf']): string {
  return causeOf === undefined ? '' : `${causeOf.severity}, ${Math.round(causeOf.confidence * 100)} %`;
}

function formatDiagnosis({
  cause,
  confidence,
  severity,
  affectedServices,
  evidence,
  firstDetected,
  impactedTraceCount,
  sampleTraceIds,
}: Diagnosis): string {
  const lines = [
    `${severity}, ${Math.round(confidence * 100)} %: ${cause}`,
    ...evidence.map((sentence) => `  ${sentence}`),
    `  since ${firstDetected}, ${impactedTraceCount} affected traces`,
    ...(affectedServices.length === 0 ? [] : [`  affected services: ${affectedServices.join(', ')}`]),
    ...(sampleTraceIds.length === 0 ? [] : [`  sample traces: ${sampleTraceIds.join(', ')}`]),
  ];
  return lines.map(escapeTerminalControls).join('\n');
}
