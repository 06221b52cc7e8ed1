import type { ChartFold } from '../../diagnostics/chart-series/fold.js';

/** Of an hour: what is around that which its fold keeps. */
const HOUR_BYTES = 5_000;

/** An hour as charts fold it, and which version of the hour that is: see StoredRun. */
interface FoldedHour {
  readonly version: number;
  readonly fold: ChartFold;
  readonly bytes: number;
}

/**
 * What charts made of hours that are over, of all Grids, up to a bound in bytes; those used the longest ago leave first. A
 * week that is asked for again is mostly here. Nobody may change what is given out.
 */
export class FoldedHours {
  /** Those used the longest ago first. */
  private readonly hours = new Map<string, FoldedHour>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes in use, about. */
  get size(): number {
    return this.bytes;
  }

  /** Undefined where the hour has not been folded, or has changed since. */
  get(key: string, version: number): ChartFold | undefined {
    const found = this.hours.get(key);
    if (found === undefined) return undefined;
    this.forget(key, found);
    if (found.version !== version) return undefined;
    this.keep(key, found);
    return found.fold;
  }

  /** `version`: of the hour before it was read. */
  put(key: string, version: number, fold: ChartFold): void {
    const known = this.hours.get(key);
    if (known !== undefined) this.forget(key, known);
    this.keep(key, { version, fold, bytes: HOUR_BYTES + key.length + fold.kept.bytes });
    for (const [oldest, hour] of this.hours) {
      if (this.bytes <= this.maxBytes) return;
      this.forget(oldest, hour);
    }
  }

  private keep(key: string, hour: FoldedHour): void {
    this.hours.set(key, hour);
    this.bytes += hour.bytes;
  }

  private forget(key: string, { bytes }: FoldedHour): void {
    this.hours.delete(key);
    this.bytes -= bytes;
  }
}
