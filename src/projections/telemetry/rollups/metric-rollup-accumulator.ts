import { boundMetric } from '../../../diagnostics/rollups/rollup-bounds.js';
import { addBuckets, selectLargestExemplars } from '../../../diagnostics/rollups/distribution-sums.js';
import { limitsBeyond, observedLimits } from '../../../diagnostics/rollups/observed-range.js';
import { sumMetric } from '../../../diagnostics/rollups/rollup-sums.js';
import {
  copySeries,
  isDistributionKind,
  type MetricRollup,
  type MetricSeriesRollup,
  OTHER_NAME,
} from '../../../diagnostics/rollups/rollup-types.js';
import type { RollupCollections } from '../../../read-models/documents/rollup-documents.js';
import { decodeMetricRollup, encodeMetricRollup } from '../../../read-models/rollups/metric-rollup-codec.js';
import type { Contribution } from './cumulative-to-delta.js';
import type { MetricPoint } from './metric-point.js';
import type { RollupFormat } from './rollup-format.js';

export function metricRollupFormat(collections: RollupCollections): RollupFormat<MetricRollupAccumulator> {
  return {
    collections,
    create: (service) => MetricRollupAccumulator.empty(service),
    decode: (blob) => new MetricRollupAccumulator(decodeMetricRollup(blob)),
    encode: (target) => encodeMetricRollup(target.toRollup()),
    merge: (blobs) => encodeMetricRollup(boundMetric(sumMetric(blobs.map((blob) => decodeMetricRollup(blob))))),
  };
}

type SeriesCount = { -readonly [K in keyof MetricSeriesRollup]: MetricSeriesRollup[K] };
type SeriesNames = Pick<MetricSeriesRollup, 'metric' | 'unit' | 'kind' | 'monotonic'>;
const NO_VALUE: Contribution = { sum: 0, count: 0, min: NaN, max: NaN, buckets: undefined };

/** A mutable MetricRollup. */
export class MetricRollupAccumulator {
  private readonly series = new Map<string, SeriesCount>();

  constructor(private readonly rollup: MetricRollup) {
    for (const one of rollup.series)
      this.series.set(rollupSeriesKey(one, one.instance, JSON.stringify(one.attributes)), copySeries(one));
  }

  static empty(service: string): MetricRollupAccumulator {
    return new MetricRollupAccumulator({ service, series: [] });
  }

  add(point: MetricPoint, contribution: Contribution): void {
    const { unit, timeUs, value, quantiles, exemplars } = point;
    const target = this.getOrCreateSeries(point, point.source.instance, point.attributes);
    addContribution(target, contribution);
    if (timeUs >= target.lastUs)
      Object.assign(target, { last: Number.isFinite(value) ? value : 0, lastUs: timeUs, unit, quantiles });
    if (exemplars.length > 0) target.exemplars = selectLargestExemplars([target.exemplars, exemplars]);
  }

  /** Adds a point whose series is beyond the limits to `__other__` of this metric: it is only counted. */
  addOther(metric: string, { kind, monotonic, timeUs }: MetricPoint): void {
    const target = this.getOrCreateSeries({ metric, unit: '', kind, monotonic }, OTHER_NAME, NO_ATTRIBUTES);
    addContribution(target, NO_VALUE);
    target.lastUs = Math.max(target.lastUs, timeUs);
  }

  toRollup(): MetricRollup {
    return { service: this.rollup.service, series: [...this.series.values()] };
  }

  private getOrCreateSeries(names: SeriesNames, instance: string, attributes: string): SeriesCount {
    const key = rollupSeriesKey(names, instance, attributes);
    let target = this.series.get(key);
    if (target === undefined) {
      const { metric, unit, kind, monotonic } = names;
      const pairs = JSON.parse(attributes) as SeriesCount['attributes'];
      target = {
        metric,
        unit,
        kind,
        monotonic,
        instance,
        attributes: pairs,
        points: 0,
        sum: 0,
        count: 0,
        min: NaN,
        max: NaN,
        last: 0,
        lastUs: 0,
        buckets: [],
        quantiles: [],
        exemplars: [],
      };
      this.series.set(key, target);
    }
    return target;
  }
}

const NO_ATTRIBUTES = '[]';

function addContribution(target: SeriesCount, contribution: Contribution): void {
  const { sum, count: more, buckets } = contribution;
  if (!isDistributionKind(target.kind)) widenRange(target, contribution);
  else if (more > 0) widenObservedRange(target, contribution);
  target.points++;
  // The sum of no observations is known to be 0.
  target.sum += more === 0 && Number.isNaN(sum) ? 0 : sum;
  target.count += more;
  if (buckets !== undefined) target.buckets = addBuckets(target.buckets, buckets);
}

function widenRange(target: SeriesCount, { min, max }: Contribution): void {
  if (!(target.min <= min)) target.min = Number.isNaN(min) ? target.min : min;
  if (!(target.max >= max)) target.max = Number.isNaN(max) ? target.max : max;
}

/** Observations without reported extremes may lie anywhere: then the overall extremes are unknown too and stay NaN. */
function widenObservedRange(target: SeriesCount, contribution: Contribution): void {
  const { min, max } = contribution;
  const isFirst = target.count === 0;
  const [before, more] = [observedLimits(target), observedLimits(contribution)];
  target.min = isFirst ? min : Math.min(target.min, min);
  target.max = isFirst ? max : Math.max(target.max, max);
  const all = { min: Math.min(before.min, more.min), max: Math.max(before.max, more.max) };
  const { limits } = limitsBeyond(target, isFirst ? more : all);
  if (limits === undefined) delete target.limits;
  else target.limits = limits;
}

/**
 * The unit is not part of the identity of a series. Attributes are JSON and kinds are words: neither contains the
 * separator.
 */
function rollupSeriesKey({ metric, kind, monotonic }: SeriesNames, instance: string, attributes: string): string {
  return `${attributes}\0${kind}\0${monotonic ? '+' : ''}\0${instance.length}\0${instance}${metric}`;
}
