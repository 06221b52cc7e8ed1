import type { AlertRecord, DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';
import {
  type AnalysisWindows,
  DEFAULT_WINDOW_LENGTHS,
  HISTORY_WINDOW_LENGTHS,
  type TimeSelection,
  type TimeWindow,
  type WindowLengths,
} from '../../diagnostics/time-windows.js';
import type { ImpactFilter, RankedCause } from '../../diagnostics/root-cause/ranked-cause.js';
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
import { computeHealth } from '../../diagnostics/services/service-health.js';
import { detectChanges } from '../../diagnostics/changes/change-detection.js';
import { diagnose } from '../../diagnostics/root-cause/diagnose.js';
import { findPressurePoints } from '../../diagnostics/pressure/pressure-detection.js';
import { buildServiceMap } from '../../diagnostics/services/service-map-builder.js';
import { rankSlowestEndpoints } from '../../diagnostics/services/slowest-endpoint-ranking.js';
import { buildTimeline } from '../../diagnostics/timeline-builder.js';
import { computeTrends } from '../../diagnostics/window-comparison.js';
import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';

/** Parts of the input that have to be read; settings are always there. */
export type InputPart = Exclude<keyof DiagnosticsInput, 'settings'>;

/** What answers may ask for beside the input: which traces a cause did harm to is for the blocks to say. */
export type CountImpactedTraces = (impact: ImpactFilter, telling: SampleOrder) => Promise<ImpactedTraceCount>;

/** A diagnostic that takes nothing but a moment or a window: which windows it compares, what it looks at, and how it answers. */
export interface DiagnosticQuery<Answer extends object> {
  readonly lengths: WindowLengths;
  /** What it looks at of the window itself, and whether it looks at the time before as well. */
  readonly parts: readonly InputPart[];
  readonly baseline: boolean;
  readonly answer: (
    input: DiagnosticsInput,
    frames: AnalysisWindows,
    traces: CountImpactedTraces,
  ) => Answer | Promise<Answer>;
}

/** Lets the compiler see to it that an answer looks at no part that its question does not name: that would be empty. */
export function defineQuery<Answer extends object, P extends InputPart>(of: {
  readonly lengths: WindowLengths;
  readonly parts: readonly P[];
  readonly baseline: boolean;
  readonly answer: (
    input: Pick<DiagnosticsInput, P | 'settings'>,
    frames: AnalysisWindows,
    traces: CountImpactedTraces,
  ) => Answer | Promise<Answer>;
}): DiagnosticQuery<Answer> {
  return of;
}

const HEALTH_QUERY = defineQuery<Health, 'grids' | 'catalogs'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'catalogs'],
  baseline: false,
  answer: computeHealth,
});

/**
 * Alerts that had fired by the moment and were not resolved by then, the newest first; of a window all that were open in
 * it, firing or resolved as they stood at its end.
 */
function listAlertsAt(
  records: readonly AlertRecord[],
  { nowMs }: AnalysisWindows,
  range?: TimeWindow,
): readonly Alert[] {
  const fired = records.filter(({ firedAt }) => firedAt <= nowMs);
  const shown = fired.filter(
    (record) => isAlertOpen(record, nowMs) || (range !== undefined && isAlertOpen(record, range.fromMs)),
  );
  return shown.map((record) => toAlert(record, nowMs)).reverse();
}

export function buildAlertsQuery({ range }: TimeSelection) {
  return defineQuery<readonly Alert[], 'alerts'>({
    lengths: DEFAULT_WINDOW_LENGTHS,
    parts: ['alerts'],
    baseline: false,
    answer: ({ alerts }, frames) => listAlertsAt(alerts, frames, range),
  });
}

function isAlertOpen({ resolvedAt }: AlertRecord, atMs: number): boolean {
  return resolvedAt === undefined || resolvedAt > atMs;
}

function toAlert(record: AlertRecord, nowMs: number): Alert {
  const { id, ruleName, severity, serviceName, condition, value, firedAt } = record;
  const status = isAlertOpen(record, nowMs) ? 'firing' : 'resolved';
  return { id, ruleName, severity, serviceName, condition, currentValue: value, triggeredAt: firedAt, status };
}

const CHANGES_QUERY = defineQuery<readonly Change[], 'grids' | 'services' | 'catalogs'>({
  lengths: HISTORY_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'catalogs'],
  baseline: true,
  answer: detectChanges,
});

const DIAGNOSIS_QUERY = defineQuery<readonly Diagnosis[], 'grids' | 'services' | 'logs' | 'metrics'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'logs', 'metrics'],
  baseline: true,
  async answer(input, frames, traces) {
    const diagnoses: Diagnosis[] = [];
    for (const cause of diagnose(input, frames)) diagnoses.push(await addImpactedTraces(cause, traces));
    return diagnoses;
  },
});

async function addImpactedTraces({ impact, ...cause }: RankedCause, traces: CountImpactedTraces): Promise<Diagnosis> {
  if (impact === undefined) return { ...cause, impactedTraceCount: 0, sampleTraceIds: [] };
  const { count, sampleTraceIds } = await traces(impact, cause.kind === 'errors' ? 'errors' : 'slow');
  return { ...cause, impactedTraceCount: count, sampleTraceIds };
}

const PRESSURE_QUERY = defineQuery<readonly PressurePoint[], 'metrics'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['metrics'],
  baseline: true,
  answer: findPressurePoints,
});
const SERVICE_MAP_QUERY = defineQuery<ServiceMap, 'grids'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids'],
  baseline: false,
  answer: buildServiceMap,
});

const SLOWEST_ENDPOINTS_QUERY = defineQuery<readonly SlowEndpoint[], 'services'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['services'],
  baseline: false,
  answer: rankSlowestEndpoints,
});

const TIMELINE_QUERY = defineQuery<
  readonly TimelineEvent[],
  'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs'
>({
  lengths: HISTORY_WINDOW_LENGTHS,
  parts: ['grids', 'services', 'catalogs', 'alerts', 'seriesOverflowMs'],
  baseline: true,
  answer: buildTimeline,
});

const TRENDS_QUERY = defineQuery<Trends, 'grids'>({
  lengths: DEFAULT_WINDOW_LENGTHS,
  parts: ['grids'],
  baseline: true,
  answer: computeTrends,
});

/** The questions whose answers are kept current. */
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
