import type { Buckets } from '../../telemetry/distribution.js';
import { compareBounds } from '../buckets.js';
import { quantileOf } from './bucket-quantile.js';
import { ExplicitCounts } from './explicit-counts.js';
import { ExponentialLists } from './exponential-lists.js';
import type { GroupRow } from './group-row.js';
import type { SeriesOf } from './series-row.js';
import type { StepClock } from './step-clock.js';

/**
 * A percentile of the observations in each step, from their buckets. Series that told none add nothing. Every layout is
 * kept, however many there are: a rollup keeps the first ones, a chart must not lose a count.
 */
export class BucketRow implements GroupRow<SeriesOf> {
  private readonly exponential: ExponentialLists;
  /** In the order of compareBounds: sums of doubles do not depend on which came first. */
  private readonly explicit: ExplicitCounts[] = [];
  private newest: ExplicitCounts | undefined;
  /** NaN once a series did not tell them. */
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly q: number,
  ) {
    this.exponential = new ExponentialLists(clock.count);
    this.min = new Float64Array(clock.count).fill(Infinity);
    this.max = new Float64Array(clock.count).fill(-Infinity);
  }

  get bytes(): number {
    let bytes = this.min.byteLength + this.max.byteLength + this.exponential.bytes;
    for (const { bytes: own } of this.explicit) bytes += own;
    return bytes;
  }

  add(step: number, { series }: SeriesOf): void {
    const { buckets, points, min, max } = series;
    this.weight += points;
    if (buckets.length === 0) return;
    this.min[step] = Math.min(this.min[step], min);
    this.max[step] = Math.max(this.max[step], max);
    for (const each of buckets) {
      if (each.kind === 'explicit') this.layoutOf(each.bounds).add(step, each.counts);
      else this.exponential.add(step, each);
    }
  }

  merge(other: BucketRow, from = 0): void {
    this.weight += other.weight;
    other.min.forEach((min, step) => (this.min[from + step] = Math.min(this.min[from + step], min)));
    other.max.forEach((max, step) => (this.max[from + step] = Math.max(this.max[from + step], max)));
    for (const each of other.explicit) this.layoutOf(each.bounds).merge(each, from);
    this.exponential.merge(other.exponential, from);
  }

  total(): number {
    const min = this.min.reduce((a, b) => Math.min(a, b), Infinity);
    const max = this.max.reduce((a, b) => Math.max(a, b), -Infinity);
    return quantileOf([...this.exponential.total(), ...this.explicit.map((each) => each.total())], this.q, { min, max });
  }

  lines(): readonly Float64Array[] {
    return [this.min.map((min, step) => quantileOf(this.at(step), this.q, { min, max: this.max[step] }))];
  }

  private at(step: number): readonly Buckets[] {
    return [...this.exponential.of(step), ...this.explicit.flatMap((each) => each.of(step) ?? [])];
  }

  private layoutOf(bounds: readonly number[]): ExplicitCounts {
    if (this.newest !== undefined && compareBounds(this.newest.bounds, bounds) === 0) return this.newest;
    let at = 0;
    while (at < this.explicit.length && compareBounds(this.explicit[at].bounds, bounds) < 0) at++;
    const found = this.explicit.at(at);
    if (found !== undefined && compareBounds(found.bounds, bounds) === 0) return (this.newest = found);
    this.newest = new ExplicitCounts(bounds, this.clock.count);
    this.explicit.splice(at, 0, this.newest);
    return this.newest;
  }
}
