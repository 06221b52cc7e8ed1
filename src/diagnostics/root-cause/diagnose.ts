import type { Severity } from '../diagnostic-results.js';
import type { DiagnosticsInput, DiagnosticsSettings } from '../diagnostics-input.js';
import { type AnalysisWindows, MINUTE_MS } from '../time-windows.js';
import { buildImpactFilter, computeConfidences, type RankedCause } from './ranked-cause.js';
import {
  findAffectedServices,
  isSeriouslyImpacted,
  measureServiceImpact,
  type ServiceImpact,
} from './service-impact.js';
import { classifyCause, describeCause, describeEvidence, findStrongestOperation } from './cause-description.js';
import { MIN_STRENGTH, type RankedCandidate, searchOnsets } from './onset-search.js';
import { buildTelemetrySeries } from './series-builder.js';
import { buildSeriesTimeline, type ServiceSeries, type TelemetrySeries } from './telemetry-series.js';
import type { Split } from './robust-statistics.js';
import { formatClock, formatFigure, formatMilliseconds, formatPercent } from './evidence-formatting.js';

const MOST_CAUSES = 5;
const LEAST_CONFIDENCE = 0.03;
/** From here on a cause is worth waking somebody, and worth a look. */
const CRITICAL_CONFIDENCE = 0.8;
const WARNING_CONFIDENCE = 0.2;
/** Below this no cause stands out. */
const CONCLUSIVE_CONFIDENCE = 0.2;

type DiagnoseInput = Pick<DiagnosticsInput, 'settings' | 'grids' | 'services' | 'logs' | 'metrics'>;

/**
 * What is wrong in the window, and why: causes, the likeliest first, empty where nothing is wrong. The window is compared
 * with its baseline and, as the onset may lie anywhere in it, with its own stretches before the onset.
 */
export function diagnose(input: DiagnoseInput, frames: AnalysisWindows): RankedCause[] {
  const timeline = buildSeriesTimeline([input.grids, input.services, input.logs, input.metrics], frames);
  const series = buildTelemetrySeries(input, timeline);
  if (timeline.windowStart === timeline.starts.length) return [];
  const scan = searchOnsets(series);
  const told = (suspects: readonly RankedCandidate[], rest: number) =>
    rankCauses(suspects, rest, (suspect, confidence) =>
      buildRankedCause(scan.refineOnset(suspect), confidence, series, input, frames),
    );
  const lasting = told(scan.lasting, 1);
  const over = told(
    scan.over,
    lasting.reduce((rest, { confidence }) => rest - confidence, 1),
  );
  const causes = orderCauses(lasting, over);
  if (lasting.some(isConclusive)) return causes;
  const explained = over.some(isConclusive) ? Math.max(...scan.over.map((suspect) => suspect.over ?? 0)) : 0;
  const admission = buildInconclusiveCause(
    series,
    causes,
    input.settings,
    frames,
    Math.max(1, timeline.windowStart, explained),
  );
  return admission === undefined ? causes : [admission, ...causes].slice(0, MOST_CAUSES);
}

/** What is wrong now comes first, then what was; what is hardly sure is no more urgent than that. */
function orderCauses(lasting: readonly RankedCause[], over: readonly RankedCause[]): RankedCause[] {
  const others = [...over, ...lasting.filter((cause) => !isConclusive(cause))].sort(
    (a, b) => b.confidence - a.confidence,
  );
  return [...lasting.filter(isConclusive), ...others].slice(0, MOST_CAUSES);
}

function isConclusive({ confidence }: RankedCause): boolean {
  return confidence >= CONCLUSIVE_CONFIDENCE;
}

/** Suspects compete with each other for the rest of the confidence. */
function rankCauses(
  suspects: readonly RankedCandidate[],
  rest: number,
  told: (suspect: RankedCandidate, confidence: number) => RankedCause,
): RankedCause[] {
  const confidences = computeConfidences(suspects.map(({ strength }) => strength));
  return suspects
    .map((suspect, i) => ({ suspect, confidence: Math.round(100 * rest * confidences[i]) / 100 }))
    .filter(({ suspect, confidence }) => suspect.strength >= MIN_STRENGTH && confidence >= LEAST_CONFIDENCE)
    .slice(0, MOST_CAUSES)
    .map(({ suspect, confidence }) => told(suspect, confidence));
}

