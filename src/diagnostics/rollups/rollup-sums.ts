import type { QuantileValue } from '../../telemetry/metric-distributions.js';
import { selectLargestExemplars, sumBuckets } from './distribution-sums.js';
import {
  isDistributionKind,
  ROLLUP_BOUNDS,
  type ChildCalls,
  type EdgeRollup,
  type ExceptionRollup,
  type GridRollup,
  type InstanceRollup,
  type LogRollup,
  type LogTemplateRollup,
  type Measures,
  type MetricKind,
  type MetricRollup,
  type MetricSeriesRollup,
  type OperationRollup,
  type ServiceRollup,
  type ServiceTotals,
  type VersionRollup,
} from './rollup-types.js';
import { Sketch } from './sketch.js';

/*
 * Rollups of stretches of time added up to the rollup of all of them together. In any order and any grouping the sum is
 * the same, as far as sums of doubles are: whole numbers below 2^53 always. Nothing that goes in is changed, parts of
 * it may come out as they are. Lists come out in ascending order of their names; they are not cut.
 */

type MeasureCounts = Omit<Measures, 'latency'>;

/** Entry spans of one service, without the sketch of their latencies. */
export type ServiceCounts = Omit<ServiceTotals, 'latency'>;

/** Calls between two services, likewise. */
export type EdgeCounts = Omit<EdgeRollup, 'latency' | 'wire'>;

export function sumGrid(rollups: readonly GridRollup[]): GridRollup {
  return {
    services: groupAndSum(
      rollups.map(({ services }) => services),
      ({ service }) => service,
      sumTotals,
    ),
    edges: groupAndSum(
      rollups.map(({ edges }) => edges),
      edgeKey,
      sumEdges,
    ),
  };
}

function edgeKey({ source, target, virtual }: EdgeCounts): string {
  return joinKey(source, target, virtual ? '1' : '0');
}

/** The edges of sumGrid without their latencies. */
export function sumEdgeCounts(lists: readonly (readonly EdgeCounts[])[]): EdgeCounts[] {
  return groupAndSum(lists, edgeKey, sumEdgeFields);
}

function sumEdgeFields(parts: readonly EdgeCounts[]): EdgeCounts {
  const { source, target, virtual } = parts[0];
  return {
    source,
    target,
    virtual,
    count: sumBy(parts, ({ count }) => count),
    errors: sumBy(parts, ({ errors }) => errors),
    durationNs: sumBy(parts, ({ durationNs }) => durationNs),
    paired: sumBy(parts, ({ paired }) => paired),
    wireNs: sumBy(parts, ({ wireNs }) => wireNs),
  };
}

/** The services of sumGrid without their latencies, which cost most. */
export function sumServiceCounts(rollups: readonly Pick<GridRollup, 'services'>[]): ServiceCounts[] {
  return groupAndSum<ServiceCounts>(
    rollups.map(({ services }) => services),
    ({ service }) => service,
    (parts) => ({ service: parts[0].service, ...sumCountFields(parts), ...sumKindFields(parts) }),
  );
}

/** Of one service, by the name of the first; "" where there is none. */
export function sumService(rollups: readonly ServiceRollup[]): ServiceRollup {
  return {
    service: rollups.at(0)?.service ?? '',
    operations: groupAndSum(
      rollups.map(({ operations }) => operations),
      ({ operation, kind, entry }) => joinKey(operation, kind, entry ? '1' : '0'),
      sumOperations,
    ),
    exceptions: sumExceptions(rollups),
    versions: groupAndSum(
      rollups.map(({ versions }) => versions),
      ({ version }) => version,
      sumVersions,
    ),
    instances: groupAndSum(
      rollups.map(({ instances }) => instances),
      ({ instance }) => instance,
      sumInstances,
    ),
  };
}

/** Of one service, by the name of the first; "" where there is none. */
export function sumLog(rollups: readonly LogRollup[]): LogRollup {
  const level = (i: number): number => sumBy(rollups, ({ severities }) => severities[i]);
  return {
    service: rollups.at(0)?.service ?? '',
    severities: [level(0), level(1), level(2), level(3), level(4), level(5)],
    templates: groupAndSum(
      rollups.map(({ templates }) => templates),
      ({ template }) => template,
      sumTemplates,
    ),
    exceptions: sumExceptions(rollups),
  };
}

