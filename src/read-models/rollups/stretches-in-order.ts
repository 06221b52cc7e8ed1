import type { ChartFold } from '../../diagnostics/chart-series/fold.js';

/** Folds stretches of one length one after the other, each by itself, as their rollups come in order of time. */
export class StretchesInOrder {
  private current: ChartFold;

  /** `done` is told of each stretch once it is over, with its first minute since 1970; also of those without any rollups. */
  constructor(
    private readonly fold: ChartFold,
    private readonly minutes: number,
    private from: number,
    private readonly done: (minute: number, folded: ChartFold) => void,
  ) {
    this.current = fold.stretch(from, minutes);
  }

  /** The fold of the stretch that begins at this minute. No rollups of those before it may come any more. */
  at(minute: number): ChartFold {
    while (this.from < minute) {
      this.done(this.from, this.current);
      this.from += this.minutes;
      this.current = this.fold.stretch(this.from, this.minutes);
    }
    return this.current;
  }
}
