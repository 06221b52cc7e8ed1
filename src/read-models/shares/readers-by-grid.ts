import type { ReadModelReader } from '../store.js';
import { ShareReader } from './share-reader.js';

/** Who reads what is known of this Grid: its telemetry, and all that is kept once for all Grids. */
export type ReaderOf = (gridId: string) => ReadModelReader;

/** How Grids are shared out, as far as their readers are concerned. */
export interface SharesOfGrids {
  readonly count: number;
  of(gridId: string): number;
}

/** With one share, the store itself. A share's reader is made when a Grid of it is asked about first. */
export function readersByGrid(store: ReadModelReader, shares: SharesOfGrids): ReaderOf {
  if (shares.count === 1) return () => store;
  const ofShare = readersByShare(store);
  return (gridId) => ofShare(shares.of(gridId));
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
