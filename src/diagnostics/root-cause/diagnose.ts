import type { Severity } from '../answers.js';
import type { DiagnosticsInput } from '../input.js';
import { MINUTE_MS, type Frames } from '../timeframe.js';
import { confidencesOf } from './confidence.js';
import { affectedBy, isSerious } from './harm.js';
import { impactOn } from './impact.js';
import { inconclusive } from './inconclusive.js';
import { kindOf } from './kind.js';
import type { RankedCause } from './ranked-cause.js';
import { scanOf, type Suspect } from './scan.js';
import { seriesOf } from './build-series.js';
import type { Series } from './series.js';
import { causeOf, evidenceOf, operationOf } from './telling.js';
import { timelineOf } from './timeline.js';

/** Evidence weaker than this is what any quiet hour shows. */
const LEAST_STRENGTH = 2.5;
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
  const causes = causesIn(series, input, frames);
  if (causes.length > 0 && causes[0].confidence >= CONCLUSIVE_CONFIDENCE) return causes;
  const admission = inconclusive(series, causes, input.settings, frames);
  return admission === undefined ? causes : [admission, ...causes].slice(0, MOST_CAUSES);
}

function causesIn(series: Series, input: DiagnoseInput, frames: Frames): RankedCause[] {
  const { suspects, sharpened } = scanOf(series);
  const confidences = confidencesOf(suspects.map(({ strength }) => strength));
  return suspects
    .map((suspect, i) => ({ suspect, confidence: confidences[i] }))
    .filter(({ suspect, confidence }) => suspect.strength >= LEAST_STRENGTH && confidence >= LEAST_CONFIDENCE)
    .slice(0, MOST_CAUSES)
    .map(({ suspect, confidence }) => rankedCause(sharpened(suspect), confidence, series, input, frames));
}

function rankedCause({ candidate, split }: Suspect, confidence: number, series: Series, input: DiagnoseInput, frames: Frames): RankedCause {
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
    severity: severityOf(confidence, harmed.some((service) => isSerious(service, split, input.settings))),
    affectedServices: affected.map(({ service }) => service),
    evidence: evidenceOf(candidate, firstDetected),
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
