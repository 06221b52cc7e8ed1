import type { Diagnosis, Severity } from '../diagnostic-results.js';
import type { DiagnosticsInput, DiagnosticsSettings } from '../diagnostics-input.js';
import { type AnalysisWindows, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import {
  findAffectedServices,
  isSeriouslyImpacted,
  measureServiceImpact,
  type ServiceImpact,
} from './service-impact.js';
import { classifyCause, describeCause, describeEvidence, findStrongestOperation } from './cause-description.js';
import { MIN_STRENGTH, type RankedCandidate, searchOnsets } from './onset-search.js';
import { completeSampledSpans } from './sampled-spans.js';
import { joinCoarseSteps } from './coarse-steps.js';
import { buildTelemetrySeries } from './series-builder.js';
import { buildSeriesTimeline, type ServiceSeries, type TelemetrySeries } from './telemetry-series.js';
import type { Split } from './robust-statistics.js';
import { formatClock, formatFigure, formatMilliseconds, formatPercent } from './evidence-formatting.js';
import { Sketch } from '../rollups/sketch.js';

const MAX_CAUSES = 5;

const MIN_CONFIDENCE = 0.03;

/** Minimum confidence of critical severity, where requests suffer seriously. */
const CRITICAL_CONFIDENCE = 0.8;

/** Minimum confidence of a warning: rather more likely right than wrong. */
const WARNING_CONFIDENCE = 0.6;

/** Below this confidence no cause stands out. */
const CONCLUSIVE_CONFIDENCE = 0.3;

type DiagnoseInput = Pick<DiagnosticsInput, 'settings' | 'grids' | 'services' | 'logs' | 'metrics'>;

/**
 * Finds what is wrong in the window and why: causes by confidence descending, empty if nothing is wrong. The window is
 * compared with its baseline and, as the onset may lie anywhere in it, with the part before the onset.
 */
export function diagnose(input: DiagnoseInput, windows: AnalysisWindows): RankedCause[] {
  const steps = diagnoseInSteps(input, windows);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The same as a computation that yields after each step, so that others can use the thread meanwhile: a window of a week
 * takes seconds.
 */
export function* diagnoseInSteps(input: DiagnoseInput, windows: AnalysisWindows): Generator<void, RankedCause[]> {
  const timeline = joinCoarseSteps(
    buildSeriesTimeline([input.grids, input.services, input.logs, input.metrics], windows),
    input.services,
  );
  const series = completeSampledSpans(buildTelemetrySeries(input, timeline));
  if (timeline.windowStart === timeline.starts.length) return [];
  yield;
  const search = yield* searchOnsets(series);
  const toCauses = (candidates: readonly RankedCandidate[], remaining: number) =>
    rankCauses(candidates, remaining, (candidate, confidence) =>
      buildRankedCause(search.refineOnset(candidate), confidence, series, input, windows),
    );
  const lasting = yield* toCauses(search.lasting, 1);
  const recovered = yield* toCauses(
    search.recovered,
    lasting.reduce((remaining, { confidence }) => remaining - confidence, 1),
  );
  const causes = orderCauses(lasting, recovered);
  if (lasting.some(isConclusive)) return causes;
  const recoveredIndex = recovered.some(isConclusive)
    ? Math.max(...search.recovered.map((candidate) => candidate.recoveredAt ?? 0))
    : 0;
  const inconclusive = buildInconclusiveCause(
    series,
    causes,
    input.settings,
    windows,
    Math.max(1, timeline.windowStart, recoveredIndex),
  );
  return inconclusive === undefined ? causes : [inconclusive, ...causes].slice(0, MAX_CAUSES);
}

/** Conclusive current causes first, then recovered and inconclusive ones by confidence. */
function orderCauses(lasting: readonly RankedCause[], recovered: readonly RankedCause[]): RankedCause[] {
  const others = [...recovered, ...lasting.filter((cause) => !isConclusive(cause))].sort(
    (a, b) => b.confidence - a.confidence,
  );
  return [...lasting.filter(isConclusive), ...others].slice(0, MAX_CAUSES);
}

function isConclusive({ confidence }: RankedCause): boolean {
  return confidence >= CONCLUSIVE_CONFIDENCE;
}

/** The candidates compete for the remaining confidence. */
function* rankCauses(
  candidates: readonly RankedCandidate[],
  remaining: number,
  buildCause: (candidate: RankedCandidate, confidence: number) => RankedCause,
): Generator<void, RankedCause[]> {
  const confidences = computeConfidences(candidates.map(({ strength }) => strength));
  const causes: RankedCause[] = [];
  for (const { candidate, confidence } of candidates
    .map((each, i) => ({ candidate: each, confidence: Math.round(100 * remaining * confidences[i]) / 100 }))
    .filter((each) => each.candidate.strength >= MIN_STRENGTH && each.confidence >= MIN_CONFIDENCE)
    .slice(0, MAX_CAUSES)) {
    causes.push(buildCause(candidate, confidence));
    yield;
  }
  return causes;
}

function buildRankedCause(
  { candidate, split, recoveredAt }: RankedCandidate,
  confidence: number,
  series: TelemetrySeries,
  input: DiagnoseInput,
  windows: AnalysisWindows,
): RankedCause {
  const { serviceName } = candidate;
  const own = series.services.find(({ service }) => service === serviceName);
  const kind = classifyCause(candidate, own === undefined);
  const affected = findAffectedServices(serviceName, series, split);
  const impacted = own === undefined ? affected : [own, ...affected];
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const operation = findStrongestOperation(candidate);
  const recoveredMs = recoveredAt === undefined ? undefined : series.timeline.starts[recoveredAt] * MINUTE_MS;
  const entry = own?.operations.find((each) => each.entry && each.operation === operation)?.operation;
  const impactedService =
    own === undefined
      ? (affected[0]?.service ?? series.edges.find(({ target }) => target === serviceName)?.source ?? serviceName)
      : serviceName;
  return {
    cause: describeCause(serviceName, kind, own === undefined, operation),
    confidence,
    severity:
      recoveredAt !== undefined
        ? 'info'
        : classifySeverity(
            confidence,
            impacted.some((service) => isSeriouslyImpacted(service, split, input.settings)),
          ),
    affectedServices: affected.map(({ service }) => service),
    evidence: describeEvidence(candidate, firstDetected, recoveredMs),
    firstDetected,
    ...(recoveredMs !== undefined && { recoveredAt: recoveredMs }),
    serviceName,
    kind,
    impact: buildImpactFilter(impactedService, entry, input, windows, firstDetected),
  };
}

function classifySeverity(confidence: number, isSeriousImpact: boolean): Severity {
  if (confidence >= CRITICAL_CONFIDENCE && isSeriousImpact) return 'critical';
  return confidence >= WARNING_CONFIDENCE ? 'warning' : 'info';
}

interface ImpactedService {
  readonly service: ServiceSeries;
  readonly split: Split;
  readonly impact: ServiceImpact;
}

/**
 * Result if requests evidently fail or are much slower but no cause stands out: the impact, and the causes that could
 * not be ruled out. Undefined if there is no evident impact. Onsets before index `from` are not considered.
 */
function buildInconclusiveCause(
  series: TelemetrySeries,
  causes: readonly RankedCause[],
  settings: DiagnosticsSettings,
  windows: AnalysisWindows,
  from: number,
): RankedCause | undefined {
  const worst = findWorstService(series, settings, from);
  if (worst === undefined) return undefined;
  const { service, split } = worst;
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const remaining = causes.reduce((rest, { confidence }) => rest - confidence, 1);
  return {
    cause: describeCause('', 'inconclusive', false, undefined),
    confidence: Math.max(0, Math.round(100 * remaining) / 100),
    severity: 'warning',
    affectedServices: [service.service],
    evidence: [
      `${describeImpact(worst)}, since ${formatClock(firstDetected)}.`,
      ...causes.map((each) => `Not ruled out: ${each.serviceName} (${each.kind}, confidence ${each.confidence}).`),
    ],
    firstDetected,
    serviceName: null,
    kind: 'inconclusive',
    impact: { service: service.service, slowerThanNs: 2 * worst.impact.meanBeforeNs, window: windows.current },
  };
}

/** The most impacted service of those that receive external requests, with the onset of its impact. */
function findWorstService(
  { services, edges, timeline }: TelemetrySeries,
  settings: DiagnosticsSettings,
  from: number,
): ImpactedService | undefined {
  const called = new Set(edges.filter(({ virtual }) => !virtual).map(({ target }) => target));
  let worst: ImpactedService | undefined;
  for (const service of services) {
    if (called.has(service.service)) continue;
    for (let at = from; at < timeline.starts.length; at++) {
      const split = { past: at, at, to: timeline.starts.length };
      const impact = measureServiceImpact(service, split);
      if (impact.score > (worst?.impact.score ?? 0) && isSeriouslyImpacted(service, split, settings))
        worst = { service, split, impact };
    }
  }
  return worst;
}

function describeImpact({
  service: { service },
  impact: { addedErrors, meanBeforeNs, meanAfterNs, requests },
}: ImpactedService): string {
  const errors = `${formatPercent(addedErrors)} more of the requests to ${service} fail`;
  const time = `Requests to ${service} take ${formatMilliseconds(meanAfterNs)} instead of ${formatMilliseconds(meanBeforeNs)}`;
  return `${meanAfterNs > 2 * meanBeforeNs ? time : errors} (${formatFigure(requests)} requests)`;
}

/**
 * Selects the traces impacted by a cause: those with an entry span of this service, and of this operation if the cause
 * is limited to one, that ended in the window with status ERROR or took longer than `slowerThanNs`.
 */
export interface ImpactFilter {
  readonly service: string;
  readonly operation?: string;
  /**
   * p95 of the same spans in the baseline, or if there are none, in the window before the onset; Infinity without any
   * reference, so that only errors count. For `inconclusive` twice the previous mean.
   */
  readonly slowerThanNs: number;
  readonly window: TimeWindow;
}

/** A diagnosis without the fields that require reading blocks: the number of impacted traces, and samples. */
export interface RankedCause extends Omit<Diagnosis, 'impactedTraceCount' | 'sampleTraceIds'> {
  /** Absent for `inconclusive` without a service: no traces are counted then. */
  readonly impact?: ImpactFilter;
}

/**
 * Builds the filter for a cause. The threshold is the p95 of the entry spans in the baseline, or if there are none, in
 * the window before the onset.
 */
function buildImpactFilter(
  service: string,
  operation: string | undefined,
  { services }: Pick<DiagnosticsInput, 'services'>,
  windows: AnalysisWindows,
  onsetMs: number,
): ImpactFilter {
  const p95 = (fromMs: number, toMs: number): number | undefined => {
    const latency = new Sketch();
    for (const { minute, value } of services) {
      if (value.service !== service || minute * MINUTE_MS < fromMs || minute * MINUTE_MS >= toMs) continue;
      for (const each of value.operations)
        if (each.entry && (operation === undefined || each.operation === operation)) latency.merge(each.latency);
    }
    return latency.count === 0 ? undefined : latency.percentile(95);
  };
  const slowerThanNs =
    p95(windows.baseline.fromMs, windows.baseline.toMs) ?? p95(windows.current.fromMs, onsetMs) ?? Infinity;
  return { service, operation, slowerThanNs, window: windows.current };
}

/**
 * Strength at which the best candidate has a probability of one half, and steepness of the curve; fitted to recorded
 * faults and fault-free minutes, see docs/diagnosis.md.
 */
const EVEN_STRENGTH = 4;

const STEEPNESS = 2.5;

/** Probability of each candidate being the cause: candidates compete with each other and with "none of these". */
export function computeConfidences(strengths: readonly number[]): number[] {
  const weights = strengths.map((strength) => strength ** STEEPNESS);
  const sum = weights.reduce((total, weight) => total + weight, EVEN_STRENGTH ** STEEPNESS);
  return weights.map((weight) => Math.round((100 * weight) / sum) / 100);
}
