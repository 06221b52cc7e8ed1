import type { DiagnosticsInput } from '../diagnostics-input.js';
import type { GridRollup, MetricRollup, ServiceRollup, TimeBucket } from '../rollups/rollup-types.js';
import { compareText } from '../text-order.js';
import { isNameless } from './request-attributes.js';
import { buildRequestRollups, type RequestRollups } from './request-rollup-builder.js';
import { readRequestRows } from './request-row-reader.js';

/** Parts of the input that spans give, and request metrics where there are no spans. */
export type RequestInput = Pick<DiagnosticsInput, 'grids' | 'services'>;

/**
 * A service's request metrics count in a time bucket only if no spans of it ended there or in this many minutes before
 * and after: a request near the edge of a minute may count in one minute by its span and in the next by its metric,
 * which are exported at different times, and would count twice.
 */
export const SPAN_MARGIN_MINUTES = 5;

const US_PER_MINUTE = 60_000_000;

export interface RequestMetrics {
  /** Rollups of the series that report requests, ascending by time. */
  readonly metrics: readonly TimeBucket<MetricRollup>[];
  /** Rollups of spans from SPAN_MARGIN_MINUTES before the first bucket on: they show which services send spans. */
  readonly spans: readonly TimeBucket<GridRollup>[];
  readonly apdexThresholdMs: number;
}

/**
 * Adds the requests that metrics report to those of spans, for services without spans at that time. Spans win because
 * they contain more, in particular which call belongs to which request, and because both together would count requests
 * twice. Where spans are sampled, the figures are therefore those of the sample.
 */
export function addRequestMetrics(
  input: RequestInput,
  { metrics, spans, apdexThresholdMs }: RequestMetrics,
): RequestInput {
  if (metrics.length === 0) return input;
  const grids: TimeBucket<GridRollup>[] = [];
  const services: TimeBucket<ServiceRollup>[] = [];
  for (const bucket of groupByBucket(metrics)) {
    const withSpans = findServicesWithSpans(spans, bucket);
    const rollups = buildBucket(bucket, withSpans, findSpanGrid(input.grids, bucket), apdexThresholdMs);
    if (rollups.grid.services.length > 0) grids.push({ ...bucket.time, value: rollups.grid });
    for (const value of rollups.services) services.push({ ...bucket.time, value });
  }
  return { grids: mergeGrids(input.grids, grids), services: mergeServices(input.services, services) };
}

type BucketTime = Pick<TimeBucket<unknown>, 'minute' | 'minutes'>;

interface MetricBucket {
  readonly time: BucketTime;
  readonly rollups: readonly MetricRollup[];
}

function groupByBucket(metrics: readonly TimeBucket<MetricRollup>[]): MetricBucket[] {
  const buckets = new Map<string, { time: BucketTime; rollups: MetricRollup[] }>();
  for (const { minute, minutes, value } of metrics) {
    const bucket = buckets.get(bucketKey({ minute, minutes })) ?? { time: { minute, minutes }, rollups: [] };
    bucket.rollups.push(value);
    buckets.set(bucketKey(bucket.time), bucket);
  }
  return [...buckets.values()];
}

function bucketKey({ minute, minutes }: BucketTime): string {
  return `${minute}/${minutes}`;
}

/** Services with any span near the bucket. */
function findServicesWithSpans(spans: readonly TimeBucket<GridRollup>[], { time }: MetricBucket): Set<string> {
  const from = time.minute - SPAN_MARGIN_MINUTES;
  const to = time.minute + time.minutes + SPAN_MARGIN_MINUTES;
  const near = spans.filter(({ minute, minutes }) => minute < to && minute + minutes > from);
  return new Set(near.flatMap(({ value }) => value.services.map(({ service }) => service)));
}

function findSpanGrid(grids: readonly TimeBucket<GridRollup>[], { time }: MetricBucket): GridRollup | undefined {
  return grids.find(({ minute, minutes }) => minute === time.minute && minutes === time.minutes)?.value;
}

/** The rollups that were last built from a bucket, by its first rollup: these are immutable, and reread many times. */
const lastBuilt = new WeakMap<MetricRollup, { readonly key: readonly unknown[]; readonly built: RequestRollups }>();

function buildBucket(
  { time, rollups }: MetricBucket,
  withSpans: ReadonlySet<string>,
  spanGrid: GridRollup | undefined,
  apdexThresholdMs: number,
): RequestRollups {
  const key = [...rollups, spanGrid, apdexThresholdMs, [...withSpans].sort(compareText).join('\0')];
  const last = lastBuilt.get(rollups[0]);
  if (last !== undefined && key.length === last.key.length && key.every((part, i) => part === last.key[i]))
    return last.built;
  const rows = rollups.flatMap(readRequestRows).filter(({ service }) => !withSpans.has(service));
  const senders = rollups.map(({ service }) => service).filter((service) => !isNameless(service));
  const built = buildRequestRollups(rows, {
    apdexThresholdMs,
    knownServices: new Set([...senders, ...withSpans]),
    spanTotals: new Map((spanGrid?.services ?? []).map((totals) => [totals.service, totals])),
    fromUs: time.minute * US_PER_MINUTE,
    toUs: (time.minute + time.minutes) * US_PER_MINUTE,
  });
  lastBuilt.set(rollups[0], { key, built });
  return built;
}

/** Ascending by time; services and edges of the same bucket are of different services. */
function mergeGrids(
  spans: readonly TimeBucket<GridRollup>[],
  metrics: readonly TimeBucket<GridRollup>[],
): readonly TimeBucket<GridRollup>[] {
  const added = new Map(metrics.map((bucket) => [bucketKey(bucket), bucket]));
  const merged = spans.map((bucket) => {
    const more = added.get(bucketKey(bucket));
    if (more === undefined) return bucket;
    added.delete(bucketKey(bucket));
    return { ...bucket, value: joinGrids(bucket.value, more.value) };
  });
  return [...merged, ...added.values()].sort(compareTimes);
}

function joinGrids(a: GridRollup, b: GridRollup): GridRollup {
  return {
    services: [...a.services, ...b.services].sort((x, y) => compareText(x.service, y.service)),
    edges: [...a.edges, ...b.edges].sort((x, y) => compareText(x.source, y.source) || compareText(x.target, y.target)),
  };
}

function mergeServices(
  spans: readonly TimeBucket<ServiceRollup>[],
  metrics: readonly TimeBucket<ServiceRollup>[],
): readonly TimeBucket<ServiceRollup>[] {
  return [...spans, ...metrics].sort((a, b) => compareTimes(a, b) || compareText(a.value.service, b.value.service));
}

function compareTimes(a: BucketTime, b: BucketTime): number {
  return a.minute - b.minute || b.minutes - a.minutes;
}
