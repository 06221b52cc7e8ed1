import type { ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';
import { RollupCache } from '../rollups/rollup-cache.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from '../rollups/grid-rollup-reader.js';
import { DEFAULT_ROLLUP_CACHE_BYTES, RollupReader } from '../rollups/rollup-reader.js';
import type { RollupCacheOptions, StoredRollupRange } from '../rollups/rollup-version-reader.js';
import { RollupIndexMemory } from '../rollups/rollup-index-memory.js';
import type { ReadModelReader } from '../read-model-store.js';
import { createShardReaders, memoizeShardFor, type ShardLookup } from './shard-readers.js';

/**
 * Rollups of sharded Grids: each shard is refreshed separately, when one of its Grids is queried. All shards share one
 * memory limit.
 */
export class ShardedRollupReader implements GridRollupReader {
  private readonly readers = new Map<number, RollupReader>();
  private readonly storeForShard: (shard: number) => ReadModelReader;
  private readonly shardFor: (gridId: string) => number;
  private readonly memory: RollupCacheOptions;

  constructor(
    store: ReadModelReader,
    private readonly shards: ShardLookup,
    cache = new RollupCache(DEFAULT_ROLLUP_CACHE_BYTES),
    index = new RollupIndexMemory(),
  ) {
    this.storeForShard = createShardReaders(store);
    this.shardFor = memoizeShardFor(shards);
    this.memory = { cache, index };
  }

  refresh(gridId: string): Promise<number> {
    return this.readerForGrid(gridId).refresh();
  }

  refreshGrids(gridIds: readonly string[]): Promise<void> {
    return this.refreshShards([...new Set(gridIds.map(this.shardFor))]);
  }

  async refreshShards(shards = this.allShards): Promise<void> {
    await Promise.all(shards.map((shard) => this.readerForShard(shard).refresh()));
  }

  lastChange(gridId: string): number {
    return this.readerForGrid(gridId).lastChange(gridId);
  }

  grids(shards = this.allShards): ReadonlySet<string> {
    return new Set(shards.flatMap((shard) => [...this.readerForShard(shard).grids()]));
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

  private get allShards(): readonly number[] {
    return Array.from({ length: this.shards.count }, (_, shard) => shard);
  }

  private readerForGrid(gridId: string): RollupReader {
    return this.readerForShard(this.shardFor(gridId));
  }

  private readerForShard(shard: number): RollupReader {
    const known = this.readers.get(shard) ?? new RollupReader(this.storeForShard(shard), this.memory);
    this.readers.set(shard, known);
    return known;
  }
}

/** With one shard, a single reader of the store. */
export function createRollupReader(
  store: ReadModelReader,
  shards: ShardLookup,
  cache = new RollupCache(DEFAULT_ROLLUP_CACHE_BYTES),
  index = new RollupIndexMemory(),
): GridRollupReader {
  return shards.count === 1
    ? new RollupReader(store, { cache, index })
    : new ShardedRollupReader(store, shards, cache, index);
}
