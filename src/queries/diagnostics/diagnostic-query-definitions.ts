import { hasFired } from '../../diagnostics/alerting/alert-clock.js';
import type { AlertRecord, DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';
import {
  type AnalysisWindows,
  DEFAULT_WINDOW_LENGTHS,
  HISTORY_WINDOW_LENGTHS,
  type TimeSelection,
  type TimeWindow,
  type WindowLengths,
} from '../../diagnostics/time-windows.js';
import { omitNamelessSources } from '../../diagnostics/requests/nameless-sources.js';
import type { Cause, Judged } from '../../diagnostics/services/recent-status.js';
import { diagnoseInSteps, type ImpactFilter, type RankedCause } from '../../diagnostics/root-cause/diagnose.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { SampleOrder } from './impacted-trace-accumulator.js';
import type { ImpactedTraceCount } from './impacted-trace-counter.js';
import type {
  Alert,
  Change,
  Diagnosis,
  Health,
  PressurePoint,
  ServiceMap,
  SlowEndpoint,
  TimelineEvent,
  Trends,
} from '../../diagnostics/diagnostic-results.js';
import { computeHealth, nameHealthCauses } from '../../diagnostics/services/service-health.js';
import { detectChanges } from '../../diagnostics/changes/change-detection.js';
import { findPressurePoints } from '../../diagnostics/pressure/pressure-detection.js';
import { buildServiceMap, nameMapCauses } from '../../diagnostics/services/service-map-builder.js';
import { rankSlowestEndpoints } from '../../diagnostics/services/slowest-endpoint-ranking.js';
import { buildTimeline } from '../../diagnostics/timeline-builder.js';
import { computeTrends } from '../../diagnostics/window-comparison.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';

/** Parts of the input that are read on demand; settings are always included. */
export type InputPart = Exclude<keyof DiagnosticsInput, 'settings'>;

/** Counts the traces affected by a cause, from span blocks. Passed to queries because rollups cannot answer it. */
export type CountImpactedTraces = (impact: ImpactFilter, order: SampleOrder) => Promise<ImpactedTraceCount>;

/** What a query runs with. */
export interface QueryContext {
  readonly timeSlice: TimeSlice;
  readonly countTraces: CountImpactedTraces;
}

/**
 * A diagnostic that depends only on a time or a window: which windows it compares, which input it needs, and how it
 * computes its result.
 */
export interface DiagnosticQuery<Result extends object> {
  readonly lengths: WindowLengths;
  /** Input needed for the current window, and whether it is also needed for the baseline window. */
  readonly parts: readonly InputPart[];
  readonly baseline: boolean;
  /** Reads the recent minutes of the window minute by minute, also in long windows. */
  readonly recentMinutes?: boolean;
  /** Adds what a diagnosis of the same time says; for results that depend on it. */
  nameCauses?(result: Result, causes: readonly Cause[]): Result;
  readonly compute: (
    input: DiagnosticsInput,
    windows: AnalysisWindows,
    context: QueryContext,
  ) => Result | Promise<Result>;
}

/** Type-checks that a query only accesses the parts that it declares; undeclared parts would be empty. */
export function defineQuery<Result extends object, P extends InputPart>(query: {
  readonly lengths: WindowLengths;
  readonly parts: readonly P[];
  readonly baseline: boolean;
  readonly recentMinutes?: boolean;
  nameCauses?(result: Result, causes: readonly Cause[]): Result;
  readonly compute: (
    input: Pick<DiagnosticsInput, P | 'settings'>,
    windows: AnalysisWindows,
    context: QueryContext,
  ) => Result | Promise<Result>;
}): DiagnosticQuery<Result> {
  return query;
}

const HEALTH_QUERY = defineQuery<Judged<Health>, 'grids' | 'catalogs' | 'alerts'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'catalogs', 'alerts'],
  baseline: false,
  recentMinutes: true,
  nameCauses: nameHealthCauses,
  compute: computeHealth,
});

/**
 * Alerts that fired before the given time and were not resolved by then, newest first. For a window: all alerts that
 * were open within it, with their status at its end.
 */
function listAlertsAt(
  records: readonly AlertRecord[],
  { nowMs }: AnalysisWindows,
  range?: TimeWindow,
): readonly Alert[] {
  const fired = records.filter((record) => hasFired(record, nowMs));
  const open = fired.filter(
    (record) => isAlertOpen(record, nowMs) || (range !== undefined && isAlertOpen(record, range.fromMs)),
  );
  return open.map((record) => toAlert(record, nowMs)).reverse();
}

