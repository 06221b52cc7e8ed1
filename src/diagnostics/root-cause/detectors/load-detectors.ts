import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { findLevelRiseSplits } from '../split-prefilter.js';
import type { EdgeSeries, LevelSeries, ServiceSeries } from '../telemetry-series.js';
import { computeCentre, type Split } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/** Minimum change in percentage points, and relative to the highest level of the metric in any service. */
const MIN_POINTS = 5;

const MIN_SHARE_OF_HIGHEST = 0.1;

/**
 * Detects lasting rises of CPU, memory, pools, queues and similar resources: the level after the onset is the median of
 * its buckets, so that a spike of one minute does not count (BARO, Pham et al., FSE 2024, also ranks metrics by robust
 * scores).
 */
export const detectResourceRises: EvidenceDetector = ({ services }, { first }) => {
  const highest = findHighestLevels(services);
  const prefiltered = services.flatMap(({ service, levels }) =>
    levels.flatMap((level) =>
      toPrefilteredItems({ service, level }, findLevelRiseSplits(level.sum, level.weight, first)),
    ),
  );
  return (split) =>
    selectAtSplit(prefiltered, split).flatMap(({ service, level }) =>
      buildResourceFindings(service, level, highest.get(level.name) ?? 0, split),
    );
};

function buildResourceFindings(service: string, level: LevelSeries, highest: number, split: Split): Finding[] {
  const before = computeCentre(level.sum, level.weight, 0, split.past);
  const after = computeCentre(level.sum, level.weight, split.at, split.to);
  if (before === undefined || after === undefined) return [];
  const score =
    (after.value - before.value) /
    Math.hypot(before.spread, Math.max(MIN_SHARE_OF_HIGHEST * highest, minimumRise(level.unit, highest)));
  if (!(score > 0)) return [];
  const text =
    `${level.label} rose from ${formatFigure(before.value)} to ${formatFigure(after.value)} ${level.unit}`.trimEnd();
  return [
    {
      kind: 'resources',
      serviceName: service,
      score,
      amount: after.value - before.value,
      stepSeries: { sum: level.sum, weight: level.weight, before: before.value, after: after.value },
      describe: () => text,
    },
  ];
}

function minimumRise(unit: string, highest: number): number {
  if (unit === '%') return MIN_POINTS;
  return unit === '1' && highest <= 1 ? MIN_POINTS / 100 : 0;
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

/** The load must at least double, compared with at least this many buckets of history. */
const MIN_RATIO = 2;

const MIN_HISTORY_BUCKETS = 5;

interface ExternalLoad {
  readonly service: string;
  /** Requests not made by any traced service. */
  readonly external: Float64Array;
  /** Recorded minutes with requests: silence between recordings is not a low load. */
  readonly minutes: Float64Array;
}

/** Detects increased external load, which can explain resource shortages in the services behind. */
export const detectTrafficRises: EvidenceDetector = ({ services, edges, recorded, timeline }, { first }) => {
  const inbound = groupByTarget(edges);
  const lengths = timeline.lengths.map((minutes, i) => minutes * recorded.share[i]);
  const loads = services.map((service) => computeExternalLoad(service, inbound.get(service.service) ?? [], lengths));
  const prefiltered = loads.flatMap((load) =>
    toPrefilteredItems(load, findLevelRiseSplits(load.external, load.minutes, first)),
  );
  return (split) => selectAtSplit(prefiltered, split).flatMap((load) => buildTrafficFinding(load, split) ?? []);
};

/** Calls of traced services, by the service that they reach. */
function groupByTarget(edges: readonly EdgeSeries[]): Map<string, EdgeSeries[]> {
  const inbound = new Map<string, EdgeSeries[]>();
  for (const edge of edges) {
    if (edge.virtual) continue;
    const same = inbound.get(edge.target);
    if (same === undefined) inbound.set(edge.target, [edge]);
    else same.push(edge);
  }
  return inbound;
}

function computeExternalLoad(
  { service, requests }: ServiceSeries,
  inbound: readonly EdgeSeries[],
  lengths: readonly number[],
): ExternalLoad {
  const external = requests.slice();
  for (const { count } of inbound) for (let i = 0; i < external.length; i++) external[i] -= count[i];
  for (let i = 0; i < external.length; i++) external[i] = Math.max(0, external[i]);
  return { service, external, minutes: external.map((count, i) => (count > 0 ? lengths[i] : 0)) };
}

function buildTrafficFinding({ service, external, minutes }: ExternalLoad, split: Split): Finding | undefined {
  const before = computeCentre(external, minutes, 0, split.past);
  const after = computeCentre(external, minutes, split.at, split.to);
  if (
    before === undefined ||
    after === undefined ||
    before.bucketCount < MIN_HISTORY_BUCKETS ||
    after.value < MIN_RATIO * before.value
  )
    return undefined;
  const added = after.value - before.value;
  const describe = () =>
    `Requests to ${service} from outside rose from ${formatFigure(before.value)} to ${formatFigure(after.value)} per minute`;
  return {
    kind: 'traffic',
    serviceName: service,
    score: added / Math.hypot(before.spread, Math.sqrt(before.value)),
    amount: added,
    stepSeries: { sum: external, weight: minutes, before: before.value, after: after.value },
    describe,
  };
}
