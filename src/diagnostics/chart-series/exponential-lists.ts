import type { Buckets, ExponentialBuckets } from '../../telemetry/distribution.js';
import { sumBuckets } from '../buckets.js';

/** Histograms that wait to be added up: many at once cost one list of counts. */
const WAITING = 16;

/** Of a bucket's count, and of the list around them. */
const COUNT_BYTES = 8;
const LIST_BYTES = 100;

/** Exponential histograms by step, one a step once it is asked for. */
export class ExponentialLists {
  private readonly steps: (readonly Buckets[])[];
  bytes = 0;

  constructor(steps: number) {
    this.steps = new Array<readonly Buckets[]>(steps).fill([]);
  }

  add(step: number, buckets: ExponentialBuckets): void {
    this.put(step, [...this.steps[step], buckets]);
    if (this.steps[step].length >= WAITING) this.of(step);
  }

  merge(other: ExponentialLists): void {
    other.steps.forEach((list, step) => this.put(step, [...this.steps[step], ...list]));
  }

  /** Of a step: one, or none. */
  of(step: number): readonly Buckets[] {
    const list = this.steps[step];
    if (list.length > 1) this.put(step, sumBuckets([list]));
    return this.steps[step];
  }

  /** Of all steps. */
  total(): readonly Buckets[] {
    return sumBuckets(this.steps.map((_list, step) => this.of(step)));
  }

  private put(step: number, list: readonly Buckets[]): void {
    this.bytes += bytesOf(list) - bytesOf(this.steps[step]);
    this.steps[step] = list;
  }
}

function bytesOf(list: readonly Buckets[]): number {
  return list.reduce((sum, each) => sum + LIST_BYTES + (each.kind === 'explicit' ? 0 : COUNT_BYTES * (each.positive.counts.length + each.negative.counts.length)), 0);
}
