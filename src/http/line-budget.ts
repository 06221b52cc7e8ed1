const INTERVAL_MS = 1_000;

/**
 * Lets at most one log line a second through, of many alike: a log that grows as fast as the load, or as somebody outside likes, is an
 * outage of its own.
 */
export class LineBudget {
  private lastAt = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  /** @param now ms of any clock that goes on */
  constructor(private readonly now: () => number) {}

  /** How many lines were left out since the last one, for this one to tell; undefined where it has to be left out itself. */
  take(): number | undefined {
    if (this.now() - this.lastAt < INTERVAL_MS) {
      this.leftOut++;
      return undefined;
    }
    const { leftOut } = this;
    this.lastAt = this.now();
    this.leftOut = 0;
    return leftOut;
  }
}
