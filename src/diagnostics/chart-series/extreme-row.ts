import type { GroupRow } from './group-row.js';
import type { StepClock } from './step-clock.js';

/** The smallest or the largest value of each step. What has none is NaN, and adds nothing. */
export class ExtremeRow<Of> implements GroupRow<Of> {
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
    this.values[step] = this.of(this.values[step], this.valueOf(of));
  }

  merge(other: ExtremeRow<Of>, from = 0): void {
    this.weight += other.weight;
    other.values.forEach((value, step) => (this.values[from + step] = this.of(this.values[from + step], value)));
  }

  total(): number {
    return this.values.reduce((a, b) => this.of(a, b), NaN);
  }

  lines(): readonly Float64Array[] {
    return [this.values];
  }

  private of(a: number, b: number): number {
    if (Number.isNaN(a)) return b;
    return Number.isNaN(b) ? a : this.extreme(a, b);
  }
}
