import type { ReadModelReader } from '../read-model-store.js';
import { ShardReader } from './shard-store.js';

/** Who reads what is known of this Grid: its telemetry, and all that is kept once for all Grids. */
export type ReaderForGrid = (gridId: string) => ReadModelReader;

/** How Grids are shared out, as far as their readers are concerned. */
export interface ShardLookup {
  readonly count: number;
  shardFor(gridId: string): number;
}

/** Grids whose shares are remembered; past the bound they are gathered anew. */
const MAX_GRIDS = 100_000;

/** With one share, the store itself. A share's reader is made when a Grid of it is asked about first. */
export function createReaderForGrid(store: ReadModelReader, shares: ShardLookup): ReaderForGrid {
  if (shares.count === 1) return () => store;
  const ofShare = createShardReaders(store);
  const shareOf = memoizeShardFor(shares);
  return (gridId) => ofShare(shareOf(gridId));
}

/** The share of a Grid: it takes a hash, and one question asks for it dozens of times. */
export function memoizeShardFor(shares: ShardLookup): (gridId: string) => number {
  const known = new Map<string, number>();
  return (gridId) => {
    let share = known.get(gridId);
    if (share !== undefined) return share;
    if (known.size >= MAX_GRIDS) known.clear();
    known.set(gridId, (share = shares.shardFor(gridId)));
    return share;
  };
}

/** One reader a share, made when it is asked for first. */
export function createShardReaders(store: ReadModelReader): (share: number) => ShardReader {
  const known = new Map<number, ShardReader>();
  return (share) => {
    const reader = known.get(share) ?? new ShardReader(store, share);
    known.set(share, reader);
    return reader;
  };
}
