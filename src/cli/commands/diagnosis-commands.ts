import type { Command } from 'commander';
import { withExamples } from '../command-definition.js';
import { runToExitStatus } from '../exit-status.js';
import { buildApiPath } from '../../operations/administration/service-api-client.js';
import { withRemoteGrid, addGridOption, type GridOptions } from '../command-target.js';
import { escapeTerminalControls, formatTable, printResult } from '../terminal-output.js';

interface Health {
  readonly overallStatus: 'healthy' | 'degraded';
  readonly timestamp: string;
  readonly services: readonly {
    readonly serviceName: string;
    readonly status: string;
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
    .description('tell what is probably wrong in a Grid and what speaks for it, the likeliest cause first')
    .option('--as-of <time>', 'as it was then, ISO time')
    .action((options: AsOfOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const found = await api.get<{ diagnoses: Diagnosis[] }>(
            buildApiPath`/apm/diagnostics/${gridId}/diagnosis` + buildAsOfQuery(options),
          );
          printResult(
            options.json === true,
            found,
            found.diagnoses.length === 0 ? 'nothing is wrong' : found.diagnoses.map(formatDiagnosis).join('\n\n'),
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
    .description('tell how the services of a Grid are; exits 1 when one is degraded')
    .option('--as-of <time>', 'as it was then, ISO time')
    .action((options: AsOfOptions) =>
      runToExitStatus(() =>
        withRemoteGrid(options, async (api, gridId) => {
          const found = await api.get<Health>(
            buildApiPath`/apm/diagnostics/${gridId}/health` + buildAsOfQuery(options),
          );
          printResult(
            options.json === true,
            found,
            `${found.overallStatus} at ${found.timestamp}\n\n${formatServices(found)}`,
          );
          return found.overallStatus === 'healthy';
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

function formatServices({ services: found }: Health): string {
  return formatTable(
    found,
    [
      { title: 'service', of: ({ serviceName }) => serviceName },
      { title: 'status', of: ({ status }) => status },
      { title: 'requests', of: ({ requestCount }) => requestCount },
      { title: 'errors %', of: ({ errorRate }) => errorRate },
      { title: 'apdex', of: ({ apdex }) => apdex },
      { title: 'mean ms', of: ({ avgLatencyMs }) => avgLatencyMs },
    ],
    'no service has sent anything in the last 24 hours',
  );
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
    `  since ${firstDetected}, ${impactedTraceCount} traces`,
    ...(affectedServices.length === 0 ? [] : [`  suffer: ${affectedServices.join(', ')}`]),
    ...(sampleTraceIds.length === 0 ? [] : [`  traces: ${sampleTraceIds.join(', ')}`]),
  ];
  return lines.map(escapeTerminalControls).join('\n');
}
