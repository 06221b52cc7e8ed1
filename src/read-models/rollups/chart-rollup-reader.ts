import type { ChartFold } from '../../diagnostics/chart-series/chart-fold-contract.js';
import { ROLLUP_BLOB, rollupId } from '../documents/rollup-documents.js';
import type { ReaderForGrid } from '../sharding/shard-readers.js';
import { decodeServiceTotals } from './grid-rollup-codec.js';
import { decodeLogSeverities } from './log-rollup-codec.js';
import { decodeMetricSeries } from './metric-rollup-codec.js';
import { ChartFoldCache, SequentialIntervalFolder } from './chart-fold-cache.js';
import type { GridRollupReader } from './grid-rollup-reader.js';
import type { StoredRollupRange } from './rollup-version-reader.js';
import { decodeOperations } from './service-rollup-codec.js';

/** Page size for rollups of all services. */
const BLOBS_A_PAGE = 100;

/** Concurrent reads of rollups of one service: a remote store takes about as long for all of them as for one. */
const BLOBS_AT_ONCE = 16;

/** Minutes since 1970, from ≤ minute < to. `byHour`: complete hours by the hour, otherwise everything by the minute. */
export interface ReadRange {
  readonly from: number;
  readonly to: number;
  readonly byHour: boolean;
}

/** Time bucket of a rollup: its first minute since 1970, and its length, 1 or 60. */
interface RollupInterval {
  readonly minute: number;
  readonly minutes: number;
}

/** Minutes from ≤ minute < to of one Grid: the ids of their rollups, and possibly of others, start with `prefix`. */
interface MinuteRange {
  readonly gridId: string;
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
}

/** Rollups of one service, "" for the whole Grid, undefined for all services. */
interface RollupScope {
  readonly gridId: string;
  readonly service: string | undefined;
}

type VisitBlob = (interval: RollupInterval, blob: Uint8Array) => void;
type YieldThread = () => Promise<void> | undefined;

/** Bytes of folded buckets to cache. A week of 50 services takes 14 MB for p95 and 5 MB for a gauge. */
const FOLD_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Reads rollups for charts, which use a little of very many: each is read, decoded as far as the chart needs it, added
 * and dropped. So a chart of a month evicts nothing that live diagnostics have decoded. If hours are read, the folded
 * buckets are cached: the same week costs little the next time.
 */
export class ChartRollupReader {
  constructor(
    private readonly readerForGrid: ReaderForGrid,
    private readonly rollups: GridRollupReader,
    private readonly folded = new ChartFoldCache(FOLD_CACHE_BYTES),
  ) {}

  /**
   * Adds the rollups of a Grid to `fold` in chronological order, including everything committed before. `yieldThread`
   * is awaited after each.
   */
  async foldInto(
    fold: ChartFold,
    gridId: string,
    { from, to, byHour }: ReadRange,
    yieldThread: YieldThread,
  ): Promise<void> {
    await this.rollups.refresh(gridId);
    const scope = { gridId, service: fold.part === 'grids' ? '' : fold.service };
    for (const range of this.rollups.findStoredRanges(fold.part, gridId, from, to, byHour)) {
      if (byHour) await this.foldFromCache(fold, range, scope, yieldThread);
      else await this.addRange(range, scope, (interval, blob) => addBlobToFold(fold, interval, blob), yieldThread);
    }
  }

  /** Buckets that were folded before and have not changed since are not read. */
  private async foldFromCache(
    fold: ChartFold,
    range: StoredRollupRange,
    scope: RollupScope,
    yieldThread: YieldThread,
  ): Promise<void> {
    const known = (minute: number): ChartFold | undefined =>
      this.folded.get(foldCacheKey(fold, range, scope, minute), range.version(minute));
    for (let { from } = range, to; from < range.to; from = to) {
      to = from + range.minutes;
      const folded = known(from);
      if (folded !== undefined) fold.mergeBucketFold(from, folded);
      else {
        while (to < range.to && known(to) === undefined) to += range.minutes;
        await this.foldAndCache(fold, { ...range, from, to }, scope, yieldThread);
      }
      const pending = yieldThread();
      if (pending !== undefined) await pending;
    }
  }

