import type { Measures } from '../rollups/rollup-types.js';
import type { StepClock } from './chart-window.js';

/** Accumulates the values of one group by step. NaN means no value; results are not rounded. */
export interface GroupAccumulator<Item> {
  /** Number of requests, log records or data points added; determines which groups are merged first. */
  readonly weight: number;
  /** Approximate memory. */
  readonly bytes: number;
  add(step: number, item: Item): void;
  /**
   * Adds the values of another accumulator; its first step is added to step `from` (default 0), and all of its steps
   * MUST exist here. It MUST be of the same class, or of one that this class is documented to accept (see
   * `createSharedAccumulator` of ChartGroups).
   */
  merge(other: GroupAccumulator<Item>, from?: number): void;
  /** The value over the whole window, computed from all steps. */
  total(): number;
  /** Values by step: one list per line of the group; only `latency` has more than one. */
  lines(): readonly Float64Array[];
}

/** Requests or calls with the sketch of their latencies. */
export type LatencyMeasures = Pick<Measures, 'count' | 'latency'>;

/** A value computed from a few sums. */
export interface SumMeasure<Item> {
  /** The first field is the number of measurements: where it is 0, there is no value, or `empty`. */
  readonly fields: readonly ((item: Item) => number)[];
  /** Value from the sums starting at `at`, over this many seconds. */
  value(sums: Float64Array, at: number, seconds: number): number;
  /** Value of a step without measurements; absent: a gap. */
  readonly empty?: number;
}

const BYTES_PER_NUMBER = Float64Array.BYTES_PER_ELEMENT;

/** Sums by step, a few numbers each. */
export class SumAccumulator<Item> implements GroupAccumulator<Item> {
  private readonly sums: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly measure: SumMeasure<Item>,
  ) {
    this.sums = new Float64Array(clock.count * measure.fields.length);
  }

  get bytes(): number {
    return this.sums.length * BYTES_PER_NUMBER;
  }

  add(step: number, item: Item): void {
    const { fields } = this.measure;
    const at = step * fields.length;
    const count = fields[0](item);
    this.weight += count;
    this.sums[at] += count;
    for (let i = 1; i < fields.length; i++) this.sums[at + i] += fields[i](item);
  }

  merge(other: SumAccumulator<Item>, from = 0): void {
    this.weight += other.weight;
    const first = from * this.measure.fields.length;
    for (let i = 0; i < other.sums.length; i++) this.sums[first + i] += other.sums[i];
  }

  total(): number {
    const { fields } = this.measure;
    const sum = new Float64Array(fields.length);
    for (let i = 0; i < this.sums.length; i++) sum[i % fields.length] += this.sums[i];
    return sum[0] === 0 ? NaN : this.measure.value(sum, 0, this.clock.allSeconds);
  }

  lines(): readonly Float64Array[] {
    const { fields, empty = NaN } = this.measure;
    return [
      this.clock.seconds.map((seconds, step) =>
        this.sums[step * fields.length] === 0 ? empty : this.measure.value(this.sums, step * fields.length, seconds),
      ),
    ];
  }
}

/** The smallest or the largest value of each step; NaN adds nothing. */
export class ExtremeAccumulator<Item> implements GroupAccumulator<Item> {
  private readonly values: Float64Array;
  weight = 0;

  constructor(
    clock: StepClock,
    private readonly extreme: (a: number, b: number) => number,
    private readonly valueOf: (item: Item) => number,
    private readonly pointsOf: (item: Item) => number,
  ) {
    this.values = new Float64Array(clock.count).fill(NaN);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  add(step: number, item: Item): void {
    this.weight += this.pointsOf(item);
    this.values[step] = this.combine(this.values[step], this.valueOf(item));
  }

  merge(other: ExtremeAccumulator<Item>, from = 0): void {
    this.weight += other.weight;
    other.values.forEach((value, step) => (this.values[from + step] = this.combine(this.values[from + step], value)));
  }

  total(): number {
    return this.values.reduce((a, b) => this.combine(a, b), NaN);
  }

  lines(): readonly Float64Array[] {
    return [this.values];
  }

  private combine(a: number, b: number): number {
    if (Number.isNaN(a)) return b;
    return Number.isNaN(b) ? a : this.extreme(a, b);
  }
}

/** Two ways of measuring the items of one group. */
export interface MeasurePair<Item> {
  readonly createFirst: () => GroupAccumulator<Item>;
  readonly createSecond: () => GroupAccumulator<Item>;
  readonly belongsToFirst: (item: Item) => boolean;
  /** Combines both values; either or both may be NaN (no value). */
  readonly combine: (first: number, second: number) => number;
}

/**
 * A group whose items are measured in two ways, such as histograms and summaries of one name. Most groups contain only
 * one kind.
 */
export class PairedAccumulator<Item> implements GroupAccumulator<Item> {
  private first: GroupAccumulator<Item> | undefined;
  private second: GroupAccumulator<Item> | undefined;

  constructor(
    private readonly steps: number,
    private readonly pair: MeasurePair<Item>,
  ) {}

  get weight(): number {
    return (this.first?.weight ?? 0) + (this.second?.weight ?? 0);
  }

  get bytes(): number {
    return (this.first?.bytes ?? 0) + (this.second?.bytes ?? 0);
  }

  add(step: number, item: Item): void {
    const accumulator = this.pair.belongsToFirst(item)
      ? (this.first ??= this.pair.createFirst())
      : (this.second ??= this.pair.createSecond());
    accumulator.add(step, item);
  }

  merge({ first, second }: PairedAccumulator<Item>, from?: number): void {
    if (first !== undefined) (this.first ??= this.pair.createFirst()).merge(first, from);
    if (second !== undefined) (this.second ??= this.pair.createSecond()).merge(second, from);
  }

  total(): number {
    return this.pair.combine(this.first?.total() ?? NaN, this.second?.total() ?? NaN);
  }

  lines(): readonly Float64Array[] {
    const [[firstLine], [secondLine]] = [this.first, this.second].map(
      (accumulator) => accumulator?.lines() ?? [new Float64Array(this.steps).fill(NaN)],
    );
    return [firstLine.map((value, step) => this.pair.combine(value, secondLine[step]))];
  }
}
