import type { ExponentialBuckets } from '../../telemetry/distribution.js';
import { isEmptyExponential, sumExponential } from '../exponential-buckets.js';

/** Histograms that wait to be added up: many at once cost one list of counts. */
const WAITING = 16;

/** Of a bucket's count, and of the list around them. */
const COUNT_BYTES = 8;
const LIST_BYTES = 100;

type List = readonly ExponentialBuckets[];

/** Exponential histograms by step, one a step once it is asked for. Empty ones add nothing, not even their scale. */
export class ExponentialLists {
  private readonly steps: List[];
  bytes = 0;

  constructor(steps: number) {
    this.steps = new Array<List>(steps).fill([]);
  }

  add(step: number, buckets: ExponentialBuckets): void {
    if (isEmptyExponential(buckets)) return;
    this.put(step, [...this.steps[step], buckets]);
    if (this.steps[step].length >= WAITING) this.of(step);
  }

  /** As of GroupRow. */
  merge(other: ExponentialLists, from: number): void {
    other.steps.forEach((list, step) => this.put(from + step, [...this.steps[from + step], ...list]));
  }

  /** Of a step: one, or none. */
  of(step: number): List {
    this.put(step, sumOf(this.steps[step]));
    return this.steps[step];
  }

  /** Of all steps: one, or none. */
  total(): List {
    return sumOf(this.steps.flatMap((_list, step) => this.of(step)));
  }

  private put(step: number, list: List): void {
    this.bytes += bytesOf(list) - bytesOf(this.steps[step]);
    this.steps[step] = list;
  }
}

function sumOf(list: List): List {
  return list.length > 1 ? [sumExponential(list)] : list;
}

function bytesOf(list: List): number {
  return list.reduce((sum, { positive, negative }) => sum + LIST_BYTES + COUNT_BYTES * (positive.counts.length + negative.counts.length), 0);
}