  private async foldAndCache(
    fold: ChartFold,
    range: StoredRollupRange,
    scope: RollupScope,
    yieldThread: YieldThread,
  ): Promise<void> {
    const versions = new Map<number, number>(); // taken before anything is read: what changes meanwhile is read again
    for (let minute = range.from; minute < range.to; minute += range.minutes)
      versions.set(minute, range.version(minute));
    const folder = new SequentialIntervalFolder(fold, range.minutes, range.from, (minute, folded) => {
      fold.mergeBucketFold(minute, folded);
      this.folded.put(foldCacheKey(fold, range, scope, minute), versions.get(minute)!, folded);
    });
    await this.addRange(
      range,
      scope,
      (interval, blob) => addBlobToFold(folder.advanceTo(interval.minute), interval, blob),
      yieldThread,
    );
    folder.advanceTo(range.to);
  }

  private addRange(
    range: StoredRollupRange,
    { gridId, service }: RollupScope,
    visit: VisitBlob,
    yieldThread: YieldThread,
  ): Promise<void> {
    return service === undefined
      ? this.addAll(range, gridId, visit, yieldThread)
      : this.addService(range, gridId, service, visit, yieldThread);
  }

  private async addService(
    { collection, from, to, minutes }: StoredRollupRange,
    gridId: string,
    service: string,
    visit: VisitBlob,
    yieldThread: YieldThread,
  ): Promise<void> {
    const store = this.readerForGrid(gridId);
    for (let first = from; first < to; first += minutes * BLOBS_AT_ONCE) {
      const some = Array.from(
        { length: Math.min(BLOBS_AT_ONCE, Math.ceil((to - first) / minutes)) },
        (_, n) => first + n * minutes,
      );
      const blobs = await Promise.all(
        some.map((minute) => store.readBlob(collection, rollupId({ gridId, minute, service }), ROLLUP_BLOB)),
      );
      for (const [n, blob] of blobs.entries()) {
        if (blob !== undefined) visit({ minute: some[n], minutes }, blob);
        const pending = yieldThread();
        if (pending !== undefined) await pending;
      }
    }
  }

  /** Reads several minutes at once if they start with the same digits: most have few rollups or none. */
  private async addAll(
    range: StoredRollupRange,
    gridId: string,
    visit: VisitBlob,
    yieldThread: YieldThread,
  ): Promise<void> {
    for (let { from } = range, to; from < range.to; from = to) {
      const digits = findCommonDigits(from, range.to);
      to = from + digits.minutes;
      await this.addPages(range, { gridId, from, to, prefix: `${gridId}/${digits.prefix}` }, visit, yieldThread);
      const pending = yieldThread();
      if (pending !== undefined) await pending;
    }
  }

  private async addPages(
    { collection, minutes }: StoredRollupRange,
    { gridId, from, to, prefix }: MinuteRange,
    visit: VisitBlob,
    yieldThread: YieldThread,
  ): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.readerForGrid(gridId).readBlobs(collection, ROLLUP_BLOB, {
        prefix,
        after,
        limit: BLOBS_A_PAGE,
      });
      for (const { id, blob } of page) {
        const minute = Number.parseInt(id.slice(gridId.length + 1), 10);
        if (minute >= from && minute < to) visit({ minute, minutes }, blob); // numbers of other lengths may have the same prefix
        const pending = yieldThread(); // usually undefined, so nothing is awaited: called tens of thousands of times
        if (pending !== undefined) await pending;
      }
      after = page.length < BLOBS_A_PAGE ? undefined : page[page.length - 1].id;
    } while (after !== undefined);
  }
}

/**
 * The most of 1, 10, 100 and 1,000 minutes from `from` on, up to `to`, that have a common decimal prefix not shared by
 * other minutes of the same length.
 */
export function findCommonDigits(from: number, to: number): { readonly minutes: number; readonly prefix: string } {
  const minutes = [1_000, 100, 10].find((many) => from % many === 0 && from >= many && from + many <= to);
  return minutes === undefined ? { minutes: 1, prefix: `${from}/` } : { minutes, prefix: String(from / minutes) };
}

function addBlobToFold(fold: ChartFold, { minute, minutes }: RollupInterval, blob: Uint8Array): void {
  switch (fold.part) {
    case 'grids':
      return fold.add({ minute, minutes, value: decodeServiceTotals(blob) });
    case 'services':
      return fold.add({ minute, minutes, value: decodeOperations(blob) });
    case 'logs':
      return fold.add({ minute, minutes, value: decodeLogSeverities(blob) });
    case 'metrics':
      return fold.add({ minute, minutes, value: decodeMetricSeries(blob, fold.metric) });
    default:
      return fold satisfies never;
  }
}

function foldCacheKey(
  { key }: ChartFold,
  { collection }: StoredRollupRange,
  { gridId }: RollupScope,
  minute: number,
): string {
  return `${collection.name}/${gridId}/${minute}/${key}`;
}
