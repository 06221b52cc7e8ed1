import type { StepClock } from './chart-window.js';

/**
 * What one group adds up to, by step: all that is kept of it. NaN stands for nothing measured; what is given out is not
 * rounded.
 */
export interface GroupAccumulator<Of> {
  /** How much was added: requests, log records, data points. Says which groups count least. */
  readonly weight: number;
  /** Memory, roughly. */
  readonly bytes: number;
  add(step: number, of: Of): void;
  /**
   * Adds all that another row has; its first step counts in step `from` (0), and all of its steps MUST have one here. It MUST
   * be of the same class, or one that this class is said to take (see `newSharedRow` of Groups).
   */
  merge(other: GroupAccumulator<Of>, from?: number): void;
  /** The value over the whole frame, computed from everything added up. */
  total(): number;
  /** Values by step: a list for each line that the group is drawn as, which is one but for `latency`. */
  lines(): readonly Float64Array[];
}

/** A value that is computed of a few numbers which add up. */
export interface SumMeasure<Of> {
  /** The first one says how much was measured: where it is 0, there is no value, or `empty`. */
  readonly fields: readonly ((of: Of) => number)[];
  /** Of the numbers from `at` on, over so many seconds. */
  value(sums: Float64Array, at: number, seconds: number): number;
  /** The value of a step in which nothing was measured. Absent: none, a gap. */
  readonly empty?: number;
}

const BYTES_PER_NUMBER = Float64Array.BYTES_PER_ELEMENT;

/** Sums by step, a few numbers each. */
export class SumAccumulator<Of> implements GroupAccumulator<Of> {
  private readonly sums: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly measure: SumMeasure<Of>,
  ) {
    this.sums = new Float64Array(clock.count * measure.fields.length);
  }

  get bytes(): number {
    return this.sums.length * BYTES_PER_NUMBER;
  }

  add(step: number, of: Of): void {
    const { fields } = this.measure;
    const at = step * fields.length;
    const count = fields[0](of);
    this.weight += count;
    this.sums[at] += count;
    for (let i = 1; i < fields.length; i++) this.sums[at + i] += fields[i](of);
  }

  merge(other: SumAccumulator<Of>, from = 0): void {
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

/** The smallest or the largest value of each step. What has none is NaN, and adds nothing. */
export class ExtremeAccumulator<Of> implements GroupAccumulator<Of> {
  private readonly values: Float64Array;
  weight = 0;

  constructor(
    clock: StepClock,
    private readonly extreme: (a: number, b: number) => number,
    private readonly valueOf: (of: Of) => number,
    private readonly pointsOf: (of: Of) => number,
  ) {
    this.values = new Float64Array(clock.count).fill(NaN);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  add(step: number, of: Of): void {
    this.weight += this.pointsOf(of);
    this.values[step] = this.combine(this.values[step], this.valueOf(of));
  }

  merge(other: ExtremeAccumulator<Of>, from = 0): void {
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

/** Two ways of measuring. */
export interface MeasurePair<Of> {
  readonly createFirst: () => GroupAccumulator<Of>;
  readonly createSecond: () => GroupAccumulator<Of>;
  readonly belongsToFirst: (of: Of) => boolean;
  /** One value for both; NaN stands for none, and one of them may be. */
  readonly combine: (one: number, two: number) => number;
}

/** A group whose parts are measured in two ways, such as histograms and summaries of one name. Most have parts of one kind only. */
export class PairedAccumulator<Of> implements GroupAccumulator<Of> {
  private one: GroupAccumulator<Of> | undefined;
  private two: GroupAccumulator<Of> | undefined;

  constructor(
    private readonly steps: number,
    private readonly pair: MeasurePair<Of>,
  ) {}

  get weight(): number {
    return (this.one?.weight ?? 0) + (this.two?.weight ?? 0);
  }

  get bytes(): number {
    return (this.one?.bytes ?? 0) + (this.two?.bytes ?? 0);
  }

  add(step: number, of: Of): void {
    const row = this.pair.belongsToFirst(of)
      ? (this.one ??= this.pair.createFirst())
      : (this.two ??= this.pair.createSecond());
    row.add(step, of);
  }

  merge({ one, two }: PairedAccumulator<Of>, from?: number): void {
    if (one !== undefined) (this.one ??= this.pair.createFirst()).merge(one, from);
    if (two !== undefined) (this.two ??= this.pair.createSecond()).merge(two, from);
  }

  total(): number {
    return this.pair.combine(this.one?.total() ?? NaN, this.two?.total() ?? NaN);
  }

  lines(): readonly Float64Array[] {
    const [[ones], [twos]] = [this.one, this.two].map(
      (row) => row?.lines() ?? [new Float64Array(this.steps).fill(NaN)],
    );
    return [ones.map((one, step) => this.pair.combine(one, twos[step]))];
  }
}
