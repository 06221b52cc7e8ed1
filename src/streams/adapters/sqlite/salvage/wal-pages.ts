import { readWalFrames, type WalFrame, type WalLog } from './wal-frames.js';

/** Committed pages in a write-ahead log. */
export interface WalPages {
  readonly pageSize: number;
  /** Offset in the file of the latest committed content, by page number. */
  readonly offsets: ReadonlyMap<number, number>;
  /**
   * The pages of which the latest content does not match its checksum, and the offset of the latest that does; undefined
   * if only the database file has one.
   */
  readonly damaged: ReadonlyMap<number, number | undefined>;
}

/**
 * Finds the committed pages of a write-ahead log; undefined if it has none. SQLite ignores every frame after the first
 * that does not match its checksum. This reads on, because every event carries its own checksum: frames count up to the
 * last one that completes a commit and matches its checksum.
 */
export function findWalPages(log: WalLog): WalPages | undefined {
  const frames = [...readWalFrames(log)];
  const committed = frames.slice(0, frames.findLastIndex(({ commits, isIntact }) => commits && isIntact) + 1);
  return committed.length === 0 ? undefined : { pageSize: log.pageSize, ...locate(committed) };
}

function locate(frames: readonly WalFrame[]): Pick<WalPages, 'offsets' | 'damaged'> {
  const intact = new Map(frames.filter(({ isIntact }) => isIntact).map(({ page, offset }) => [page, offset]));
  const offsets = new Map(frames.map(({ page, offset }) => [page, offset]));
  const damaged = [...offsets].filter(([page, offset]) => intact.get(page) !== offset);
  return { offsets, damaged: new Map(damaged.map(([page]) => [page, intact.get(page)])) };
}
