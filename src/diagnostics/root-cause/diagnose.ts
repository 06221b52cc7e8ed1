import type { Severity } from '../answers.js';
import type { DiagnosticsInput } from '../input.js';
import { MINUTE_MS, type Frames } from '../timeframe.js';
import { confidencesOf } from './confidence.js';
import { affectedBy, isSerious } from './harm.js';
import { impactOn } from './impact.js';
import { inconclusive } from './inconclusive.js';
import { kindOf } from './kind.js';
import type { RankedCause } from './ranked-cause.js';
import { LEAST_STRENGTH, scanOf, type Suspect } from './scan.js';
import { seriesOf } from './build-series.js';
import type { Series } from './series.js';
import { causeOf, evidenceOf, operationOf } from './telling.js';
import { timelineOf } from './timeline.js';

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
export function diagnose(input: DiagnoseInput, frames: Frames): RankedCause[] {
  const timeline = timelineOf([input.grids, input.services, input.logs, input.metrics], frames);
  const series = seriesOf(input, timeline);
  if (timeline.windowStart === timeline.starts.length) return [];
  const scan = scanOf(series);
  const told = (suspects: readonly Suspect[], rest: number) => causesOf(suspects, rest, (suspect, confidence) => rankedCause(scan.sharpened(suspect), confidence, series, input, frames));
  const lasting = told(scan.lasting, 1);
  const over = told(scan.over, lasting.reduce((rest, { confidence }) => rest - confidence, 1));
  const causes = inOrder(lasting, over);
  if (lasting.some(isConclusive)) return causes;
  const explained = over.some(isConclusive) ? Math.max(...scan.over.map((suspect) => suspect.over ?? 0)) : 0;
  const admission = inconclusive(series, causes, input.settings, frames, Math.max(1, timeline.windowStart, explained));
  return admission === undefined ? causes : [admission, ...causes].slice(0, MOST_CAUSES);
}

/** What is wrong now comes first, then what was; what is hardly sure is no more urgent than that. */
function inOrder(lasting: readonly RankedCause[], over: readonly RankedCause[]): RankedCause[] {
  const others = [...over, ...lasting.filter((cause) => !isConclusive(cause))].sort((a, b) => b.confidence - a.confidence);
  return [...lasting.filter(isConclusive), ...others].slice(0, MOST_CAUSES);
}

function isConclusive({ confidence }: RankedCause): boolean {
  return confidence >= CONCLUSIVE_CONFIDENCE;
}

/** Suspects compete with each other for the rest of the confidence. */
function causesOf(suspects: readonly Suspect[], rest: number, told: (suspect: Suspect, confidence: number) => RankedCause): RankedCause[] {
  const confidences = confidencesOf(suspects.map(({ strength }) => strength));
  return suspects
    .map((suspect, i) => ({ suspect, confidence: Math.round(100 * rest * confidences[i]) / 100 }))
    .filter(({ suspect, confidence }) => suspect.strength >= LEAST_STRENGTH && confidence >= LEAST_CONFIDENCE)
    .slice(0, MOST_CAUSES)
    .map(({ suspect, confidence }) => told(suspect, confidence));
}

function rankedCause({ candidate, split, over }: Suspect, confidence: number, series: Series, input: DiagnoseInput, frames: Frames): RankedCause {
  const { culprit } = candidate;
  const own = series.services.find(({ service }) => service === culprit);
  const kind = kindOf(candidate, own === undefined);
  const affected = affectedBy(culprit, series, split);
  const harmed = own === undefined ? affected : [own, ...affected];
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const operation = operationOf(candidate);
  const entry = own?.operations.find((each) => each.entry && each.operation === operation)?.operation;
  const hit = own === undefined ? (affected[0]?.service ?? series.edges.find(({ target }) => target === culprit)?.source ?? culprit) : culprit;
  return {
    cause: causeOf(culprit, kind, own === undefined, operation),
    confidence,
    severity: over !== undefined ? 'info' : severityOf(confidence, harmed.some((service) => isSerious(service, split, input.settings))),
    affectedServices: affected.map(({ service }) => service),
    evidence: evidenceOf(candidate, firstDetected, over === undefined ? undefined : series.timeline.starts[over] * MINUTE_MS),
    firstDetected,
    serviceName: culprit,
    kind,
    impact: impactOn(hit, entry, input, frames, firstDetected),
  };
}

function severityOf(confidence: number, isSeriousHarm: boolean): Severity {
  if (confidence >= CRITICAL_CONFIDENCE && isSeriousHarm) return 'critical';
  return confidence >= WARNING_CONFIDENCE ? 'warning' : 'info';
}
