import type { GroupRow } from './group-row.js';

/** A group whose parts are measured in two ways, such as histograms and summaries of one name. */
export class PairedRow<Of> implements GroupRow<Of> {
  /** `together` answers one value for both; NaN stands for none, and one of them may be. */
  constructor(
    private readonly one: GroupRow<Of>,
    private readonly two: GroupRow<Of>,
    private readonly belongsToOne: (of: Of) => boolean,
    private readonly together: (one: number, two: number) => number,
  ) {}

  get weight(): number {
    return this.one.weight + this.two.weight;
  }

  get bytes(): number {
    return this.one.bytes + this.two.bytes;
  }

  add(step: number, of: Of): void {
    (this.belongsToOne(of) ? this.one : this.two).add(step, of);
  }

  merge(other: PairedRow<Of>): void {
    this.one.merge(other.one);
    this.two.merge(other.two);
  }

  total(): number {
    return this.together(this.one.total(), this.two.total());
  }

  lines(): readonly Float64Array[] {
    const twos = this.two.lines();
    return this.one.lines().map((ones, line) => ones.map((one, step) => this.together(one, twos[line][step])));
  }
}