function buildRankedCause(
  { candidate, split, over }: RankedCandidate,
  confidence: number,
  series: TelemetrySeries,
  input: DiagnoseInput,
  frames: AnalysisWindows,
): RankedCause {
  const { culprit } = candidate;
  const own = series.services.find(({ service }) => service === culprit);
  const kind = classifyCause(candidate, own === undefined);
  const affected = findAffectedServices(culprit, series, split);
  const harmed = own === undefined ? affected : [own, ...affected];
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const operation = findStrongestOperation(candidate);
  const entry = own?.operations.find((each) => each.entry && each.operation === operation)?.operation;
  const hit =
    own === undefined
      ? (affected[0]?.service ?? series.edges.find(({ target }) => target === culprit)?.source ?? culprit)
      : culprit;
  return {
    cause: describeCause(culprit, kind, own === undefined, operation),
    confidence,
    severity:
      over !== undefined
        ? 'info'
        : classifySeverity(
            confidence,
            harmed.some((service) => isSeriouslyImpacted(service, split, input.settings)),
          ),
    affectedServices: affected.map(({ service }) => service),
    evidence: describeEvidence(
      candidate,
      firstDetected,
      over === undefined ? undefined : series.timeline.starts[over] * MINUTE_MS,
    ),
    firstDetected,
    serviceName: culprit,
    kind,
    impact: buildImpactFilter(hit, entry, input, frames, firstDetected),
  };
}

function classifySeverity(confidence: number, isSeriousHarm: boolean): Severity {
  if (confidence >= CRITICAL_CONFIDENCE && isSeriousHarm) return 'critical';
  return confidence >= WARNING_CONFIDENCE ? 'warning' : 'info';
}

interface ImpactedService {
  readonly service: ServiceSeries;
  readonly split: Split;
  readonly harm: ServiceImpact;
}

/**
 * What to say where requests plainly fail or take far longer, and no cause stands out: that it is so, and what could not
 * be ruled out. Undefined where nothing is plainly wrong. What began before the stretch `from` is not looked for.
 */
function buildInconclusiveCause(
  series: TelemetrySeries,
  causes: readonly RankedCause[],
  settings: DiagnosticsSettings,
  frames: AnalysisWindows,
  from: number,
): RankedCause | undefined {
  const worst = findWorstService(series, settings, from);
  if (worst === undefined) return undefined;
  const { service, split } = worst;
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const rest = causes.reduce((left, { confidence }) => left - confidence, 1);
  return {
    cause: 'Something is wrong, but nothing stands out as its cause',
    confidence: Math.max(0, Math.round(100 * rest) / 100),
    severity: 'warning',
    affectedServices: [service.service],
    evidence: [
      `${describeImpact(worst)}, since ${formatClock(firstDetected)}.`,
      ...causes.map((each) => `Not ruled out: ${each.serviceName} (${each.kind}, confidence ${each.confidence}).`),
    ],
    firstDetected,
    serviceName: null,
    kind: 'inconclusive',
    impact: { service: service.service, slowerThanNs: 2 * worst.harm.meanBeforeNs, window: frames.current },
  };
}

/** Of the services that requests come to from outside, the one that suffers most, from the stretch on where it does. */
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
      const harm = measureServiceImpact(service, split);
      if (harm.score > (worst?.harm.score ?? 0) && isSeriouslyImpacted(service, split, settings))
        worst = { service, split, harm };
    }
  }
  return worst;
}

function describeImpact({
  service: { service },
  harm: { addedErrors, meanBeforeNs, meanAfterNs, requests },
}: ImpactedService): string {
  const errors = `${formatPercent(addedErrors)} more of the requests to ${service} fail`;
  const time = `Requests to ${service} take ${formatMilliseconds(meanAfterNs)} instead of ${formatMilliseconds(meanBeforeNs)}`;
  return `${meanAfterNs > 2 * meanBeforeNs ? time : errors} (${formatFigure(requests)} requests)`;
}
