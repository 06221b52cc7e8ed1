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
  /** Frames that the disk does not return completely, also those that hold no committed page. */
  readonly unreadableFrames: number;
}

/**
 * Finds the committed pages of a write-ahead log. SQLite ignores every frame after the first
 * that does not match its checksum. This reads on, because every event carries its own checksum: frames count up to the
 * last one that completes a commit and matches its checksum. A damaged page number may be any number: one beyond the
 * largest database that a commit left is not a page.
 */
export function findWalPages(log: WalLog): WalPages {
  const { faults } = log.file;
  const frames = [...readWalFrames(log)];
  const committed = frames.slice(0, frames.findLastIndex(({ commits, isIntact }) => commits && isIntact) + 1);
  const pages = committed.reduce((most, frame) => (frame.isIntact ? Math.max(most, frame.pagesAfter) : most), 0);
  return {
    pageSize: log.pageSize,
    unreadableFrames: log.file.faults - faults,
    ...locate(committed.filter(({ page, isIntact }) => isIntact || page <= pages)),
  };
}

function locate(frames: readonly WalFrame[]): Pick<WalPages, 'offsets' | 'damaged'> {
  const intact = new Map(frames.filter(({ isIntact }) => isIntact).map(({ page, offset }) => [page, offset]));
  const offsets = new Map(frames.map(({ page, offset }) => [page, offset]));
  const damaged = [...offsets].filter(([page, offset]) => intact.get(page) !== offset);
  return { offsets, damaged: new Map(damaged.map(([page]) => [page, intact.get(page)])) };
}