export function buildAlertsQuery({ range }: TimeSelection) {
  return defineQuery<readonly Alert[], 'alerts'>({
    lengths: DEFAULT_WINDOW_LENGTHS,
    parts: ['alerts'],
    baseline: false,
    compute: ({ alerts }, windows) => listAlertsAt(alerts, windows, range),
  });
}

function isAlertOpen({ resolvedAt }: AlertRecord, atMs: number): boolean {
  return resolvedAt === undefined || resolvedAt > atMs;
}

function toAlert(record: AlertRecord, nowMs: number): Alert {
  const { id, ruleName, severity, serviceName, labels, condition, value, firedAt, acknowledgedBy, acknowledgedAt } =
    record;
  const status = isAlertOpen(record, nowMs) ? 'firing' : 'resolved';
  const isAcknowledged = acknowledgedAt !== undefined && acknowledgedAt <= nowMs;
  return {
    id,
    ruleName,
    severity,
    serviceName,
    ...(labels !== undefined && { labels }),
    condition,
    currentValue: value,
    triggeredAt: firedAt,
    status,
    ...(isAcknowledged && { acknowledgedBy, acknowledgedAt }),
  };
}

const CHANGES_QUERY = defineQuery<readonly Change[], 'grids' | 'services' | 'catalogs' | 'events'>({
  lengths: HISTORY_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'catalogs', 'events'],
  baseline: true,
  compute: detectChanges,
});

/** The causes of a diagnosis without the traces that they impact. */
export const CAUSES_QUERY = defineQuery<readonly RankedCause[], 'grids' | 'services' | 'logs' | 'metrics'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'logs', 'metrics'],
  baseline: true,
  compute: (input, windows, { timeSlice }) =>
    runInSlices(diagnoseInSteps(omitNamelessSources(input), windows), timeSlice),
});

const DIAGNOSIS_QUERY = defineQuery<readonly Diagnosis[], 'grids' | 'services' | 'logs' | 'metrics'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'logs', 'metrics'],
  baseline: true,
  async compute(input, windows, { timeSlice, countTraces }) {
    const diagnoses: Diagnosis[] = [];
    for (const cause of await runInSlices(diagnoseInSteps(omitNamelessSources(input), windows), timeSlice))
      diagnoses.push(await addImpactedTraces(cause, countTraces));
    return diagnoses;
  },
});

/** Lets other queries run between the steps of a computation. */
async function runInSlices<Result>(steps: Generator<void, Result>, timeSlice: TimeSlice): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await timeSlice.yieldIfDue();
  }
}

async function addImpactedTraces(
  { impact, ...cause }: RankedCause,
  countTraces: CountImpactedTraces,
): Promise<Diagnosis> {
  if (impact === undefined) return { ...cause, impactedTraceCount: 0, sampleTraceIds: [] };
  const { count, sampleTraceIds } = await countTraces(impact, cause.kind === 'errors' ? 'errors' : 'slow');
  return { ...cause, impactedTraceCount: count, sampleTraceIds };
}

const PRESSURE_QUERY = defineQuery<readonly PressurePoint[], 'metrics'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['metrics'],
  baseline: true,
  compute: findPressurePoints,
});
const SERVICE_MAP_QUERY = defineQuery<Judged<ServiceMap>, 'grids' | 'alerts'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'alerts'],
  baseline: false,
  recentMinutes: true,
  nameCauses: nameMapCauses,
  compute: buildServiceMap,
});

const SLOWEST_ENDPOINTS_QUERY = defineQuery<readonly SlowEndpoint[], 'services'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['services'],
  baseline: false,
  compute: rankSlowestEndpoints,
});

const TIMELINE_QUERY = defineQuery<
  readonly TimelineEvent[],
  'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs' | 'events'
>({
  lengths: HISTORY_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'catalogs', 'alerts', 'seriesOverflowMs', 'events'],
  baseline: true,
  compute: buildTimeline,
});

const TRENDS_QUERY = defineQuery<Trends, 'grids'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids'],
  baseline: true,
  compute: computeTrends,
});

/** Queries whose results are kept up to date as live documents. */
export const LIVE_QUERIES = {
  health: HEALTH_QUERY,
  alerts: buildAlertsQuery({}),
  diagnosis: DIAGNOSIS_QUERY,
  pressure: PRESSURE_QUERY,
  trends: TRENDS_QUERY,
  services: SERVICE_MAP_QUERY,
  timeline: TIMELINE_QUERY,
  'slowest-endpoints': SLOWEST_ENDPOINTS_QUERY,
  changes: CHANGES_QUERY,
} satisfies Record<LiveTopic, DiagnosticQuery<object>>;
