import type { Finding } from '../finding.js';
import type { Series } from '../series.js';
import { shiftOfMean, type Split } from '../statistics.js';
import { figure } from '../wording.js';

/** The load must at least double, and so many stretches before must have had requests. */
const LEAST_RATIO = 2;
const LEAST_HISTORY = 5;

/** Requests that no traced service makes: what comes from outside. More of it explains what is short of resources further in. */
export function trafficFindings({ services, edges, timeline: { lengths } }: Series, split: Split): Finding[] {
  const minutes = Float64Array.from(lengths);
  return services.flatMap(({ service, requests }) => {
    if (requests.subarray(0, split.past).filter((count) => count > 0).length < LEAST_HISTORY) return [];
    const inbound = edges.filter(({ target, virtual }) => target === service && !virtual);
    const outside = requests.map((count, i) => Math.max(0, count - inbound.reduce((sum, edge) => sum + edge.count[i], 0)));
    const shift = shiftOfMean(outside, minutes, split);
    if (shift === undefined || shift.before <= 0 || shift.after < LEAST_RATIO * shift.before) return [];
    const text = `requests from outside to ${service} went from ${figure(shift.before)} to ${figure(shift.after)} a minute`;
    return [{ signal: 'traffic', culprit: service, score: (shift.after - shift.before) / shift.error, amount: shift.after - shift.before, sentence: () => text } satisfies Finding];
  });
}
