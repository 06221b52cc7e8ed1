import type { PackedBucketSink } from '../rollups/sketch-encoding.js';
import type { Measures } from '../rollups/rollup-types.js';
import type { Sketch } from '../rollups/sketch.js';
import { DenseSketchCounts } from './dense-sketch-counts.js';
import type { GroupAccumulator } from './group-accumulators.js';
import type { ImmutableSketchCounts } from './immutable-sketch-counts.js';
import type { SingleStepSketchAccumulator } from './single-step-sketch-accumulator.js';

const FIRST_BYTES = 100;
const FIRST_ADDITIONS = 4;
const REFERENCE_BYTES = 8;

/** Past so many additions a step, one of them takes less room than all. A rollup hardly ever adds more often. */
const MANY_ADDITIONS = 8;

/** What is added up at the moment: of thousands of rows, one after the other. */
const sum = new DenseSketchCounts();

export type LatencyMeasures = Pick<Measures, 'count' | 'latency'>;

/**
 * Sketches of the steps of one group in one array, packed as rollups keep them: to add one is to copy its bytes, and an
 * operation that had five requests in a minute takes ten. What is added stands behind what was, chained by step; once
 * the array is full and chains are long, they become one addition each, so that a row grows with what it counts and not
 * with how often. What is merged is sealed, and shared with the row that it comes from: an hour is in many charts.
 */
export class SketchAccumulator implements GroupAccumulator<LatencyMeasures>, PackedBucketSink {
  private bytesOfAll = new Uint8Array(FIRST_BYTES);
  /** Where each addition ends; it begins where the one before it ends. Additions count from 1, where nothing stands before. */
  private ends = new Uint32Array(FIRST_ADDITIONS);
  /** The addition before it in the same step. 0: there is none. */
  private before = new Uint32Array(FIRST_ADDITIONS);
  /** The newest addition of each step. */
  private chains: Uint32Array;
  private additions = 0;
  /** What was merged into each step. */
  private readonly merged: (ImmutableSketchCounts[] | undefined)[];
  private mergedBytes = 0;
  /** The step that is added to. */
  private step = 0;
  weight = 0;

  /** A line for each of the percentiles, in `unit` of what sketches count; the first one ranks. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.chains = new Uint32Array(steps);
    this.merged = new Array<ImmutableSketchCounts[] | undefined>(steps).fill(undefined);
  }

  get bytes(): number {
    return (
      this.bytesOfAll.byteLength +
      this.ends.byteLength +
      this.before.byteLength +
      this.chains.byteLength +
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
    const lines = this.percentiles.map(() => new Float64Array(this.chains.length).fill(NaN));
    for (let step = 0; step < this.chains.length; step++) {
      if (!this.hasCounts(step)) continue;
      sum.clear();
      this.addTo(sum, step);
      lines.forEach((line, i) => (line[step] = sum.percentile(this.percentiles[i]) / this.unit));
    }
    return lines;
  }

  /** Steps. */
  get count(): number {
    return this.chains.length;
  }

  /** Whether anything was counted in the step. */
  hasCounts(step: number): boolean {
    return this.chains[step] !== 0 || this.merged[step] !== undefined;
  }

  /** Adds what was counted in the step. */
  addTo(into: DenseSketchCounts, step: number): void {
    this.addChain(into, step);
    this.merged[step]?.forEach((counts) => counts.addTo(into));
  }

  /** What was counted in the step, for good; there is something. */
  toImmutableCounts(step: number): ImmutableSketchCounts {
    const ofStep = new DenseSketchCounts();
    this.addTo(ofStep, step);
    return ofStep.toImmutableCounts();
  }

  /** Takes in what the sketch that is added hands over. */
  run(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    this.reserve(end - start);
    const addition = ++this.additions;
    const from = this.ends[addition - 1];
    this.bytesOfAll.set(bytes.subarray(start, end), from);
    this.ends[addition] = from + end - start;
    this.before[addition] = this.chains[this.step];
    this.chains[this.step] = addition;
  }

  private append(step: number, latency: Pick<Sketch, 'packTo'>): void {
    if (this.additions + 1 === this.ends.length && this.additions > MANY_ADDITIONS * this.chains.length) this.compact();
    this.step = step;
    latency.packTo(this);
  }

  private addChain(into: DenseSketchCounts, step: number): void {
    for (let addition = this.chains[step]; addition !== 0; addition = this.before[addition])
      this.addAddition(into, addition);
  }

  private addImmutable(step: number, counts: ImmutableSketchCounts): void {
    (this.merged[step] ??= []).push(counts);
    this.mergedBytes += counts.bytes;
  }

  private addAddition(into: DenseSketchCounts, addition: number): void {
    into.run(this.bytesOfAll, this.ends[addition - 1], this.ends[addition]);
  }

  /** Makes room for one more addition of so many bytes. */
  private reserve(more: number): void {
    const bytes = this.ends[this.additions] + more;
    if (bytes > this.bytesOfAll.length) this.bytesOfAll = copyInto(this.bytesOfAll, new Uint8Array(2 * bytes));
    if (this.additions + 1 < this.ends.length) return;
    this.ends = copyInto(this.ends, new Uint32Array(2 * this.ends.length));
    this.before = copyInto(this.before, new Uint32Array(2 * this.before.length));
  }

  /** One addition a step, and room for as many as there were. */
  private compact(): void {
    const compact = new SketchAccumulator(this.chains.length, this.percentiles, this.unit);
    const ofStep = new DenseSketchCounts();
    for (let step = 0; step < this.count; step++) {
      if (this.chains[step] === 0) continue;
      ofStep.clear();
      this.addChain(ofStep, step);
      compact.append(step, ofStep);
    }
    this.bytesOfAll = compact.bytesOfAll;
    this.ends.set(compact.ends.subarray(0, compact.additions + 1));
    this.before.fill(0);
    this.chains = compact.chains;
    this.additions = compact.additions;
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
