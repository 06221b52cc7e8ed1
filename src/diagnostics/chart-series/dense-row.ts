import { DenseCounts } from './dense-counts.js';
import type { GroupRow } from './group-row.js';
import type { Latency, SketchRow } from './sketch-row.js';
import type { StepSketch } from './step-sketch.js';

/**
 * The same as SketchRow of what very much is added to, such as all groups together: all counts of a step, to which adding
 * is cheap, and which take no more room however much they count.
 */
export class DenseRow implements GroupRow<Latency> {
  private readonly steps: (DenseCounts | undefined)[];
  weight = 0;
  bytes = 0;

  /** As of SketchRow. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.steps = new Array<DenseCounts | undefined>(steps).fill(undefined);
  }

  add(step: number, { count, latency }: Latency): void {
    if (count === 0) return;
    this.weight += count;
    latency.packTo(this.at(step));
  }

  merge(other: SketchRow | StepSketch | DenseRow, from = 0): void {
    this.weight += other.weight;
    for (let step = 0; step < other.count; step++) if (other.counts(step)) other.addTo(this.at(from + step), step);
  }

  /** Steps. */
  get count(): number {
    return this.steps.length;
  }

  /** Whether anything was counted in the step. */
  counts(step: number): boolean {
    return this.steps[step] !== undefined;
  }

  addTo(sum: DenseCounts, step: number): void {
    this.steps[step]?.addTo(sum);
  }

  total(): number {
    const sum = new DenseCounts();
    for (const counts of this.steps) counts?.addTo(sum);
    return sum.total === 0 ? NaN : sum.percentile(this.percentiles[0]) / this.unit;
  }

  lines(): readonly Float64Array[] {
    return this.percentiles.map((p) => Float64Array.from(this.steps, (counts) => (counts === undefined ? NaN : counts.percentile(p) / this.unit)));
  }

  private at(step: number): DenseCounts {
    const known = this.steps[step];
    if (known !== undefined) return known;
    const counts = (this.steps[step] = new DenseCounts());
    this.bytes += counts.bytes;
    return counts;
  }
}
