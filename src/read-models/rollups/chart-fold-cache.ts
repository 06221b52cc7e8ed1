import type { ChartFold } from '../../diagnostics/chart-series/chart-fold-contract.js';

/** Of a stretch: what is around that which its fold keeps. */
const ENTRY_BYTES = 5_000;

/** An hour or a minute as charts fold it, and which version of it that is: see StoredRun. */
interface CachedFold {
  readonly version: number;
  readonly fold: ChartFold;
  readonly bytes: number;
}

/**
 * What charts made of hours and minutes, of all Grids, up to a bound in bytes; those used the longest ago leave first. A
 * week that is asked for again is mostly here. Nobody may change what is given out.
 */
export class ChartFoldCache {
  /** Those used the longest ago first. */
  private readonly stretches = new Map<string, CachedFold>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes in use, about. */
  get size(): number {
    return this.bytes;
  }

  /** Undefined where the stretch has not been folded, or has changed since. */
  get(key: string, version: number): ChartFold | undefined {
    const found = this.stretches.get(key);
    if (found === undefined) return undefined;
    this.forget(key, found);
    if (found.version !== version) return undefined;
    this.keep(key, found);
    return found.fold;
  }

  /** `version`: of the stretch before it was read. */
  put(key: string, version: number, fold: ChartFold): void {
    const known = this.stretches.get(key);
    if (known !== undefined) this.forget(key, known);
    this.keep(key, { version, fold, bytes: ENTRY_BYTES + key.length + fold.kept.bytes });
    for (const [oldest, stretch] of this.stretches) {
      if (this.bytes <= this.maxBytes) return;
      this.forget(oldest, stretch);
    }
  }

  private keep(key: string, stretch: CachedFold): void {
    this.stretches.set(key, stretch);
    this.bytes += stretch.bytes;
  }

  private forget(key: string, { bytes }: CachedFold): void {
    this.stretches.delete(key);
    this.bytes -= bytes;
  }
}

/** Folds stretches of one length one after the other, each by itself, as their rollups come in order of time. */
export class SequentialIntervalFolder {
  private current: ChartFold;

  /** `done` is told of each stretch once it is over, with its first minute since 1970; also of those without any rollups. */
  constructor(
    private readonly fold: ChartFold,
    private readonly minutes: number,
    private from: number,
    private readonly done: (minute: number, folded: ChartFold) => void,
  ) {
    this.current = fold.createBucketFold(from, minutes);
  }

  /** The fold of the stretch that begins at this minute. No rollups of those before it may come any more. */
  advanceTo(minute: number): ChartFold {
    while (this.from < minute) {
      this.done(this.from, this.current);
      this.from += this.minutes;
      this.current = this.fold.createBucketFold(this.from, this.minutes);
    }
    return this.current;
  }
}
