import type { ExplicitBuckets, ExponentialBuckets, HistogramBuckets } from '../../telemetry/metric-distributions.js';
import { observedLimits, type ObservedRange } from '../rollups/observed-range.js';
import { compareBounds } from '../rollups/distribution-sums.js';
import { estimateQuantile } from './histogram-quantile.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { ServiceSeries } from './series-accumulator.js';
import type { StepClock } from './chart-window.js';
import { isEmptyExponential, sumExponential } from '../rollups/exponential-histogram-sums.js';

/**
 * A percentile of the observations in each step, from their buckets. Series without buckets add nothing. Keeps every
 * layout, however many there are: a rollup keeps only the first ones, but a chart must not lose counts.
 */
export class HistogramAccumulator implements GroupAccumulator<ServiceSeries> {
  private readonly exponential: ExponentialBucketSums;
  /** In the order of compareBounds, so that sums of doubles do not depend on the order of additions. */
  private readonly explicit: ExplicitBucketSums[] = [];
  private newest: ExplicitBucketSums | undefined;
  /** NaN once a series lacks them. */
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  /** What no observation lies beyond, see ObservedRange. */
  private readonly lowest: Float64Array;
  private readonly highest: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly q: number,
  ) {
    this.exponential = new ExponentialBucketSums(clock.count);
    this.min = new Float64Array(clock.count).fill(Infinity);
    this.max = new Float64Array(clock.count).fill(-Infinity);
    this.lowest = this.min.slice();
    this.highest = this.max.slice();
  }

  get bytes(): number {
    let bytes = 4 * this.min.byteLength + this.exponential.bytes;
    for (const { bytes: own } of this.explicit) bytes += own;
    return bytes;
  }

  add(step: number, { series }: ServiceSeries): void {
    const { buckets, points, min, max } = series;
    this.weight += points;
    if (buckets.length === 0) return;
    this.min[step] = Math.min(this.min[step], min);
    this.max[step] = Math.max(this.max[step], max);
    const limits = observedLimits(series);
    this.lowest[step] = Math.min(this.lowest[step], limits.min);
    this.highest[step] = Math.max(this.highest[step], limits.max);
    for (const each of buckets) {
      if (each.kind === 'explicit') this.getOrCreateLayout(each.bounds).add(step, each.counts);
      else this.exponential.add(step, each);
    }
  }

  merge(other: HistogramAccumulator, from = 0): void {
    this.weight += other.weight;
    combineInto(this.min, other.min, from, Math.min);
    combineInto(this.max, other.max, from, Math.max);
    combineInto(this.lowest, other.lowest, from, Math.min);
    combineInto(this.highest, other.highest, from, Math.max);
    for (const each of other.explicit) this.getOrCreateLayout(each.bounds).merge(each, from);
    this.exponential.merge(other.exponential, from);
  }

  total(): number {
    const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
    return estimateQuantile([...this.exponential.total(), ...this.explicit.map((each) => each.total())], this.q, {
      min: least(this.min),
      max: most(this.max),
      limits: { min: least(this.lowest), max: most(this.highest) },
    });
  }

  lines(): readonly Float64Array[] {
    return [this.min.map((_min, step) => estimateQuantile(this.bucketsAt(step), this.q, this.rangeAt(step)))];
  }

  private rangeAt(step: number): ObservedRange {
    return {
      min: this.min[step],
      max: this.max[step],
      limits: { min: this.lowest[step], max: this.highest[step] },
    };
  }

  private bucketsAt(step: number): readonly HistogramBuckets[] {
    return [...this.exponential.bucketsAt(step), ...this.explicit.flatMap((each) => each.bucketsAt(step) ?? [])];
  }

  private getOrCreateLayout(bounds: readonly number[]): ExplicitBucketSums {
    if (this.newest !== undefined && compareBounds(this.newest.bounds, bounds) === 0) return this.newest;
    let at = 0;
    while (at < this.explicit.length && compareBounds(this.explicit[at].bounds, bounds) < 0) at++;
    const existing = this.explicit.at(at);
    if (existing !== undefined && compareBounds(existing.bounds, bounds) === 0) return (this.newest = existing);
    this.newest = new ExplicitBucketSums(bounds, this.clock.count);
    this.explicit.splice(at, 0, this.newest);
    return this.newest;
  }
}

/** Combines values by step; `from`: step of `into` that the first of `others` belongs to. */
function combineInto(
  into: Float64Array,
  others: Float64Array,
  from: number,
  pick: (a: number, b: number) => number,
): void {
  others.forEach((other, step) => (into[from + step] = pick(into[from + step], other)));
}

/** Overhead of the counts of a step, and of a step without any. */
const STEP_BYTES = 100;

const SLOT_BYTES = 8;

/** Adds histograms with equal bounds by step. A chart adds tens of thousands, so only the first of a step allocates. */
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

  /** See GroupAccumulator. */
  merge(other: ExplicitBucketSums, from = 0): void {
    other.steps.forEach((counts, step) => {
      if (counts !== undefined) this.add(from + step, counts);
    });
  }

  /** Histogram of a step; undefined if nothing was added. */
  bucketsAt(step: number): ExplicitBuckets | undefined {
    const counts = this.steps[step];
    return counts && { kind: 'explicit', bounds: this.bounds, counts: [...counts] };
  }

  /** Histogram of all steps. */
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

/** Number of histograms collected before they are added up: adding many at once allocates one list of counts. */
const MAX_PENDING = 16;

/** Size of a count, and overhead of a list. */
const COUNT_BYTES = 8;

const LIST_BYTES = 100;
type BucketList = readonly ExponentialBuckets[];

/** Adds exponential histograms by step, lazily. Empty ones add nothing, not even their scale. */
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

  /** See GroupAccumulator. */
  merge(other: ExponentialBucketSums, from: number): void {
    other.steps.forEach((list, step) => this.setStep(from + step, [...this.steps[from + step], ...list]));
  }

  /** Histogram of a step: a list of one, or empty. */
  bucketsAt(step: number): BucketList {
    this.setStep(step, sumList(this.steps[step]));
    return this.steps[step];
  }

  /** Histogram of all steps: a list of one, or empty. */
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