/** Of one service, by the name of the first; "" where there is none. */
export function sumMetric(rollups: readonly MetricRollup[]): MetricRollup {
  return {
    service: rollups.at(0)?.service ?? '',
    series: groupAndSum(
      rollups.map(({ series }) => series),
      seriesKey,
      sumSeries,
    ),
  };
}

/** What tells a series from all others of its service. */
function seriesKey({
  metric,
  kind,
  monotonic,
  instance,
  attributes,
}: Pick<MetricSeriesRollup, 'metric' | 'kind' | 'monotonic' | 'instance' | 'attributes'>): string {
  return joinKey(metric, kind, monotonic ? '1' : '0', instance, ...attributes.flat());
}

/** Requests or calls of all of these together. */
export function sumMeasures(parts: readonly Measures[]): Measures {
  return { ...sumCountFields(parts), latency: sumSketches(parts, ({ latency }) => latency) };
}

function sumCountFields(parts: readonly MeasureCounts[]): MeasureCounts {
  return {
    count: sumBy(parts, ({ count }) => count),
    errors: sumBy(parts, ({ errors }) => errors),
    durationNs: sumBy(parts, ({ durationNs }) => durationNs),
    satisfied: sumBy(parts, ({ satisfied }) => satisfied),
    tolerating: sumBy(parts, ({ tolerating }) => tolerating),
  };
}

function sumTotals(parts: readonly ServiceTotals[]): ServiceTotals {
  return { ...parts[0], ...sumMeasures(parts), ...sumKindFields(parts) };
}

function sumKindFields(parts: readonly ServiceCounts[]): Pick<ServiceTotals, 'kinds' | 'entryKinds'> {
  return {
    kinds: sumKinds(parts.map(({ kinds }) => kinds)),
    entryKinds: sumKinds(parts.map(({ entryKinds }) => entryKinds)),
  };
}

function sumKinds(parts: readonly ServiceTotals['kinds'][]): ServiceTotals['kinds'] {
  const kind = (i: number): number => sumBy(parts, (kinds) => kinds[i]);
  return [kind(0), kind(1), kind(2), kind(3), kind(4)];
}

function sumEdges(parts: readonly EdgeRollup[]): EdgeRollup {
  return {
    ...sumEdgeFields(parts),
    latency: sumSketches(parts, ({ latency }) => latency),
    wire: sumSketches(parts, ({ wire }) => wire),
  };
}

function sumOperations(parts: readonly OperationRollup[]): OperationRollup {
  return {
    ...parts[0],
    ...sumMeasures(parts),
    selfNs: sumBy(parts, ({ selfNs }) => selfNs),
    self: sumSketches(parts, ({ self }) => self),
    originErrors: sumBy(parts, ({ originErrors }) => originErrors),
    calls: sumCalls(parts.map(({ calls }) => calls)),
  };
}

export function sumCalls(lists: readonly (readonly ChildCalls[])[]): ChildCalls[] {
  return groupAndSum(
    lists,
    ({ service, operation }) => joinKey(service, operation),
    (parts) => ({ ...parts[0], count: sumBy(parts, ({ count }) => count) }),
  );
}

function sumExceptions(rollups: readonly { readonly exceptions: readonly ExceptionRollup[] }[]): ExceptionRollup[] {
  return groupAndSum(
    rollups.map(({ exceptions }) => exceptions),
    ({ type, message }) => joinKey(type, message),
    (parts) => ({
      ...parts[0],
      count: sumBy(parts, ({ count }) => count),
      ids: sumIds(parts.map(({ ids }) => ids)),
    }),
  );
}

/** The smallest of all: which ones stay does not depend on the order of the parts. */
function sumIds(lists: readonly (readonly number[])[]): number[] {
  const ids = new Set<number>();
  for (const list of lists) for (const id of list) ids.add(id);
  return [...ids].sort((a, b) => a - b).slice(0, ROLLUP_BOUNDS.exceptionIds);
}

function sumVersions(parts: readonly VersionRollup[]): VersionRollup {
  return { version: parts[0].version, spans: sumBy(parts, ({ spans }) => spans), ...mergeSeenTimes(parts) };
}

