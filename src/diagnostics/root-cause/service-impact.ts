import type { DiagnosticsSettings } from '../diagnostics-input.js';
import type { TelemetrySeries, ServiceSeries } from './telemetry-series.js';
import { estimateMeanShift, scoreRateChange, sumRange, type Split } from './robust-statistics.js';

/** Impact on the requests of one service since the onset. */
export interface ServiceImpact {
  /** Requests since the onset, and the number of buckets with requests. */
  readonly requests: number;
  readonly bucketsWithRequests: number;
  /** Increase of the share of requests that fail. */
  readonly addedErrors: number;
  readonly meanBeforeNs: number;
  readonly meanAfterNs: number;
  /** The greater of the standard scores of errors and latency. */
  readonly score: number;
}

export function measureServiceImpact(service: ServiceSeries, split: Split): ServiceImpact {
  const shift = estimateMeanShift(service.durationNs, service.requests, split);
  const errors = scoreRateChange(service.errors, service.requests, split);
  return {
    requests: sumRange(service.requests, split.at, split.to),
    bucketsWithRequests: service.requests.slice(split.at, split.to).filter((count) => count > 0).length,
    addedErrors: Math.max(0, (errors?.after ?? 0) - (errors?.before ?? 0)),
    meanBeforeNs: shift?.before ?? 0,
    meanAfterNs: shift?.after ?? 0,
    score: Math.max(0, errors?.score ?? 0, shift === undefined ? 0 : (shift.after - shift.before) / shift.error),
  };
}

/** Standard score from which a service counts as affected. */
const MIN_SCORE = 2.5;

/** Services that call the given one, directly or indirectly, and are impacted: most impacted first. */
export function findAffectedServices(
  serviceName: string,
  { services, edges }: TelemetrySeries,
  split: Split,
): ServiceSeries[] {
  const callers = new Set<string>();
  const pending = [serviceName];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { source, target } of edges) {
      if (target !== next || source === serviceName || callers.has(source)) continue;
      callers.add(source);
      pending.push(source);
    }
  }
  return services
    .filter(({ service }) => callers.has(service))
    .map((service) => ({ service, score: measureServiceImpact(service, split).score }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score)
    .map(({ service }) => service);
}

/** Minimum number of requests and of buckets with requests. */
const MIN_REQUESTS = 20;
const MIN_BUCKETS = 2;
/** A latency increase is serious if it doubled and the added time is a fifth of the Apdex threshold. */
const SERIOUS_RATIO = 2;
const SERIOUS_SHARE_OF_THRESHOLD = 0.2;

/** True if requests fail beyond the Grid's threshold or take twice their time, not only briefly and up to the end. */
export function isSeriouslyImpacted(service: ServiceSeries, split: Split, settings: DiagnosticsSettings): boolean {
  const impact = measureServiceImpact(service, split);
  return (
    impact.requests >= MIN_REQUESTS &&
    impact.bucketsWithRequests >= MIN_BUCKETS &&
    isHighImpact(impact, settings) &&
    isHighImpact(measureServiceImpact(service, toSecondHalf(service, split)), settings)
  );
}

/** The same history, and the last half of the buckets with requests. */
function toSecondHalf({ requests }: ServiceSeries, { past, at, to }: Split): Split {
  const withRequests = [...requests.keys()].filter((i) => i >= at && i < to && requests[i] > 0);
  return { past, at: withRequests[Math.floor(withRequests.length / 2)] ?? at, to };
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
