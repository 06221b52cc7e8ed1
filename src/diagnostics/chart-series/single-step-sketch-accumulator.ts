import type { PackedBucketSink } from '../rollups/sketch-encoding.js';
import { DenseSketchCounts } from './dense-sketch-counts.js';
import type { GroupAccumulator } from './group-accumulators.js';
import { createCountsFromPacked, type ImmutableSketchCounts } from './immutable-sketch-counts.js';
import type { LatencyMeasures } from './sketch-accumulator.js';

/** What is added up at the moment. */
const sum = new DenseSketchCounts();

/** The same as SketchRow where there is one step, which few things are added to: an hour that is kept for other frames. */
export class SingleStepSketchAccumulator implements GroupAccumulator<LatencyMeasures>, PackedBucketSink {
  readonly count = 1;
  private all: ImmutableSketchCounts | undefined;
  weight = 0;

  /** As of SketchRow. */
  constructor(
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {}

  get bytes(): number {
    return this.all?.bytes ?? 0;
  }

  add(_step: number, { count, latency }: LatencyMeasures): void {
    this.weight += count;
    latency.packTo(this);
  }

  merge(other: SingleStepSketchAccumulator): void {
    this.weight += other.weight;
    if (other.all !== undefined) this.addImmutable(other.all);
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
  hasCounts(): boolean {
    return this.all !== undefined;
  }

  /** As of SketchRow. */
  addTo(into: DenseSketchCounts): void {
    this.all?.addTo(into);
  }

  /** As of SketchRow. */
  toImmutableCounts(): ImmutableSketchCounts {
    return this.all!;
  }

  /** Takes in what the sketch that is added hands over. */
  run(bytes: Uint8Array, start: number, end: number): void {
    if (start < end) this.addImmutable(createCountsFromPacked(bytes, start, end));
  }

  private addImmutable(counts: ImmutableSketchCounts): void {
    if (this.all === undefined) {
      this.all = counts;
      return;
    }
    sum.clear();
    this.all.addTo(sum);
    counts.addTo(sum);
    this.all = sum.toImmutableCounts();
  }
}
