import { withBuckets } from '../../../diagnostics/buckets.js';
import { largestExemplars } from '../../../diagnostics/exemplars.js';
import { copyOf, isOfObservations, OTHER, type MetricRollup, type MetricSeriesRollup } from '../../../diagnostics/rollups.js';
import type { Contribution } from './metric-increments.js';
import type { MetricPoint } from './metric-point.js';

type Tally = { -readonly [K in keyof MetricSeriesRollup]: MetricSeriesRollup[K] };
type Names = Pick<MetricSeriesRollup, 'metric' | 'unit' | 'kind' | 'monotonic'>;

const NO_VALUE: Contribution = { sum: 0, count: 0, min: NaN, max: NaN, buckets: undefined };

/** A MetricRollup that can be added to. */
export class MetricTally {
  private readonly series = new Map<string, Tally>();

  constructor(private readonly rollup: MetricRollup) {
    for (const one of rollup.series) this.series.set(keyOf(one, one.instance, JSON.stringify(one.attributes)), copyOf(one));
  }

  static empty(service: string): MetricTally {
    return new MetricTally({ service, series: [] });
  }

  add(point: MetricPoint, contribution: Contribution): void {
    const { unit, timeUs, value, quantiles, exemplars } = point;
    const tally = this.tally(point, point.source.instance, point.attributes);
    count(tally, contribution);
    if (timeUs >= tally.lastUs) Object.assign(tally, { last: Number.isFinite(value) ? value : 0, lastUs: timeUs, unit, quantiles });
    if (exemplars.length > 0) tally.exemplars = largestExemplars([tally.exemplars, exemplars]);
  }

  /** A point whose series is past the bounds, under this metric: counted, and no more. */
  addOther(metric: string, { kind, monotonic, timeUs }: MetricPoint): void {
    const tally = this.tally({ metric, unit: '', kind, monotonic }, OTHER, NO_ATTRIBUTES);
    count(tally, NO_VALUE);
    tally.lastUs = Math.max(tally.lastUs, timeUs);
  }

  toRollup(): MetricRollup {
    return { service: this.rollup.service, series: [...this.series.values()] };
  }

  private tally(names: Names, instance: string, attributes: string): Tally {
    const key = keyOf(names, instance, attributes);
    let tally = this.series.get(key);
    if (tally === undefined) {
      const { metric, unit, kind, monotonic } = names;
      const pairs = JSON.parse(attributes) as Tally['attributes'];
      tally = { metric, unit, kind, monotonic, instance, attributes: pairs, points: 0, sum: 0, count: 0, min: NaN, max: NaN, last: 0, lastUs: 0, buckets: [], quantiles: [], exemplars: [] };
      this.series.set(key, tally);
    }
    return tally;
  }
}

const NO_ATTRIBUTES = '[]';

function count(tally: Tally, contribution: Contribution): void {
  const { sum, count: more, buckets } = contribution;
  if (!isOfObservations(tally.kind)) widen(tally, contribution);
  else if (more > 0) widenByAll(tally, contribution);
  tally.points++;
  // The sum of no observations is known.
  tally.sum += more === 0 && Number.isNaN(sum) ? 0 : sum;
  tally.count += more;
  if (buckets !== undefined) tally.buckets = withBuckets(tally.buckets, buckets);
}

function widen(tally: Tally, { min, max }: Contribution): void {
  if (!(tally.min <= min)) tally.min = Number.isNaN(min) ? tally.min : min;
  if (!(tally.max >= max)) tally.max = Number.isNaN(max) ? tally.max : max;
}

/** Observations whose extremes are not told may lie anywhere: then those of all together are not known either, and stay NaN. */
function widenByAll(tally: Tally, { min, max }: Contribution): void {
  const isFirst = tally.count === 0;
  tally.min = isFirst ? min : Math.min(tally.min, min);
  tally.max = isFirst ? max : Math.max(tally.max, max);
}

/** The unit is no part of what a series is. Attributes are JSON, kinds are words: neither holds the separator. */
function keyOf({ metric, kind, monotonic }: Names, instance: string, attributes: string): string {
  return `${attributes}\0${kind}\0${monotonic ? '+' : ''}\0${instance.length}\0${instance}${metric}`;
}
