import { POINT_HISTOGRAM, POINT_EXPONENTIAL_HISTOGRAM } from '../../src/telemetry/columns/metric-batch-columns.js';
import type {
  BucketCounts,
  HistogramBuckets,
  Exemplar,
  QuantileValue,
} from '../../src/telemetry/metric-distributions.js';
import type { DataPoint, ModelExemplar, ModelPoint, ModelRun } from './metric-model.js';

/** Reference implementation of decoding buckets, quantiles and exemplars. */
export function bucketsOf({ kind, point }: Pick<ModelPoint, 'kind' | 'point'>): HistogramBuckets | undefined {
  if (kind === POINT_HISTOGRAM) return explicitOf(point);
  return kind === POINT_EXPONENTIAL_HISTOGRAM ? exponentialOf(point) : undefined;
}

function explicitOf({ bucketCounts = [], explicitBounds = [] }: DataPoint): HistogramBuckets | undefined {
  const ascend = explicitBounds.every((bound, i) => (i === 0 ? !Number.isNaN(bound) : bound > explicitBounds[i - 1]));
  if (bucketCounts.length !== explicitBounds.length + 1 || !ascend) return undefined;
  const counts = bucketCounts.map(Number);
  const bounds = explicitBounds.filter((bound, i) => {
    if (Number.isFinite(bound)) return true;
    const [lower, upper] =
      bound < 0 ? [i, i + 1] : [i, i + 1].map((at) => at - (explicitBounds.length + 1 - counts.length));
    counts.splice(lower, 2, counts[lower] + counts[upper]);
    return false;
  });
  return bounds.length === 0 ? undefined : { kind: 'explicit', bounds, counts };
}

function exponentialOf({
  scale = 0,
  zeroCount = 0n,
  zeroThreshold = 0,
  positive,
  negative,
}: DataPoint): HistogramBuckets {
  return {
    kind: 'exponential',
    scale,
    zeroThreshold,
    zeroCount: Number(zeroCount),
    positive: runOf(positive),
    negative: runOf(negative),
  };
}

function runOf(run: ModelRun | undefined): BucketCounts {
  const full = (run?.bucketCounts ?? []).map((count, i) => ({ index: (run?.offset ?? 0) + i, count: Number(count) }));
  const first = full.findIndex(({ count }) => count > 0);
  if (first < 0) return { offset: 0, counts: [] };
  const last = full.findLastIndex(({ count }) => count > 0);
  return { offset: full[first].index, counts: full.slice(first, last + 1).map(({ count }) => count) };
}

export function quantilesOf({ quantileValues = [] }: DataPoint): readonly QuantileValue[] | undefined {
  const valid = quantileValues.filter(
    ({ quantile, value }) => quantile >= 0 && quantile <= 1 && Number.isFinite(value),
  );
  const last = new Map(valid.map(({ quantile, value }) => [quantile + 0, value]));
  return last.size === 0 ? undefined : [...last].sort(([a], [b]) => a - b);
}

export function exemplarsOf({ exemplars = [] }: DataPoint): readonly Exemplar[] | undefined {
  const finite = exemplars.map(exemplarOf).filter(({ value }) => Number.isFinite(value));
  finite.sort(
    (a, b) => b.value - a.value || a.timeUs - b.timeUs || compare(a.traceId, b.traceId) || compare(a.spanId, b.spanId),
  );
  return finite.length === 0 ? undefined : finite.slice(0, 4);
}

function exemplarOf({ asDouble, asInt, spanId, timeUnixNano, traceId }: ModelExemplar): Exemplar {
  const value = asDouble ?? (asInt === undefined ? NaN : Number(asInt));
  return { timeUs: Number(timeUnixNano / 1000n), value, traceId: idOf(traceId, 16), spanId: idOf(spanId, 8) };
}

function idOf(id: Uint8Array, size: number): string {
  return id.length === size && id.some((byte) => byte !== 0) ? Buffer.from(id).toString('hex') : '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
