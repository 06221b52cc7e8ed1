import type { GroupRow } from './group-row.js';

/** Two ways of measuring. */
export interface Pair<Of> {
  readonly newOne: () => GroupRow<Of>;
  readonly newTwo: () => GroupRow<Of>;
  readonly belongsToOne: (of: Of) => boolean;
  /** One value for both; NaN stands for none, and one of them may be. */
  readonly together: (one: number, two: number) => number;
}

/** A group whose parts are measured in two ways, such as histograms and summaries of one name. Most have parts of one kind only. */
export class PairedRow<Of> implements GroupRow<Of> {
  private one: GroupRow<Of> | undefined;
  private two: GroupRow<Of> | undefined;

  constructor(
    private readonly steps: number,
    private readonly pair: Pair<Of>,
  ) {}

  get weight(): number {
    return (this.one?.weight ?? 0) + (this.two?.weight ?? 0);
  }

  get bytes(): number {
    return (this.one?.bytes ?? 0) + (this.two?.bytes ?? 0);
  }

  add(step: number, of: Of): void {
    const row = this.pair.belongsToOne(of) ? (this.one ??= this.pair.newOne()) : (this.two ??= this.pair.newTwo());
    row.add(step, of);
  }

  merge({ one, two }: PairedRow<Of>, from?: number): void {
    if (one !== undefined) (this.one ??= this.pair.newOne()).merge(one, from);
    if (two !== undefined) (this.two ??= this.pair.newTwo()).merge(two, from);
  }

  total(): number {
    return this.pair.together(this.one?.total() ?? NaN, this.two?.total() ?? NaN);
  }

  lines(): readonly Float64Array[] {
    const [[ones], [twos]] = [this.one, this.two].map((row) => row?.lines() ?? [new Float64Array(this.steps).fill(NaN)]);
    return [ones.map((one, step) => this.pair.together(one, twos[step]))];
  }
}
