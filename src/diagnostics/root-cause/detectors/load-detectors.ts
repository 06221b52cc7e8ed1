import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { findLevelRiseSplits } from '../split-prefilter.js';
import type { EdgeSeries, LevelSeries, ServiceSeries } from '../telemetry-series.js';
import { computeCentre, type Split } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/** Percentage points, and the share of the highest level of the metric anywhere, that a change must exceed to count. */
const LEAST_POINTS = 5;

const LEAST_OF_HIGHEST = 0.1;

/**
 * CPU, memory, pools, queues and the like, as far as they stay up: the level after the onset is the median of its minutes,
 * so that a spike of one minute does not count (BARO, Pham et al., FSE 2024, ranks metrics by robust scores alike).
 */
export const detectResourceRises: EvidenceDetector = ({ services }, { first }) => {
  const highest = findHighestLevels(services);
  const watched = services.flatMap(({ service, levels }) =>
    levels.flatMap((level) =>
      toPrefilteredItems({ service, level }, findLevelRiseSplits(level.sum, level.weight, first)),
    ),
  );
  return (split) =>
    selectAtSplit(watched, split).flatMap(({ service, level }) =>
      buildResourceFindings(service, level, highest.get(level.name) ?? 0, split),
    );
};

function buildResourceFindings(service: string, level: LevelSeries, highest: number, split: Split): Finding[] {
  const before = computeCentre(level.sum, level.weight, 0, split.past);
  const after = computeCentre(level.sum, level.weight, split.at, split.to);
  if (before === undefined || after === undefined) return [];
  const score =
    (after.value - before.value) /
    Math.hypot(before.spread, Math.max(LEAST_OF_HIGHEST * highest, minimumRise(level.unit, highest)));
  if (!(score > 0)) return [];
  const text =
    `${level.label} went from ${formatFigure(before.value)} to ${formatFigure(after.value)} ${level.unit}`.trimEnd();
  return [
    {
      signal: 'resources',
      culprit: service,
      score,
      amount: after.value - before.value,
      course: { sum: level.sum, weight: level.weight, before: before.value, after: after.value },
      sentence: () => text,
    },
  ];
}

function minimumRise(unit: string, highest: number): number {
  if (unit === '%') return LEAST_POINTS;
  return unit === '1' && highest <= 1 ? LEAST_POINTS / 100 : 0;
}

function findHighestLevels(services: readonly ServiceSeries[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { levels } of services) {
    for (const { name, sum, weight } of levels) {
      for (let i = 0; i < sum.length; i++)
        if (weight[i] > 0) highest.set(name, Math.max(highest.get(name) ?? 0, sum[i] / weight[i]));
    }
  }
  return highest;
}

/** The load must at least double, against at least so many stretches of history. */
const LEAST_RATIO = 2;

const LEAST_HISTORY = 5;

interface ExternalLoad {
  readonly service: string;
  /** Requests that no traced service makes. */
  readonly outside: Float64Array;
  /** Minutes with requests: silence between recordings is no low load. */
  readonly minutes: Float64Array;
}

/** What comes from outside. More of it explains what is short of resources further in. */
export const detectTrafficRises: EvidenceDetector = ({ services, edges, timeline: { lengths } }, { first }) => {
  const loads = services.map((service) => computeExternalLoad(service, edges, lengths));
  const watched = loads.flatMap((load) =>
    toPrefilteredItems(load, findLevelRiseSplits(load.outside, load.minutes, first)),
  );
  return (split) => selectAtSplit(watched, split).flatMap((load) => buildTrafficFinding(load, split) ?? []);
};

function computeExternalLoad(
  { service, requests }: ServiceSeries,
  edges: readonly EdgeSeries[],
  lengths: readonly number[],
): ExternalLoad {
  const inbound = edges.filter(({ target, virtual }) => target === service && !virtual);
  const outside = requests.map((count, i) =>
    Math.max(0, count - inbound.reduce((sum, edge) => sum + edge.count[i], 0)),
  );
  return { service, outside, minutes: outside.map((count, i) => (count > 0 ? lengths[i] : 0)) };
}

function buildTrafficFinding({ service, outside, minutes }: ExternalLoad, split: Split): Finding | undefined {
  const before = computeCentre(outside, minutes, 0, split.past);
  const after = computeCentre(outside, minutes, split.at, split.to);
  if (
    before === undefined ||
    after === undefined ||
    before.stretches < LEAST_HISTORY ||
    after.value < LEAST_RATIO * before.value
  )
    return undefined;
  const added = after.value - before.value;
  const sentence = () =>
    `Requests from outside to ${service} went from ${formatFigure(before.value)} to ${formatFigure(after.value)} a minute`;
  return {
    signal: 'traffic',
    culprit: service,
    score: added / Math.hypot(before.spread, Math.sqrt(before.value)),
    amount: added,
    course: { sum: outside, weight: minutes, before: before.value, after: after.value },
    sentence,
  };
}
