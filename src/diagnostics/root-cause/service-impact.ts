import type { DiagnosticsSettings } from '../diagnostics-input.js';
import type { TelemetrySeries, ServiceSeries } from './telemetry-series.js';
import { estimateMeanShift, scoreRateChange, sumRange, type Split } from './robust-statistics.js';

/** What the requests of one service suffer since the onset. */
export interface ServiceImpact {
  /** Requests since the onset, and the stretches that have any. */
  readonly requests: number;
  readonly stretches: number;
  /** Share of requests, more than before. */
  readonly addedErrors: number;
  readonly meanBeforeNs: number;
  readonly meanAfterNs: number;
  /** The greater of the standard scores of both. */
  readonly score: number;
}

export function measureServiceImpact(service: ServiceSeries, split: Split): ServiceImpact {
  const shift = estimateMeanShift(service.durationNs, service.requests, split);
  const errors = scoreRateChange(service.errors, service.requests, split);
  return {
    requests: sumRange(service.requests, split.at, split.to),
    stretches: service.requests.slice(split.at, split.to).filter((count) => count > 0).length,
    addedErrors: Math.max(0, (errors?.after ?? 0) - (errors?.before ?? 0)),
    meanBeforeNs: shift?.before ?? 0,
    meanAfterNs: shift?.after ?? 0,
    score: Math.max(0, errors?.score ?? 0, shift === undefined ? 0 : (shift.after - shift.before) / shift.error),
  };
}

/** A standard score from which a service counts as affected. */
const LEAST_SCORE = 2.5;

/** Who calls the culprit, directly or through others, and suffers: the hardest hit first. */
export function findAffectedServices(
  culprit: string,
  { services, edges }: TelemetrySeries,
  split: Split,
): ServiceSeries[] {
  const callers = new Set<string>();
  const open = [culprit];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { source, target } of edges) {
      if (target !== next || source === culprit || callers.has(source)) continue;
      callers.add(source);
      open.push(source);
    }
  }
  return services
    .filter(({ service }) => callers.has(service))
    .map((service) => ({ service, score: measureServiceImpact(service, split).score }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score)
    .map(({ service }) => service);
}

/** Enough to go by: requests, and stretches in which they came. */
const FEWEST_REQUESTS = 20;
const FEWEST_STRETCHES = 2;
/** Latency is a serious matter where it doubled and the added time is a fifth of the Apdex threshold. */
const SERIOUS_RATIO = 2;
const SERIOUS_SHARE_OF_THRESHOLD = 0.2;

/** Do requests fail beyond what the Grid holds for healthy, or take twice their time, for more than a moment and to the end? */
export function isSeriouslyImpacted(service: ServiceSeries, split: Split, settings: DiagnosticsSettings): boolean {
  const harm = measureServiceImpact(service, split);
  return (
    harm.requests >= FEWEST_REQUESTS &&
    harm.stretches >= FEWEST_STRETCHES &&
    isHighImpact(harm, settings) &&
    isHighImpact(measureServiceImpact(service, toSecondHalf(service, split)), settings)
  );
}

/** What came before, and the last half of the stretches with requests. */
function toSecondHalf({ requests }: ServiceSeries, { past, at, to }: Split): Split {
  const busy = [...requests.keys()].filter((i) => i >= at && i < to && requests[i] > 0);
  return { past, at: busy[Math.floor(busy.length / 2)] ?? at, to };
}

function isHighImpact(
  { addedErrors, meanBeforeNs, meanAfterNs }: ServiceImpact,
  { errorRateThreshold, apdexThresholdMs }: DiagnosticsSettings,
): boolean {
  const isSlow =
    meanAfterNs >= SERIOUS_RATIO * meanBeforeNs &&
    meanAfterNs - meanBeforeNs >= SERIOUS_SHARE_OF_THRESHOLD * apdexThresholdMs * 1e6;
  return addedErrors * 100 >= errorRateThreshold || isSlow;
}
