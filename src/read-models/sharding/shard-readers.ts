import type { ReadModelReader } from '../read-model-store.js';
import { ShardReader } from './shard-store.js';

/** Returns the reader for the telemetry of a Grid and for all unsharded read models. */
export type ReaderForGrid = (gridId: string) => ReadModelReader;

/** Assignment of Grids to shards, as far as readers need it. */
export interface ShardLookup {
  readonly count: number;
  shardFor(gridId: string): number;
}

/** Memoized Grids; beyond the limit the map starts over. */
const MAX_GRIDS = 100_000;

/** With one shard, the store itself. Readers of shards are created on demand. */
export function createReaderForGrid(store: ReadModelReader, shards: ShardLookup): ReaderForGrid {
  if (shards.count === 1) return () => store;
  const readerForShard = createShardReaders(store);
  const shardFor = memoizeShardFor(shards);
  return (gridId) => readerForShard(shardFor(gridId));
}

/** Memoizes the shard of a Grid: it costs a hash, and a query needs it dozens of times. */
export function memoizeShardFor(shards: ShardLookup): (gridId: string) => number {
  const known = new Map<string, number>();
  return (gridId) => {
    let shard = known.get(gridId);
    if (shard !== undefined) return shard;
    if (known.size >= MAX_GRIDS) known.clear();
    known.set(gridId, (shard = shards.shardFor(gridId)));
    return shard;
  };
}

/** One reader per shard, created on demand. */
export function createShardReaders(store: ReadModelReader): (shard: number) => ShardReader {
  const known = new Map<number, ShardReader>();
  return (shard) => {
    const reader = known.get(shard) ?? new ShardReader(store, shard);
    known.set(shard, reader);
    return reader;
  };
}
