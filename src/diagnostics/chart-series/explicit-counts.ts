import type { ExplicitBuckets } from '../../telemetry/distribution.js';

/** What is around the counts of a step, and the place of a step without any. */
const STEP_BYTES = 100;
const PLACE_BYTES = 8;

/** Histograms of the same bounds, added up by step: tens of thousands a chart, so that adding one allocates nothing but the first of a step. */
export class ExplicitCounts {
  private readonly steps: (Float64Array | undefined)[];
  bytes: number;

  constructor(
    readonly bounds: readonly number[],
    steps: number,
  ) {
    this.steps = new Array<Float64Array | undefined>(steps).fill(undefined);
    this.bytes = PLACE_BYTES * steps;
  }

  add(step: number, counts: ArrayLike<number>): void {
    const sums = this.at(step);
    for (let i = 0; i < sums.length; i++) sums[i] += counts[i];
  }

  /** As of GroupRow. */
  merge(other: ExplicitCounts, from = 0): void {
    other.steps.forEach((counts, step) => {
      if (counts !== undefined) this.add(from + step, counts);
    });
  }

  /** Of a step; undefined where nothing was added. */
  of(step: number): ExplicitBuckets | undefined {
    const counts = this.steps[step];
    return counts && { kind: 'explicit', bounds: this.bounds, counts: [...counts] };
  }

  /** Of all steps. */
  total(): ExplicitBuckets {
    const sums = new Array<number>(this.bounds.length + 1).fill(0);
    for (const counts of this.steps) counts?.forEach((count, i) => (sums[i] += count));
    return { kind: 'explicit', bounds: this.bounds, counts: sums };
  }

  private at(step: number): Float64Array {
    const known = this.steps[step];
    if (known !== undefined) return known;
    const counts = new Float64Array(this.bounds.length + 1);
    this.bytes += STEP_BYTES + counts.byteLength;
    return (this.steps[step] = counts);
  }
}
