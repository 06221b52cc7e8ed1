import type { PackedBucketSink } from '../rollups/sketch.js';
import { DenseSketchCounts } from './dense-sketch-counts.js';
import type { GroupAccumulator, LatencyMeasures } from './group-accumulators.js';
import { createCountsFromPacked, type ImmutableSketchCounts } from './immutable-sketch-counts.js';

/** Buffer for sums, reused by every call. */
const sum = new DenseSketchCounts();

/** Variant of SketchAccumulator for a single step with few additions: an hour cached for other windows. */
export class SingleStepSketchAccumulator implements GroupAccumulator<LatencyMeasures>, PackedBucketSink {
  readonly count = 1;
  private counts: ImmutableSketchCounts | undefined;
  weight = 0;

  /** See SketchAccumulator. */
  constructor(
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {}

  get bytes(): number {
    return this.counts?.bytes ?? 0;
  }

  add(_step: number, { count, latency }: LatencyMeasures): void {
    this.weight += count;
    latency.packTo(this);
  }

  merge(other: SingleStepSketchAccumulator): void {
    this.weight += other.weight;
    if (other.counts !== undefined) this.addImmutable(other.counts);
  }

  total(): number {
    return this.lines()[0][0];
  }

  lines(): readonly Float64Array[] {
    sum.clear();
    this.counts?.addTo(sum);
    return this.percentiles.map((p) =>
      Float64Array.of(this.counts === undefined ? NaN : sum.percentile(p) / this.unit),
    );
  }

  /** See SketchAccumulator. */
  hasCounts(): boolean {
    return this.counts !== undefined;
  }

  /** See SketchAccumulator. */
  addTo(into: DenseSketchCounts): void {
    this.counts?.addTo(into);
  }

  /** See SketchAccumulator. */
  toImmutableCounts(): ImmutableSketchCounts {
    return this.counts!;
  }

  /** Receives the packed counts of the sketch being added. */
  appendBytes(bytes: Uint8Array, start: number, end: number): void {
    if (start < end) this.addImmutable(createCountsFromPacked(bytes, start, end));
  }

  private addImmutable(counts: ImmutableSketchCounts): void {
    if (this.counts === undefined) {
      this.counts = counts;
      return;
    }
    sum.clear();
    this.counts.addTo(sum);
    counts.addTo(sum);
    this.counts = sum.toImmutableCounts();
  }
}
