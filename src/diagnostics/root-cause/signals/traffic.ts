import type { Finding } from '../finding.js';
import { splitsOfHigher } from '../screen.js';
import type { EdgeSeries, ServiceSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { centre, type Split } from '../statistics.js';
import { figure } from '../wording.js';

/** The load must at least double, against at least so many stretches of history. */
const LEAST_RATIO = 2;
const LEAST_HISTORY = 5;

interface Load {
  readonly service: string;
  /** Requests that no traced service makes. */
  readonly outside: Float64Array;
  /** Minutes with requests: silence between recordings is no low load. */
  readonly minutes: Float64Array;
}

/** What comes from outside. More of it explains what is short of resources further in. */
export const traffic: Signal = ({ services, edges, timeline: { lengths } }, { first }) => {
  const loads = services.map((service) => loadOf(service, edges, lengths));
  const watched = loads.flatMap((load) => watch(load, splitsOfHigher(load.outside, load.minutes, first)));
  return (split) => atSplit(watched, split).flatMap((load) => findingOf(load, split) ?? []);
};

function loadOf({ service, requests }: ServiceSeries, edges: readonly EdgeSeries[], lengths: readonly number[]): Load {
  const inbound = edges.filter(({ target, virtual }) => target === service && !virtual);
  const outside = requests.map((count, i) => Math.max(0, count - inbound.reduce((sum, edge) => sum + edge.count[i], 0)));
  return { service, outside, minutes: outside.map((count, i) => (count > 0 ? lengths[i] : 0)) };
}

function findingOf({ service, outside, minutes }: Load, split: Split): Finding | undefined {
  const before = centre(outside, minutes, 0, split.past);
  const after = centre(outside, minutes, split.at, split.to);
  if (before === undefined || after === undefined || before.stretches < LEAST_HISTORY || after.value < LEAST_RATIO * before.value) return undefined;
  const added = after.value - before.value;
  const sentence = () => `Requests from outside to ${service} went from ${figure(before.value)} to ${figure(after.value)} a minute`;
  return { signal: 'traffic', culprit: service, score: added / Math.hypot(before.spread, Math.sqrt(before.value)), amount: added, course: { sum: outside, weight: minutes, before: before.value, after: after.value }, sentence };
}
