import type { DiagnosticsSettings } from '../input.js';
import type { Series, ServiceSeries } from './series.js';
import { shiftOfMean, surpriseOf, total, type Split } from './statistics.js';

/** What the requests of one service suffer since the onset. */
export interface Harm {
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

export function harmTo(service: ServiceSeries, split: Split): Harm {
  const shift = shiftOfMean(service.durationNs, service.requests, split);
  const errors = surpriseOf(service.errors, service.requests, split);
  return {
    requests: total(service.requests, split.at, split.to),
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
export function affectedBy(culprit: string, { services, edges }: Series, split: Split): ServiceSeries[] {
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
    .map((service) => ({ service, score: harmTo(service, split).score }))
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
export function isSerious(service: ServiceSeries, split: Split, settings: DiagnosticsSettings): boolean {
  const harm = harmTo(service, split);
  return harm.requests >= FEWEST_REQUESTS && harm.stretches >= FEWEST_STRETCHES && isHigh(harm, settings) && isHigh(harmTo(service, secondHalf(service, split)), settings);
}

/** What came before, and the last half of the stretches with requests. */
function secondHalf({ requests }: ServiceSeries, { past, at, to }: Split): Split {
  const busy = [...requests.keys()].filter((i) => i >= at && i < to && requests[i] > 0);
  return { past, at: busy[Math.floor(busy.length / 2)] ?? at, to };
}

function isHigh({ addedErrors, meanBeforeNs, meanAfterNs }: Harm, { errorRateThreshold, apdexThresholdMs }: DiagnosticsSettings): boolean {
  const isSlow = meanAfterNs >= SERIOUS_RATIO * meanBeforeNs && meanAfterNs - meanBeforeNs >= SERIOUS_SHARE_OF_THRESHOLD * apdexThresholdMs * 1e6;
  return addedErrors * 100 >= errorRateThreshold || isSlow;
}
