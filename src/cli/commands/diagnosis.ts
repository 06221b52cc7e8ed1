import type { Command } from 'commander';
import { withExamples } from '../examples.js';
import { finish } from '../finish.js';
import { path } from '../remote/service-api.js';
import { withGrid, withGridOption, type GridOptions } from '../remote/with-grid.js';
import { print } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { table } from '../terminal/table.js';

interface Health {
  readonly overallStatus: 'healthy' | 'degraded';
  readonly timestamp: string;
  readonly services: readonly { readonly serviceName: string; readonly status: string; readonly errorRate: number; readonly apdex: number; readonly requestCount: number; readonly avgLatencyMs: number }[];
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

interface MomentOptions extends GridOptions {
  readonly asOf?: string;
}

export function addDiagnosis(program: Command): void {
  addHealth(program);
  const command = program.command('diagnosis').description('tell what is probably wrong in a Grid and what speaks for it, the likeliest cause first')
    .option('--as-of <time>', 'as it was then, ISO time')
    .action((options: MomentOptions) => finish(() => withGrid(options, async (api, gridId) => {
      const found = await api.get<{ diagnoses: Diagnosis[] }>(path`/apm/diagnostics/${gridId}/diagnosis` + moment(options));
      print(options.json === true, found, found.diagnoses.length === 0 ? 'nothing is wrong' : found.diagnoses.map(told).join('\n\n'));
      return true;
    })));
  withExamples(withGridOption(command), 'hindsight diagnosis', 'hindsight diagnosis --grid shop --as-of 2026-11-20T03:00:00Z');
}

function addHealth(program: Command): void {
  const command = program.command('health').description('tell how the services of a Grid are; exits 1 when one is degraded')
    .option('--as-of <time>', 'as it was then, ISO time')
    .action((options: MomentOptions) => finish(() => withGrid(options, async (api, gridId) => {
      const found = await api.get<Health>(path`/apm/diagnostics/${gridId}/health` + moment(options));
      print(options.json === true, found, `${found.overallStatus} at ${found.timestamp}\n\n${services(found)}`);
      return found.overallStatus === 'healthy';
    })));
  withExamples(withGridOption(command), 'hindsight health', 'hindsight health --grid shop --url https://hindsight.example --json');
}

function moment({ asOf }: MomentOptions): string {
  return asOf === undefined ? '' : path`?asOf=${asOf}`;
}

function services({ services: found }: Health): string {
  return table(found, [
    { title: 'service', of: ({ serviceName }) => serviceName },
    { title: 'status', of: ({ status }) => status },
    { title: 'requests', of: ({ requestCount }) => requestCount },
    { title: 'errors %', of: ({ errorRate }) => errorRate },
    { title: 'apdex', of: ({ apdex }) => apdex },
    { title: 'mean ms', of: ({ avgLatencyMs }) => avgLatencyMs },
  ], 'no service has sent anything in the last 24 hours');
}

function told({ cause, confidence, severity, affectedServices, evidence, firstDetected, impactedTraceCount, sampleTraceIds }: Diagnosis): string {
  const lines = [
    `${severity}, ${Math.round(confidence * 100)} %: ${cause}`,
    ...evidence.map((sentence) => `  ${sentence}`),
    `  since ${firstDetected}, ${impactedTraceCount} traces`,
    ...(affectedServices.length === 0 ? [] : [`  suffer: ${affectedServices.join(', ')}`]),
    ...(sampleTraceIds.length === 0 ? [] : [`  traces: ${sampleTraceIds.join(', ')}`]),
  ];
  return lines.map(shownText).join('\n');
}
