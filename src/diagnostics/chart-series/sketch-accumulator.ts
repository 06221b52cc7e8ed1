import type { PackedBucketSink, Sketch } from '../rollups/sketch.js';
import { DenseSketchCounts } from './dense-sketch-counts.js';
import type { GroupAccumulator, LatencyMeasures } from './group-accumulators.js';
import type { ImmutableSketchCounts } from './immutable-sketch-counts.js';
import type { SingleStepSketchAccumulator } from './single-step-sketch-accumulator.js';

const INITIAL_BYTES = 100;
const INITIAL_ADDITIONS = 4;
const REFERENCE_BYTES = 8;

/**
 * Beyond this many additions per step, one merged addition is smaller than all of them. A rollup rarely adds more
 * often.
 */
const COMPACTION_THRESHOLD = 8;

/** Buffer for sums, shared by all accumulators. */
const sum = new DenseSketchCounts();

/**
 * Sketches of the steps of one group in one array, packed as in rollups: adding one copies its bytes, and an operation
 * with five requests in a minute takes ten. Additions are appended and linked by step; once the array is full and the
 * chains are long, each chain is compacted to one addition, so that memory grows with the distinct counts, not with the
 * number of additions. Merged counts are immutable and shared with their source, as an hour is used by many charts.
 */
export class SketchAccumulator implements GroupAccumulator<LatencyMeasures>, PackedBucketSink {
  private packed = new Uint8Array(INITIAL_BYTES);
  /** End of each addition, which is the start of the next one. Additions count from 1. */
  private ends = new Uint32Array(INITIAL_ADDITIONS);
  /** The previous addition of the same step, 0 if there is none. */
  private previous = new Uint32Array(INITIAL_ADDITIONS);
  /** The newest addition of each step, 0 if there is none. */
  private newest: Uint32Array;
  private additions = 0;
  /** Counts merged into each step. */
  private readonly merged: (ImmutableSketchCounts[] | undefined)[];
  private mergedBytes = 0;
  /** The step to which `appendBytes` adds. */
  private step = 0;
  weight = 0;

  /** One line for each of the percentiles, divided by `unit`; the first percentile ranks the group. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.newest = new Uint32Array(steps);
    this.merged = new Array<ImmutableSketchCounts[] | undefined>(steps).fill(undefined);
  }

  get bytes(): number {
    return (
      this.packed.byteLength +
      this.ends.byteLength +
      this.previous.byteLength +
      this.newest.byteLength +
      REFERENCE_BYTES * this.merged.length +
      this.mergedBytes
    );
  }

  add(step: number, { count, latency }: LatencyMeasures): void {
    this.weight += count;
    this.append(step, latency);
  }

  merge(other: SketchAccumulator | SingleStepSketchAccumulator, from = 0): void {
    this.weight += other.weight;
    for (let step = 0; step < other.count; step++)
      if (other.hasCounts(step)) this.addImmutable(from + step, other.toImmutableCounts(step));
  }

  total(): number {
    sum.clear();
    for (let addition = 1; addition <= this.additions; addition++) this.addAddition(sum, addition);
    for (const each of this.merged) each?.forEach((counts) => counts.addTo(sum));
    return sum.total === 0 ? NaN : sum.percentile(this.percentiles[0]) / this.unit;
  }

  lines(): readonly Float64Array[] {
    const lines = this.percentiles.map(() => new Float64Array(this.newest.length).fill(NaN));
    for (let step = 0; step < this.newest.length; step++) {
      if (!this.hasCounts(step)) continue;
      sum.clear();
      this.addTo(sum, step);
      lines.forEach((line, i) => (line[step] = sum.percentile(this.percentiles[i]) / this.unit));
    }
    return lines;
  }

  /** Number of steps. */
  get count(): number {
    return this.newest.length;
  }

  /** True if the step contains any value. */
  hasCounts(step: number): boolean {
    return this.newest[step] !== 0 || this.merged[step] !== undefined;
  }

  /** Adds the counts of the step to `into`. */
  addTo(into: DenseSketchCounts, step: number): void {
    this.addChain(into, step);
    this.merged[step]?.forEach((counts) => counts.addTo(into));
  }

  /** Immutable counts of the step, which MUST contain a value. */
  toImmutableCounts(step: number): ImmutableSketchCounts {
    const stepCounts = new DenseSketchCounts();
    this.addTo(stepCounts, step);
    return stepCounts.toImmutableCounts();
  }

  /** Receives the packed counts of the sketch being added. */
  appendBytes(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    this.reserve(end - start);
    const addition = ++this.additions;
    const from = this.ends[addition - 1];
    this.packed.set(bytes.subarray(start, end), from);
    this.ends[addition] = from + end - start;
    this.previous[addition] = this.newest[this.step];
    this.newest[this.step] = addition;
  }

  private append(step: number, latency: Pick<Sketch, 'packTo'>): void {
    if (this.additions + 1 === this.ends.length && this.additions > COMPACTION_THRESHOLD * this.newest.length)
      this.compact();
    this.step = step;
    latency.packTo(this);
  }

  private addChain(into: DenseSketchCounts, step: number): void {
    for (let addition = this.newest[step]; addition !== 0; addition = this.previous[addition])
      this.addAddition(into, addition);
  }

  private addImmutable(step: number, counts: ImmutableSketchCounts): void {
    (this.merged[step] ??= []).push(counts);
    this.mergedBytes += counts.bytes;
  }

  private addAddition(into: DenseSketchCounts, addition: number): void {
    into.appendBytes(this.packed, this.ends[addition - 1], this.ends[addition]);
  }

  /** Ensures capacity for one more addition of this many bytes. */
  private reserve(extraBytes: number): void {
    const bytes = this.ends[this.additions] + extraBytes;
    if (bytes > this.packed.length) this.packed = copyInto(this.packed, new Uint8Array(2 * bytes));
    if (this.additions + 1 < this.ends.length) return;
    this.ends = copyInto(this.ends, new Uint32Array(2 * this.ends.length));
    this.previous = copyInto(this.previous, new Uint32Array(2 * this.previous.length));
  }

  /** Merges the additions of each step into one; keeps the capacity for further ones. */
  private compact(): void {
    const compact = new SketchAccumulator(this.newest.length, this.percentiles, this.unit);
    const stepCounts = new DenseSketchCounts();
    for (let step = 0; step < this.count; step++) {
      if (this.newest[step] === 0) continue;
      stepCounts.clear();
      this.addChain(stepCounts, step);
      compact.append(step, stepCounts);
    }
    this.packed = compact.packed;
    this.ends.set(compact.ends.subarray(0, compact.additions + 1));
    this.previous.fill(0);
    this.newest = compact.newest;
    this.additions = compact.additions;
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
