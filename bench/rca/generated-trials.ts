import type { DiagnosticsInput } from '../../src/diagnostics/diagnostics-input.js';
import { diagnose } from '../../src/diagnostics/root-cause/diagnose.js';
import { DEFAULT_WINDOW_LENGTHS, MINUTE_MS, resolveAnalysisWindows } from '../../src/diagnostics/time-windows.js';
import { ofMinutes, SETTINGS } from '../../test/unit/diagnostics/given-rollups.js';
import { naiveRollups } from '../../test/support/naive-rollups.js';
import { randomNumbers } from '../../test/support/random-numbers.js';
import type { FaultFreeTrial, FaultTrial } from './diagnosis-trials.js';
import { generateSystem, type GeneratedService, type GeneratedSystem } from './generated-system.js';
import { simulateTelemetry, type GeneratedFault } from './generated-telemetry.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';
import { toGauges } from './gauge-view.js';
import { toRequestMetrics } from './request-metrics-view.js';
import type { VariationTrials } from './variation-trials.js';
import { hashToUnit } from './varied-case.js';

/** Kinds of faults; `database`: the cause is the service's database, so that it must have one. */
const FAULTS: readonly (readonly [kind: string, fault: GeneratedFault, cause?: 'database' | 'instances'])[] = [
  ['slow work', { work: 6 }],
  ['slow network', { wireMs: 60 }],
  ['slow database', { database: 8 }, 'database'],
  ['failing database', { databaseErrors: 0.3 }, 'database'],
  ['early return', { returnsEarly: true }],
  ['exceptions', { throws: 0.3 }],
  ['busy processor', { work: 4, cpu: 0.95 }],
  ['bad deployment', { work: 5, version: '2' }],
  ['one slow instance', { work: 12, isOneInstance: true }, 'instances'],
  ['unanswered calls', { unanswered: 0.4 }],
];

/** What of a system's telemetry is sent. */
const VIEWS: readonly {
  readonly name: string;
  readonly select: (telemetry: RecordedTelemetry) => Partial<DiagnosticsInput>;
  /** Nothing in it names databases or instances. */
  readonly namesServicesOnly?: true;
}[] = [
  { name: 'everything', select: (telemetry) => ofMinutes(naiveRollups(telemetry)) },
  { name: 'one in ten spans only', select: (telemetry) => ofMinutes(naiveRollups(sampleSpans(telemetry))) },
  { name: 'logs only', select: ({ logs }) => ofMinutes(naiveRollups({ logs })) },
  { name: 'request metrics by the minute', select: ({ spans }) => toRequestMetrics(spans, 1) },
  {
    name: 'server metrics and CPU, no calls',
    select: ({ spans, points }) => ({
      metrics: ofMinutes(naiveRollups({ points })).metrics,
      ...toRequestMetrics(
        spans.filter(({ kind }) => kind === 'SERVER'),
        1,
      ),
    }),
    namesServicesOnly: true,
  },
  {
    name: 'gauges by the minute',
    select: ({ spans, points }) => ofMinutes(naiveRollups({ points: [...points, ...toGauges(spans)] })),
    namesServicesOnly: true,
  },
  { name: 'request metrics in 5-minute deltas', select: ({ spans }) => toRequestMetrics(spans, 5) },
];

const HISTORY_MINUTES = 60;
const MIN_QUIET_MINUTES = 5;
const FAULT_MINUTES = 8;

/** A multiple of five minutes. */
const START_MS = Date.UTC(2026, 0, 5, 8);

/** Faults of all kinds, one after the other, each in a system of its own, and the time before each. */
export function runGeneratedTrials(count: number, progress: (line: string) => void): VariationTrials {
  const results = VIEWS.map((view) => [view, { trials: [] as FaultTrial[], quiet: [] as FaultFreeTrial[] }] as const);
  for (let i = 0; i < count; i++) {
    const [kind, fault, needs] = FAULTS[i % FAULTS.length];
    const random = randomNumbers(7919 * (i + 1));
    const { system, service } = drawFaultySystem(needs, random);
    const injectMs = START_MS + Math.floor((HISTORY_MINUTES + MIN_QUIET_MINUTES + 5 * random()) * MINUTE_MS);
    const endMs = injectMs + FAULT_MINUTES * MINUTE_MS;
    const minutes = Math.ceil((endMs - START_MS) / MINUTE_MS);
    const telemetry = simulateTelemetry(system, START_MS, minutes, { service, fault, fromMs: injectMs }, random);
    const cause = needs === 'database' ? `db-${service}` : system.services[service].name;
    for (const [{ name, select, namesServicesOnly }, { trials, quiet }] of results) {
      if (needs !== undefined && namesServicesOnly === true) continue;
      const input: DiagnosticsInput = { ...ofMinutes([]), ...select(telemetry), settings: SETTINGS };
      const trial = diagnoseFault(`generated ${i + 1}`, kind, cause, input, injectMs, endMs);
      trials.push(trial);
      const quietMs = Math.floor(injectMs / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
      quiet.push({ system: 'generated', endMs: quietMs, diagnoses: diagnoseAt(input, { asOfMs: quietMs }, endMs) });
      const [first] = trial.unknown;
      progress(
        `${name.padEnd(36)}${kind.padEnd(18)}${cause.padEnd(10)} ${first?.serviceName} ${first?.kind} ${first?.confidence}`,
      );
    }
  }
  return new Map(results);
}

function diagnoseFault(
  id: string,
  faultType: string,
  service: string,
  input: DiagnosticsInput,
  injectMs: number,
  endMs: number,
): FaultTrial {
  const times = { injectMs, baseline: [], fault: [injectMs, endMs] as const };
  return {
    recorded: { id, system: 'generated', day: '', faultType, groundTruth: { service }, usable: true, ...times },
    given: diagnoseAt(input, { range: { fromMs: injectMs, toMs: endMs } }, endMs),
    unknown: diagnoseAt(input, { asOfMs: endMs }, endMs),
  };
}

function diagnoseAt(input: DiagnosticsInput, when: Parameters<typeof resolveAnalysisWindows>[0], endMs: number) {
  const windows = resolveAnalysisWindows(when, endMs + 60 * MINUTE_MS, DEFAULT_WINDOW_LENGTHS);
  const known = <T extends { readonly minute: number }>(buckets: readonly T[]) =>
    buckets.filter(({ minute }) => minute * MINUTE_MS < windows.current.toMs);
  return diagnose(
    {
      ...input,
      grids: known(input.grids),
      services: known(input.services),
      logs: known(input.logs),
      metrics: known(input.metrics),
    },
    windows,
  );
}

/** A system, and any of its services but the first, with a database or several instances where the fault needs them. */
function drawFaultySystem(
  needs: 'database' | 'instances' | undefined,
  random: () => number,
): { readonly system: GeneratedSystem; readonly service: number } {
  for (;;) {
    const system = generateSystem(random);
    const eligible = [...system.services.keys()].filter((index) => index > 0 && fits(system.services[index], needs));
    if (eligible.length > 0) return { system, service: eligible[Math.floor(eligible.length * random())] };
  }
}

function fits({ operations, instances }: GeneratedService, needs: 'database' | 'instances' | undefined): boolean {
  if (needs === 'instances') return instances > 1;
  return needs === undefined || operations.some(({ steps }) => steps.some(({ database }) => database !== undefined));
}

function sampleSpans({ spans }: RecordedTelemetry): Pick<RecordedTelemetry, 'spans'> {
  return { spans: spans.filter(({ traceId, spanId }) => hashToUnit(traceId + spanId) < 0.1) };
}
