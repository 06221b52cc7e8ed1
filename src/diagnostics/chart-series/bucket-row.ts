import type { Buckets } from '../../telemetry/distribution.js';
import { sumAllLayouts } from '../buckets.js';
import { quantileOf } from './bucket-quantile.js';
import type { GroupRow } from './group-row.js';
import type { SeriesOf } from './series-row.js';
import type { StepClock } from './step-clock.js';

type Lists = (readonly Buckets[])[];

/** Histograms that wait to be added up: many at once cost one list of counts. */
const WAITING = 16;

/** Of a bucket's count, and of the list around them. */
const COUNT_BYTES = 8;
const LIST_BYTES = 100;

/** A percentile of the observations in each step, from their buckets. Series that told none add nothing. */
export class BucketRow implements GroupRow<SeriesOf> {
  private readonly cells: (Lists | undefined)[];
  /** NaN once a series did not tell them. */
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  weight = 0;
  bytes: number;

  constructor(
    clock: StepClock,
    private readonly q: number,
  ) {
    this.cells = new Array<Lists | undefined>(clock.count).fill(undefined);
    this.min = new Float64Array(clock.count).fill(Infinity);
    this.max = new Float64Array(clock.count).fill(-Infinity);
    this.bytes = this.min.byteLength + this.max.byteLength;
  }

  add(step: number, { series }: SeriesOf): void {
    const { buckets, points, min, max } = series;
    this.weight += points;
    if (buckets.length === 0) return;
    this.min[step] = Math.min(this.min[step], min);
    this.max[step] = Math.max(this.max[step], max);
    this.append(step, buckets);
  }

  merge(other: BucketRow): void {
    this.weight += other.weight;
    other.cells.forEach((lists, step) => {
      this.min[step] = Math.min(this.min[step], other.min[step]);
      this.max[step] = Math.max(this.max[step], other.max[step]);
      for (const buckets of lists ?? []) this.append(step, buckets);
    });
  }

  total(): number {
    const min = this.min.reduce((a, b) => Math.min(a, b), Infinity);
    const max = this.max.reduce((a, b) => Math.max(a, b), -Infinity);
    return this.quantile(this.cells.map((_lists, step) => this.at(step)), min, max);
  }

  lines(): readonly Float64Array[] {
    return [this.min.map((min, step) => this.quantile([this.at(step)], min, this.max[step]))];
  }

  private append(step: number, buckets: readonly Buckets[]): void {
    const lists = (this.cells[step] ??= []);
    lists.push(buckets);
    this.bytes += bytesOf(buckets);
    if (lists.length >= WAITING) this.at(step);
  }

  /** All that was added in a step, which is one list from now on. */
  private at(step: number): readonly Buckets[] {
    const lists = this.cells[step];
    if (lists === undefined) return [];
    if (lists.length === 1) return lists[0];
    const sum = sumAllLayouts(lists);
    for (const each of lists) this.bytes -= bytesOf(each);
    this.bytes += bytesOf(sum);
    this.cells[step] = [sum];
    return sum;
  }

  private quantile(lists: Lists, min: number, max: number): number {
    return quantileOf(sumAllLayouts(lists), this.q, { min, max });
  }
}

function bytesOf(buckets: readonly Buckets[]): number {
  return buckets.reduce((sum, each) => sum + LIST_BYTES + COUNT_BYTES * (each.kind === 'explicit' ? each.counts.length : each.positive.counts.length + each.negative.counts.length), 0);
}
