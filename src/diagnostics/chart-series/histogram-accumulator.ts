import type { ExplicitBuckets, ExponentialBuckets, HistogramBuckets } from '../../telemetry/metric-distributions.js';
import { compareBounds } from '../rollups/distribution-sums.js';
import { estimateQuantile } from './histogram-quantile.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { ServiceSeries } from './series-accumulator.js';
import type { StepClock } from './chart-window.js';
import { isEmptyExponential, sumExponential } from '../rollups/exponential-histogram-sums.js';

/**
 * A percentile of the observations in each step, from their buckets. Series that told none add nothing. Every layout is
 * kept, however many there are: a rollup keeps the first ones, a chart must not lose a count.
 */
export class HistogramAccumulator implements GroupAccumulator<ServiceSeries> {
  private readonly exponential: ExponentialBucketSums;
  /** In the order of compareBounds: sums of doubles do not depend on which came first. */
  private readonly explicit: ExplicitBucketSums[] = [];
  private newest: ExplicitBucketSums | undefined;
  /** NaN once a series did not tell them. */
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly q: number,
  ) {
    this.exponential = new ExponentialBucketSums(clock.count);
    this.min = new Float64Array(clock.count).fill(Infinity);
    this.max = new Float64Array(clock.count).fill(-Infinity);
  }

  get bytes(): number {
    let bytes = this.min.byteLength + this.max.byteLength + this.exponential.bytes;
    for (const { bytes: own } of this.explicit) bytes += own;
    return bytes;
  }

  add(step: number, { series }: ServiceSeries): void {
    const { buckets, points, min, max } = series;
    this.weight += points;
    if (buckets.length === 0) return;
    this.min[step] = Math.min(this.min[step], min);
    this.max[step] = Math.max(this.max[step], max);
    for (const each of buckets) {
      if (each.kind === 'explicit') this.getOrCreateLayout(each.bounds).add(step, each.counts);
      else this.exponential.add(step, each);
    }
  }

  merge(other: HistogramAccumulator, from = 0): void {
    this.weight += other.weight;
    other.min.forEach((min, step) => (this.min[from + step] = Math.min(this.min[from + step], min)));
    other.max.forEach((max, step) => (this.max[from + step] = Math.max(this.max[from + step], max)));
    for (const each of other.explicit) this.getOrCreateLayout(each.bounds).merge(each, from);
    this.exponential.merge(other.exponential, from);
  }

  total(): number {
    const min = this.min.reduce((a, b) => Math.min(a, b), Infinity);
    const max = this.max.reduce((a, b) => Math.max(a, b), -Infinity);
    return estimateQuantile([...this.exponential.total(), ...this.explicit.map((each) => each.total())], this.q, {
      min,
      max,
    });
  }

  lines(): readonly Float64Array[] {
    return [this.min.map((min, step) => estimateQuantile(this.bucketsAt(step), this.q, { min, max: this.max[step] }))];
  }

  private bucketsAt(step: number): readonly HistogramBuckets[] {
    return [...this.exponential.bucketsAt(step), ...this.explicit.flatMap((each) => each.bucketsAt(step) ?? [])];
  }

  private getOrCreateLayout(bounds: readonly number[]): ExplicitBucketSums {
    if (this.newest !== undefined && compareBounds(this.newest.bounds, bounds) === 0) return this.newest;
    let at = 0;
    while (at < this.explicit.length && compareBounds(this.explicit[at].bounds, bounds) < 0) at++;
    const found = this.explicit.at(at);
    if (found !== undefined && compareBounds(found.bounds, bounds) === 0) return (this.newest = found);
    this.newest = new ExplicitBucketSums(bounds, this.clock.count);
    this.explicit.splice(at, 0, this.newest);
    return this.newest;
  }
}

/** What is around the counts of a step, and the place of a step without any. */
const STEP_BYTES = 100;

const SLOT_BYTES = 8;

/** Histograms of the same bounds, added up by step: tens of thousands a chart, so that adding one allocates nothing but the first of a step. */
export class ExplicitBucketSums {
  private readonly steps: (Float64Array | undefined)[];
  bytes: number;

  constructor(
    readonly bounds: readonly number[],
    steps: number,
  ) {
    this.steps = new Array<Float64Array | undefined>(steps).fill(undefined);
    this.bytes = SLOT_BYTES * steps;
  }

  add(step: number, counts: ArrayLike<number>): void {
    const sums = this.getOrCreateCounts(step);
    for (let i = 0; i < sums.length; i++) sums[i] += counts[i];
  }

  /** As of GroupRow. */
  merge(other: ExplicitBucketSums, from = 0): void {
    other.steps.forEach((counts, step) => {
      if (counts !== undefined) this.add(from + step, counts);
    });
  }

  /** Of a step; undefined where nothing was added. */
  bucketsAt(step: number): ExplicitBuckets | undefined {
    const counts = this.steps[step];
    return counts && { kind: 'explicit', bounds: this.bounds, counts: [...counts] };
  }

  /** Of all steps. */
  total(): ExplicitBuckets {
    const sums = new Array<number>(this.bounds.length + 1).fill(0);
    for (const counts of this.steps) counts?.forEach((count, i) => (sums[i] += count));
    return { kind: 'explicit', bounds: this.bounds, counts: sums };
  }

  private getOrCreateCounts(step: number): Float64Array {
    const known = this.steps[step];
    if (known !== undefined) return known;
    const counts = new Float64Array(this.bounds.length + 1);
    this.bytes += STEP_BYTES + counts.byteLength;
    return (this.steps[step] = counts);
  }
}

/** Histograms that wait to be added up: many at once cost one list of counts. */
const MAX_PENDING = 16;

/** Of a bucket's count, and of the list around them. */
const COUNT_BYTES = 8;

const LIST_BYTES = 100;
type BucketList = readonly ExponentialBuckets[];

/** Exponential histograms by step, one a step once it is asked for. Empty ones add nothing, not even their scale. */
class ExponentialBucketSums {
  private readonly steps: BucketList[];
  bytes = 0;

  constructor(steps: number) {
    this.steps = new Array<BucketList>(steps).fill([]);
  }

  add(step: number, buckets: ExponentialBuckets): void {
    if (isEmptyExponential(buckets)) return;
    this.setStep(step, [...this.steps[step], buckets]);
    if (this.steps[step].length >= MAX_PENDING) this.bucketsAt(step);
  }

  /** As of GroupRow. */
  merge(other: ExponentialBucketSums, from: number): void {
    other.steps.forEach((list, step) => this.setStep(from + step, [...this.steps[from + step], ...list]));
  }

  /** Of a step: one, or none. */
  bucketsAt(step: number): BucketList {
    this.setStep(step, sumList(this.steps[step]));
    return this.steps[step];
  }

  /** Of all steps: one, or none. */
  total(): BucketList {
    return sumList(this.steps.flatMap((_list, step) => this.bucketsAt(step)));
  }

  private setStep(step: number, list: BucketList): void {
    this.bytes += estimateListBytes(list) - estimateListBytes(this.steps[step]);
    this.steps[step] = list;
  }
}

function sumList(list: BucketList): BucketList {
  return list.length > 1 ? [sumExponential(list)] : list;
}

function estimateListBytes(list: BucketList): number {
  return list.reduce(
    (sum, { positive, negative }) => sum + LIST_BYTES + COUNT_BYTES * (positive.counts.length + negative.counts.length),
    0,
  );
}
