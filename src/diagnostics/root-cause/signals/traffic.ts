import type { Finding } from '../finding.js';
import type { Series } from '../series.js';
import { centre, type Split } from '../statistics.js';
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
    const before = centre(outside, minutes, 0, split.past);
    const after = centre(outside, minutes, split.at, split.to);
    if (before === undefined || after === undefined || before.value <= 0 || after.value < LEAST_RATIO * before.value) return [];
    const added = after.value - before.value;
    const text = `Requests from outside to ${service} went from ${figure(before.value)} to ${figure(after.value)} a minute`;
    return [{ signal: 'traffic', culprit: service, score: added / Math.hypot(before.spread, Math.sqrt(before.value)), amount: added, course: { sum: outside, weight: minutes, before: before.value, after: after.value }, sentence: () => text } satisfies Finding];
  });
}
