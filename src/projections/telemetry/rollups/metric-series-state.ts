import type {
  MetricSourceDocument,
  StoredBuckets,
  StoredSeries,
} from '../../../read-models/documents/metric-series-documents.js';
import type { HistogramBuckets } from '../../../telemetry/metric-distributions.js';
import { createMetricSource, type MetricPoint, type MetricSource } from './metric-point.js';
import { RecentPointTimes, TimeListInterner } from './recent-point-times.js';

/** Lists that a new list is compared with, newest first: series that are sent together are adjacent. */
const MAX_COMPARED_LISTS = 4;

/** Lists of numbers, mostly deduplicated. The content depends on the lists and their order only. */
export class NumberListInterner {
  readonly lists: (readonly number[])[] = [];

  /** Index of a list with these numbers. */
  intern(numbers: readonly number[]): number {
    const { lists } = this;
    for (let i = lists.length - 1; i >= Math.max(0, lists.length - MAX_COMPARED_LISTS); i--)
      if (areEqual(lists[i], numbers)) return i;
    return lists.push(numbers) - 1;
  }
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}

/** Approximate memory of a histogram besides its numbers, and of one number. */
const BUCKETS_BYTES = 200;

const NUMBER_BYTES = 8;

/** `bounds`: bounds of the source, to which those of the histogram are added. */
export function toStoredBuckets(buckets: HistogramBuckets, bounds: NumberListInterner): StoredBuckets {
  if (buckets.kind === 'exponential') return buckets;
  return { kind: 'explicit', bounds: bounds.intern(buckets.bounds), counts: buckets.counts };
}

export function fromStoredBuckets(
  stored: StoredBuckets | undefined,
  bounds: readonly (readonly number[])[] = [],
): HistogramBuckets | undefined {
  return stored?.kind === 'explicit'
    ? { kind: 'explicit', bounds: bounds[stored.bounds], counts: stored.counts }
    : stored;
}

/** Approximate memory in bytes. */
export function estimateBucketBytes(buckets: HistogramBuckets | undefined): number {
  if (buckets === undefined) return 0;
  const numbers =
    buckets.kind === 'explicit'
      ? buckets.bounds.length + buckets.counts.length
      : buckets.positive.counts.length + buckets.negative.counts.length;
  return BUCKETS_BYTES + NUMBER_BYTES * numbers;
}

/** State of a series: its newest point and its recent point times. */
export interface SeriesState {
  readonly metric: string;
  unit: string;
  readonly kind: MetricPoint['kind'];
  readonly monotonic: boolean;
  readonly attributes: string;
  startUs: number;
  value: number;
  count: number;
  buckets: HistogramBuckets | undefined;
  delta: boolean;
  readonly times: RecentPointTimes;
}

/** All series of one source. */
export interface SourceState {
  readonly names: MetricSource;
  readonly firstUs: number;
  readonly series: Map<string, SeriesState>;
  /** Characters of the names and attributes of its series. */
  characters: number;
  changed: boolean;
}

/** Attributes are JSON and kinds are words: neither contains the separator. */
export function seriesKey({
  metric,
  kind,
  monotonic,
  attributes,
}: Pick<SeriesState, 'metric' | 'kind' | 'monotonic' | 'attributes'>): string {
  return `${attributes}\0${kind}\0${monotonic ? '+' : ''}\0${metric}`;
}

/** Restores a source from its document; totals of characters are not restored. */
export function fromSourceDocument(document: MetricSourceDocument): SourceState {
  const { service, instance, resource, firstUs, bounds } = document;
  const series = document.series.map(
    (one) =>
      [
        seriesKey(one),
        {
          ...one,
          value: one.value ?? NaN,
          delta: one.delta === true,
          buckets: fromStoredBuckets(one.buckets, bounds),
          times: RecentPointTimes.decode(document.times[one.times]),
        },
      ] as const,
  );
  const names = createMetricSource(service, instance, resource);
  return { names, firstUs, series: new Map(series), characters: 0, changed: false };
}

/** The document of a source, with its series sorted by key. */
export function toSourceDocument(
  gridId: string,
  { names: { service, instance, resource }, firstUs, series }: SourceState,
): MetricSourceDocument {
  const sorted = [...series].sort(([a], [b]) => (a < b ? -1 : 1));
  const [times, bounds] = [new TimeListInterner(), new NumberListInterner()];
  const stored = sorted.map(([, one]) => toStoredSeries(one, times, bounds));
  const { lists } = bounds;
  return {
    gridId,
    service,
    instance,
    resource,
    firstUs,
    times: times.encode(),
    ...(lists.length === 0 ? {} : { bounds: lists }),
    series: stored,
  };
}

function toStoredSeries(
  { metric, unit, kind, monotonic, attributes, startUs, value, count, buckets, delta, times }: SeriesState,
  timeLists: TimeListInterner,
  bounds: NumberListInterner,
): StoredSeries {
  const stored = {
    metric,
    unit,
    kind,
    monotonic,
    attributes,
    startUs,
    value: Number.isNaN(value) ? null : value,
    count,
    ...(delta && { delta }),
    times: timeLists.intern(times),
  };
  return buckets === undefined ? stored : { ...stored, buckets: toStoredBuckets(buckets, bounds) };
}
