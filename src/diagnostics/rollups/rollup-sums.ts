import { groupAndSum, joinKey, maxBy, minBy, sumBy } from './grouped-sums.js';
import { sumSeries } from './metric-series-sums.js';
import {
  ROLLUP_BOUNDS,
  type ChildCalls,
  type EdgeRollup,
  type ExceptionRollup,
  type GridRollup,
  type InstanceRollup,
  type LogRollup,
  type LogTemplateRollup,
  type Measures,
  type MetricRollup,
  type MetricSeriesRollup,
  type OperationRollup,
  type ServiceRollup,
  type ServiceTotals,
  type VersionRollup,
} from './rollup-types.js';
import { Sketch } from './sketch.js';

/*
 * Adds rollups of several time buckets. The sum does not depend on order or grouping, within the precision of doubles:
 * whole numbers below 2^53 are exact. Inputs are not modified, but parts of them may be returned. Lists are in
 * ascending order of their names and not limited in length.
 */

type MeasureCounts = Omit<Measures, 'latency'>;

/** Entry spans of one service, without the latency sketch. */
export type ServiceCounts = Omit<ServiceTotals, 'latency'>;

/** Calls between two services, without the latency sketches. */
export type EdgeCounts = Omit<EdgeRollup, 'latency' | 'wire'>;

/** Sum of the rollups of one Grid. */
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

/** The services of sumGrid without their latencies, the most expensive part. */
export function sumServiceCounts(rollups: readonly Pick<GridRollup, 'services'>[]): ServiceCounts[] {
  return groupAndSum<ServiceCounts>(
    rollups.map(({ services }) => services),
    ({ service }) => service,
    (parts) => ({ service: parts[0].service, ...sumCountFields(parts), ...sumKindFields(parts) }),
  );
}

/** Sum of rollups of one service, named by the first; "" for an empty list. */
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

/** Sum of rollups of one service, named by the first; "" for an empty list. */
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

/** Sum of rollups of one service, named by the first; "" for an empty list. */
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

/** Identifies a series within its service. */
function seriesKey({
  metric,
  kind,
  monotonic,
  instance,
  attributes,
}: Pick<MetricSeriesRollup, 'metric' | 'kind' | 'monotonic' | 'instance' | 'attributes'>): string {
  return joinKey(metric, kind, monotonic ? '1' : '0', instance, ...attributes.flat());
}

/** Requests or calls of all parts together. */
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

/** Calls of one operation, by service and operation of the child. */
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

/** The smallest ids of all lists: which ones stay does not depend on the order. */
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

function sumSketches<T>(parts: readonly T[], sketchOf: (part: T) => Sketch): Sketch {
  const sum = new Sketch();
  for (const part of parts) sum.merge(sketchOf(part));
  return sum;
}
