import type { ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';
import { RollupCache } from '../rollups/rollup-cache.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from '../rollups/grid-rollup-reader.js';
import { DEFAULT_ROLLUP_CACHE_BYTES, RollupReader } from '../rollups/rollup-reader.js';
import type { RollupCacheOptions, StoredRollupRange } from '../rollups/rollup-version-reader.js';
import { MAX_INDEXED_ROLLUPS } from '../rollups/rollup-index.js';
import type { ReadModelReader } from '../read-model-store.js';
import { createShardReaders, memoizeShardFor, type ShardLookup } from './shard-readers.js';

/** Stretches that a share may know at least: two hours of several large Grids. */
const MIN_INDEXED_ROLLUPS = 50_000;

/** Rollups of Grids that are shared out: each share is looked at by itself, when one of its Grids is asked about. All keep to one bound of memory. */
export class ShardedRollupReader implements GridRollupReader {
  private readonly readers = new Map<number, RollupReader>();
  private readonly readerOfShare: (share: number) => ReadModelReader;
  private readonly shareOf: (gridId: string) => number;
  private readonly memory: RollupCacheOptions;

  constructor(
    store: ReadModelReader,
    private readonly shares: ShardLookup,
    cacheBytes = DEFAULT_ROLLUP_CACHE_BYTES,
  ) {
    this.readerOfShare = createShardReaders(store);
    this.shareOf = memoizeShardFor(shares);
    this.memory = {
      decoded: new RollupCache(cacheBytes),
      maxStretches: Math.max(MIN_INDEXED_ROLLUPS, MAX_INDEXED_ROLLUPS / shares.count),
    };
  }

  refresh(gridId: string): Promise<number> {
    return this.readerForGrid(gridId).refresh();
  }

  refreshGrids(gridIds: readonly string[]): Promise<void> {
    return this.refreshShards([...new Set(gridIds.map(this.shareOf))]);
  }

  async refreshShards(shares = this.allShares): Promise<void> {
    await Promise.all(shares.map((share) => this.readerForShard(share).refresh()));
  }

  lastChange(gridId: string): number {
    return this.readerForGrid(gridId).lastChange(gridId);
  }

  grids(shares = this.allShares): ReadonlySet<string> {
    return new Set(shares.flatMap((share) => [...this.readerForShard(share).grids()]));
  }

  newestMinute(gridId: string): number | undefined {
    return this.readerForGrid(gridId).newestMinute(gridId);
  }

  retainedFromMs(gridId: string): number {
    return this.readerForGrid(gridId).retainedFromMs(gridId);
  }

  load<P extends RollupPart>(
    part: P,
    gridId: string,
    from: number,
    to: number,
    onlyService?: string,
  ): Promise<RollupsByPart[P]> {
    return this.readerForGrid(gridId).load(part, gridId, from, to, onlyService);
  }

  findStoredRanges(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRollupRange[] {
    return this.readerForGrid(gridId).findStoredRanges(part, gridId, from, to, byHour);
  }

  loadServiceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]> {
    return this.readerForGrid(gridId).loadServiceCatalogs(gridId);
  }

  private get allShares(): readonly number[] {
    return Array.from({ length: this.shares.count }, (_, share) => share);
  }

  private readerForGrid(gridId: string): RollupReader {
    return this.readerForShard(this.shareOf(gridId));
  }

  private readerForShard(share: number): RollupReader {
    const known = this.readers.get(share) ?? new RollupReader(this.readerOfShare(share), this.memory);
    this.readers.set(share, known);
    return known;
  }
}

/** With one share, one reader of the store. */
export function createRollupReader(store: ReadModelReader, shares: ShardLookup): GridRollupReader {
  return shares.count === 1 ? new RollupReader(store) : new ShardedRollupReader(store, shares);
}
