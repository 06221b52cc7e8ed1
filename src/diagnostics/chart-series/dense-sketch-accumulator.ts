import { DenseSketchCounts } from './dense-sketch-counts.js';
import type { GroupAccumulator, LatencyMeasures } from './group-accumulators.js';
import type { SketchAccumulator } from './sketch-accumulator.js';
import type { SingleStepSketchAccumulator } from './single-step-sketch-accumulator.js';

/**
 * Variant of SketchAccumulator for frequent additions, such as all groups combined: stores every count of a step in a
 * dense array, so that additions are cheap and memory does not grow with their number.
 */
export class DenseSketchAccumulator implements GroupAccumulator<LatencyMeasures> {
  private readonly steps: (DenseSketchCounts | undefined)[];
  weight = 0;
  bytes = 0;

  /** See SketchAccumulator. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.steps = new Array<DenseSketchCounts | undefined>(steps).fill(undefined);
  }

  add(step: number, { count, latency }: LatencyMeasures): void {
    if (count === 0) return;
    this.weight += count;
    latency.packTo(this.getOrCreateCounts(step));
  }

  merge(other: SketchAccumulator | SingleStepSketchAccumulator | DenseSketchAccumulator, from = 0): void {
    this.weight += other.weight;
    for (let step = 0; step < other.count; step++)
      if (other.hasCounts(step)) other.addTo(this.getOrCreateCounts(from + step), step);
  }

  /** Number of steps. */
  get count(): number {
    return this.steps.length;
  }

  /** True if the step contains any value. */
  hasCounts(step: number): boolean {
    return this.steps[step] !== undefined;
  }

  /** Adds the counts of the step to `sum`. */
  addTo(sum: DenseSketchCounts, step: number): void {
    this.steps[step]?.addTo(sum);
  }

  total(): number {
    const sum = new DenseSketchCounts();
    for (const counts of this.steps) counts?.addTo(sum);
    return sum.total === 0 ? NaN : sum.percentile(this.percentiles[0]) / this.unit;
  }

  lines(): readonly Float64Array[] {
    return this.percentiles.map((p) =>
      Float64Array.from(this.steps, (counts) => (counts === undefined ? NaN : counts.percentile(p) / this.unit)),
    );
  }

  private getOrCreateCounts(step: number): DenseSketchCounts {
    const known = this.steps[step];
    if (known !== undefined) return known;
    const counts = (this.steps[step] = new DenseSketchCounts());
    this.bytes += counts.bytes;
    return counts;
  }
}