function sumInstances(parts: readonly InstanceRollup[]): InstanceRollup {
  return {
    instance: parts[0].instance,
    spans: sumBy(parts, ({ spans }) => spans),
    requests: sumBy(parts, ({ requests }) => requests),
    errors: sumBy(parts, ({ errors }) => errors),
    durationNs: sumBy(parts, ({ durationNs }) => durationNs),
    ...mergeSeenTimes(parts),
  };
}

function mergeSeenTimes(parts: readonly { readonly firstUs: number; readonly lastUs: number }[]): {
  readonly firstUs: number;
  readonly lastUs: number;
} {
  return { firstUs: minBy(parts, ({ firstUs }) => firstUs), lastUs: maxBy(parts, ({ lastUs }) => lastUs) };
}

function sumTemplates(parts: readonly LogTemplateRollup[]): LogTemplateRollup {
  return {
    template: parts[0].template,
    severity: maxBy(parts, ({ severity }) => severity),
    count: sumBy(parts, ({ count }) => count),
  };
}

function sumSeries(parts: readonly MetricSeriesRollup[]): MetricSeriesRollup {
  const newest = parts.reduce(pickNewerSeries);
  return {
    ...newest,
    points: sumBy(parts, ({ points }) => points),
    sum: sumBy(parts, ({ sum }) => sum),
    count: sumBy(parts, ({ count }) => count),
    min: pickExtreme(parts, newest.kind, ({ min }) => min, Math.min),
    max: pickExtreme(parts, newest.kind, ({ max }) => max, Math.max),
    quantiles: newest.quantiles,
    buckets: sumBuckets(parts.map(({ buckets }) => buckets)),
    exemplars: selectLargestExemplars(parts.map(({ exemplars }) => exemplars)),
  };
}

/** NaN where none is told, and of observations where it is not told of all. */
function pickExtreme(
  parts: readonly MetricSeriesRollup[],
  kind: MetricKind,
  valueOf: (part: MetricSeriesRollup) => number,
  pick: (a: number, b: number) => number,
): number {
  const values = parts
    .filter((part) => (isDistributionKind(kind) ? part.count > 0 : !Number.isNaN(valueOf(part))))
    .map(valueOf);
  return values.length === 0 ? NaN : values.reduce((a, b) => pick(a, b));
}

/** Of two points at the same time, that with the larger value; then that with the unit that sorts last; then by quantiles. */
function pickNewerSeries(a: MetricSeriesRollup, b: MetricSeriesRollup): MetricSeriesRollup {
  if (a.lastUs !== b.lastUs) return a.lastUs > b.lastUs ? a : b;
  if (a.last !== b.last) return a.last > b.last ? a : b;
  if (a.unit !== b.unit) return a.unit > b.unit ? a : b;
  return compareQuantiles(a.quantiles, b.quantiles) > 0 ? a : b;
}

function compareQuantiles(a: readonly QuantileValue[], b: readonly QuantileValue[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = a[i][0] - b[i][0] || a[i][1] - b[i][1];
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Items of all lists by their keys, those of one key added up. */
function groupAndSum<T>(
  lists: readonly (readonly T[])[],
  key: (item: T) => string,
  sum: (items: readonly T[]) => T,
): T[] {
  const groups = new Map<string, T[]>();
  for (const list of lists) {
    for (const item of list) {
      const name = key(item);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [item]);
      else group.push(item);
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, items]) => (items.length === 1 ? items[0] : sum(items)));
}

/** Sorts like its parts one after the other. Names may hold any character, the separator's too. */
function joinKey(...parts: readonly string[]): string {
  return parts.map((part) => (part.includes('\0') ? part.replaceAll('\0', '\0\u0001') : part)).join('\0\0');
}

function sumSketches<T>(parts: readonly T[], sketchOf: (part: T) => Sketch): Sketch {
  const sum = new Sketch();
  for (const part of parts) sum.merge(sketchOf(part));
  return sum;
}

function sumBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  let sum = 0;
  for (const part of parts) sum += valueOf(part);
  return sum;
}

function minBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  return parts.reduce((min, part) => Math.min(min, valueOf(part)), Infinity);
}

function maxBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  return parts.reduce((max, part) => Math.max(max, valueOf(part)), -Infinity);
}
