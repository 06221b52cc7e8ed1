import type { ReadModelReader } from '../store.js';
import { ShareReader } from './share-reader.js';

/** Who reads what is known of this Grid: its telemetry, and all that is kept once for all Grids. */
export type ReaderOf = (gridId: string) => ReadModelReader;

/** How Grids are shared out, as far as their readers are concerned. */
export interface SharesOfGrids {
  readonly count: number;
  of(gridId: string): number;
}

/** Grids whose shares are remembered; past the bound they are gathered anew. */
const MAX_GRIDS = 100_000;

/** With one share, the store itself. A share's reader is made when a Grid of it is asked about first. */
export function readersByGrid(store: ReadModelReader, shares: SharesOfGrids): ReaderOf {
  if (shares.count === 1) return () => store;
  const ofShare = readersByShare(store);
  const shareOf = remembered(shares);
  return (gridId) => ofShare(shareOf(gridId));
}

/** The share of a Grid: it takes a hash, and one question asks for it dozens of times. */
export function remembered(shares: SharesOfGrids): (gridId: string) => number {
  const known = new Map<string, number>();
  return (gridId) => {
    let share = known.get(gridId);
    if (share !== undefined) return share;
    if (known.size >= MAX_GRIDS) known.clear();
    known.set(gridId, (share = shares.of(gridId)));
    return share;
  };
}

/** One reader a share, made when it is asked for first. */
export function readersByShare(store: ReadModelReader): (share: number) => ShareReader {
  const known = new Map<number, ShareReader>();
  return (share) => {
    const reader = known.get(share) ?? new ShareReader(store, share);
    known.set(share, reader);
    return reader;
  };
}
