import type { PackedSink } from '../packed-buckets.js';
import { DenseCounts } from './dense-counts.js';
import type { GroupRow } from './group-row.js';
import { sealRun, type SealedCounts } from './sealed-counts.js';
import type { Latency } from './sketch-row.js';

/** What is added up at the moment. */
const sum = new DenseCounts();

/** The same as SketchRow where there is one step, which few things are added to: an hour that is kept for other frames. */
export class StepSketch implements GroupRow<Latency>, PackedSink {
  readonly count = 1;
  private all: SealedCounts | undefined;
  weight = 0;

  /** As of SketchRow. */
  constructor(
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {}

  get bytes(): number {
    return this.all?.bytes ?? 0;
  }

  add(_step: number, { count, latency }: Latency): void {
    this.weight += count;
    latency.packTo(this);
  }

  merge(other: StepSketch): void {
    this.weight += other.weight;
    if (other.all !== undefined) this.addSealed(other.all);
  }

  total(): number {
    return this.lines()[0][0];
  }

  lines(): readonly Float64Array[] {
    sum.clear();
    this.all?.addTo(sum);
    return this.percentiles.map((p) => Float64Array.of(this.all === undefined ? NaN : sum.percentile(p) / this.unit));
  }

  /** As of SketchRow. */
  counts(): boolean {
    return this.all !== undefined;
  }

  /** As of SketchRow. */
  addTo(into: DenseCounts): void {
    this.all?.addTo(into);
  }

  /** As of SketchRow. */
  sealed(): SealedCounts {
    return this.all!;
  }

  /** Takes in what the sketch that is added hands over. */
  run(bytes: Uint8Array, start: number, end: number): void {
    if (start < end) this.addSealed(sealRun(bytes, start, end));
  }

  private addSealed(counts: SealedCounts): void {
    if (this.all === undefined) {
      this.all = counts;
      return;
    }
    sum.clear();
    this.all.addTo(sum);
    counts.addTo(sum);
    this.all = sum.sealed();
  }
}
