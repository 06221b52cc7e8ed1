import type { ChartFold } from '../../diagnostics/chart-series/fold.js';

const HOUR = 60;

/** Folds hours one after the other, each by itself, as their rollups come in order of time. */
export class HoursInOrder {
  private current: ChartFold;

  /** `done` is told of each hour once it is over, with its first minute since 1970; also of those without any rollups. */
  constructor(
    private readonly fold: ChartFold,
    private hour: number,
    private readonly done: (hour: number, folded: ChartFold) => void,
  ) {
    this.current = fold.hour(hour);
  }

  /** The fold of the hour that begins at this minute. No rollups of the hours before it may come any more. */
  at(minute: number): ChartFold {
    while (this.hour < minute) {
      this.done(this.hour, this.current);
      this.hour += HOUR;
      this.current = this.fold.hour(this.hour);
    }
    return this.current;
  }
}
