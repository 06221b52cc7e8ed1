import type { DiagnosticsSettings } from '../input.js';
import { MINUTE_MS, type Frames } from '../timeframe.js';
import { harmTo, isSerious, type Harm } from './harm.js';
import type { RankedCause } from './ranked-cause.js';
import type { Series, ServiceSeries } from './series.js';
import type { Split } from './statistics.js';
import { clock, figure, milliseconds, percent } from './wording.js';

interface Suffering {
  readonly service: ServiceSeries;
  readonly split: Split;
  readonly harm: Harm;
}

/**
 * What to say where requests plainly fail or take far longer, and no cause stands out: that it is so, and what could not
 * be ruled out. Undefined where nothing is plainly wrong. What began before the stretch `from` is not looked for.
 */
export function inconclusive(series: Series, causes: readonly RankedCause[], settings: DiagnosticsSettings, frames: Frames, from: number): RankedCause | undefined {
  const worst = worstOf(series, settings, from);
  if (worst === undefined) return undefined;
  const { service, split } = worst;
  const firstDetected = series.timeline.starts[split.at] * MINUTE_MS;
  const rest = causes.reduce((left, { confidence }) => left - confidence, 1);
  return {
    cause: 'Something is wrong, but nothing stands out as its cause',
    confidence: Math.max(0, Math.round(100 * rest) / 100),
    severity: 'warning',
    affectedServices: [service.service],
    evidence: [`${sentence(worst)}, since ${clock(firstDetected)}.`, ...causes.map((each) => `Not ruled out: ${each.serviceName} (${each.kind}, confidence ${each.confidence}).`)],
    firstDetected,
    serviceName: null,
    kind: 'inconclusive',
    impact: { service: service.service, slowerThanNs: 2 * worst.harm.meanBeforeNs, window: frames.current },
  };
}

/** Of the services that requests come to from outside, the one that suffers most, from the stretch on where it does. */
function worstOf({ services, edges, timeline }: Series, settings: DiagnosticsSettings, from: number): Suffering | undefined {
  const called = new Set(edges.filter(({ virtual }) => !virtual).map(({ target }) => target));
  let worst: Suffering | undefined;
  for (const service of services) {
    if (called.has(service.service)) continue;
    for (let at = from; at < timeline.starts.length; at++) {
      const split = { past: at, at, to: timeline.starts.length };
      const harm = harmTo(service, split);
      if (harm.score > (worst?.harm.score ?? 0) && isSerious(service, split, settings)) worst = { service, split, harm };
    }
  }
  return worst;
}

function sentence({ service: { service }, harm: { addedErrors, meanBeforeNs, meanAfterNs, requests } }: Suffering): string {
  const errors = `${percent(addedErrors)} more of the requests to ${service} fail`;
  const time = `Requests to ${service} take ${milliseconds(meanAfterNs)} instead of ${milliseconds(meanBeforeNs)}`;
  return `${meanAfterNs > 2 * meanBeforeNs ? time : errors} (${figure(requests)} requests)`;
}
