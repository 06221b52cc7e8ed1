import type { GroupRow } from './group-row.js';
import type { StepClock } from './step-clock.js';

/** A value that is computed of a few numbers which add up. */
export interface SumMeasure<Of> {
  /** The first one says how much was measured: where it is 0, there is no value, or `empty`. */
  readonly fields: readonly ((of: Of) => number)[];
  /** Of the numbers from `at` on, over so many seconds. */
  value(sums: Float64Array, at: number, seconds: number): number;
  /** The value of a step in which nothing was measured. Absent: none, a gap. */
  readonly empty?: number;
}

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Sums by step, a few numbers each. */
export class NumberRow<Of> implements GroupRow<Of> {
  private readonly sums: Float64Array;
  weight = 0;

  constructor(
    private readonly clock: StepClock,
    private readonly measure: SumMeasure<Of>,
  ) {
    this.sums = new Float64Array(clock.count * measure.fields.length);
  }

  get bytes(): number {
    return this.sums.length * BYTES;
  }

  add(step: number, of: Of): void {
    const { fields } = this.measure;
    const at = step * fields.length;
    const count = fields[0](of);
    this.weight += count;
    this.sums[at] += count;
    for (let i = 1; i < fields.length; i++) this.sums[at + i] += fields[i](of);
  }

  merge(other: NumberRow<Of>, from = 0): void {
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
    return [this.clock.seconds.map((seconds, step) => (this.sums[step * fields.length] === 0 ? empty : this.measure.value(this.sums, step * fields.length, seconds)))];
  }
}
