import { Sketch } from '../sketch.js';
import type { GroupRow } from './group-row.js';
import type { Latency, SketchRow } from './sketch-row.js';

/** Memory of a sketch of latencies, about: a dozen octaves. */
const SKETCH_BYTES = 4_096;

/**
 * The same as SketchRow of what very much is added to, such as all groups together: a sketch a step, to which adding is
 * cheap, and which takes no more room however much it counts.
 */
export class SketchesRow implements GroupRow<Latency> {
  private readonly sketches: (Sketch | undefined)[];
  weight = 0;
  bytes = 0;

  /** As of SketchRow. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.sketches = new Array<Sketch | undefined>(steps);
  }

  add(step: number, { latency }: Latency): void {
    const sketch = this.sketchOf(step);
    const before = sketch.count;
    sketch.merge(latency);
    this.weight += sketch.count - before;
  }

  merge(other: SketchRow | SketchesRow): void {
    this.weight += other.weight;
    for (let step = 0; step < this.sketches.length; step++) if (other.counts(step)) other.addTo(this.sketchOf(step), step);
  }

  /** Whether anything was counted in the step. */
  counts(step: number): boolean {
    return this.sketches[step] !== undefined;
  }

  addTo(sum: Sketch, step: number): void {
    this.sketches[step]?.addTo(sum);
  }

  total(): number {
    const sum = new Sketch();
    for (const sketch of this.sketches) sketch?.addTo(sum);
    return sum.count === 0 ? NaN : sum.percentile(this.percentiles[0]) / this.unit;
  }

  lines(): readonly Float64Array[] {
    return this.percentiles.map((p) => Float64Array.from(this.sketches, (sketch) => (sketch === undefined || sketch.count === 0 ? NaN : sketch.percentile(p) / this.unit)));
  }

  private sketchOf(step: number): Sketch {
    const known = this.sketches[step];
    if (known !== undefined) return known;
    this.bytes += SKETCH_BYTES;
    return (this.sketches[step] = new Sketch());
  }
}
