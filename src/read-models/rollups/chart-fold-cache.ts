import type { ChartFold } from '../../diagnostics/chart-series/chart-fold-contract.js';
import type { ReleasableCache } from '../../thread-memory.js';

/** Overhead of an entry in bytes. */
const ENTRY_BYTES = 5_000;

/** A folded time bucket and its version, see StoredRollupRange. */
interface CachedFold {
  readonly version: number;
  readonly fold: ChartFold;
  readonly bytes: number;
  /** Number of reads and writes when it was last used. */
  usedAt: number;
}

/**
 * LRU cache of time buckets folded for charts, of all Grids, up to a limit in bytes. Returned folds MUST NOT be
 * modified.
 */
export class ChartFoldCache implements ReleasableCache {
  /** Least recently used first. */
  private readonly folds = new Map<string, CachedFold>();
  private bytes = 0;
  private uses = 0;
  private releasedAt = 0;

  constructor(private readonly maxBytes: number) {}

  /** Approximate bytes in use. */
  get size(): number {
    return this.bytes;
  }

  /** Undefined if the bucket has not been folded, or has changed since. */
  get(key: string, version: number): ChartFold | undefined {
    const entry = this.folds.get(key);
    if (entry === undefined) return undefined;
    this.forget(key, entry);
    if (entry.version !== version) return undefined;
    this.keep(key, entry);
    return entry.fold;
  }

  /** `version`: version of the bucket before it was read. */
  put(key: string, version: number, fold: ChartFold): void {
    const known = this.folds.get(key);
    if (known !== undefined) this.forget(key, known);
    this.keep(key, { version, fold, bytes: ENTRY_BYTES + key.length + fold.state.bytes, usedAt: 0 });
    this.shrinkTo(this.maxBytes);
  }

  releaseUnused(): void {
    for (const [key, entry] of this.folds) {
      if (entry.usedAt > this.releasedAt) break;
      this.forget(key, entry);
    }
    this.releasedAt = this.uses;
  }

  shrinkTo(bytes: number): void {
    for (const [oldest, entry] of this.folds) {
      if (this.bytes <= bytes) return;
      this.forget(oldest, entry);
    }
  }

  private keep(key: string, entry: CachedFold): void {
    entry.usedAt = ++this.uses;
    this.folds.set(key, entry);
    this.bytes += entry.bytes;
  }

  private forget(key: string, { bytes }: CachedFold): void {
    this.folds.delete(key);
    this.bytes -= bytes;
  }
}

/** Folds consecutive time buckets of one length separately, as their rollups arrive in chronological order. */
export class SequentialIntervalFolder {
  private current: ChartFold;

  /** `done` is called for each completed bucket with its first minute since 1970, also for buckets without rollups. */
  constructor(
    private readonly fold: ChartFold,
    private readonly minutes: number,
    private from: number,
    private readonly done: (minute: number, folded: ChartFold) => void,
  ) {
    this.current = fold.createBucketFold(from, minutes);
  }

  /** The fold of the bucket that starts at this minute. No rollups of earlier buckets may follow. */
  advanceTo(minute: number): ChartFold {
    while (this.from < minute) {
      this.done(this.from, this.current);
      this.from += this.minutes;
      this.current = this.fold.createBucketFold(this.from, this.minutes);
    }
    return this.current;
  }
}
