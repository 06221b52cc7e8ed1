import { existsSync } from 'node:fs';
import { hasCode } from '../../../errors.js';
import { type DataFolderLock, lockDataFolder, toEventLogPath } from './data-folder.js';
import { DamagedFile } from './salvage/damaged-file.js';
import { findPageSize } from './salvage/page-size.js';
import { readWalFrames, readWalHeader, type WalFrame, type WalLog } from './salvage/wal-frames.js';

/** Committed transactions that SQLite would drop without a word when it opens the log. */
interface DroppedFrames {
  /** Number of the first frame that SQLite ignores, from 0. */
  readonly first: number;
  /** By page: its latest content among the frames that SQLite reads. */
  readonly kept: ReadonlyMap<number, WalFrame>;
  /** By page: its latest content among those that it ignores. */
  readonly dropped: ReadonlyMap<number, WalFrame>;
  /** Pages of the database after the last of the transactions. */
  readonly pages: number;
}

/**
 * Says what is wrong with the write-ahead log of `file` if opening the log would drop committed transactions: SQLite ignores
 * every frame after the first that does not match its checksum, and then writes over them. Undefined if nothing would be
 * lost. Reads the whole write-ahead log. Nothing may write either file meanwhile, and no connection of this process may be
 * open, since closing a database file releases the locks of the process on it.
 */
export function findWalDamage(file: string): string | undefined {
  const name = `${file}-wal`;
  if (!existsSync(name)) return undefined;
  const wal = new DamagedFile(name);
  try {
    const log = readWalHeader(wal, readPageSize(file));
    const found = log && findDroppedFrames(log);
    if (found === undefined || !differsFromRest(log!, found, file)) return undefined;
    const what = log!.isHeaderIntact ? `at frame ${found.first}` : 'at its start';
    return `${name} is damaged ${what}: opening the log would lose ${found.dropped.size} pages of committed events after it`;
  } finally {
    wal.close();
  }
}

function readPageSize(file: string): number {
  const database = new DamagedFile(file);
  try {
    return findPageSize(database);
  } finally {
    database.close();
  }
}

/** The write-ahead log is so damaged that SQLite would drop commits. A restart does not help. */
export class DamagedWalError extends Error {
  override readonly name = 'DamagedWalError';
}

/** Throws what `findWalDamage` finds as a `DamagedWalError`, with a remedy. */
export function assertWalUndamaged(file: string): void {
  const damage = findWalDamage(file);
  if (damage === undefined) return;
  throw new DamagedWalError(
    `${damage}. Nothing was changed: save what can be read into a new folder with \`hindsight salvage\`, and start with that one as DATA_DIR, or restore a backup`,
  );
}

/**
 * As `assertWalUndamaged`, for the log in `dir`, which is locked meanwhile. Checks nothing while another process holds the
 * folder: it writes the files, and has checked them before.
 */
export function refuseDamagedWalOfIdleFolder(dir: string): void {
  const file = toEventLogPath(dir);
  if (!existsSync(`${file}-wal`)) return;
  const lock = tryLockDataFolder(dir);
  try {
    if (lock !== undefined) assertWalUndamaged(file);
  } finally {
    lock?.release();
  }
}

/** Undefined while another process holds the folder. */
function tryLockDataFolder(dir: string): DataFolderLock | undefined {
  try {
    return lockDataFolder(dir);
  } catch (error) {
    if (hasCode(error, 'unavailable')) return undefined;
    throw error;
  }
}

/**
 * A power cut leaves frames that do not match their checksums as well, but only of the last transaction: each one is
 * synced before the next is written, and was not acknowledged until then. Undefined unless, after the damaged frame, an
 * intact frame that completes a transaction has an intact successor, which was written after that sync.
 */
function findDroppedFrames(log: WalLog): DroppedFrames | undefined {
  const frames = [...readWalFrames(log)];
  const first = log.isHeaderIntact ? frames.findIndex(({ number, isIntact }, at) => number !== at || !isIntact) : 0;
  const last = frames.findLastIndex(({ commits, isIntact }) => commits && isIntact);
  if (first === -1 || last < first) return undefined;
  const ignored = frames.slice(first, last + 1);
  const isFollowed = ignored.some(({ number, isIntact }, at) => {
    const former = ignored[at - 1] as WalFrame | undefined;
    return isIntact && former?.commits === true && former.isIntact && former.number === number - 1;
  });
  if (!isFollowed) return undefined;
  return { first, kept: byPage(frames.slice(0, first)), dropped: byPage(ignored), pages: frames[last].pagesAfter };
}

function byPage(frames: readonly WalFrame[]): Map<number, WalFrame> {
  return new Map(frames.map((frame) => [frame.page, frame]));
}

/** False if the database file has the dropped pages, because a checkpoint copied them there. */
function differsFromRest(
  { file: wal, pageSize }: WalLog,
  { kept, dropped, pages }: DroppedFrames,
  file: string,
): boolean {
  const database = new DamagedFile(file);
  try {
    return [...dropped.values()].some(({ page, offset, isIntact }) => {
      if (!isIntact || page > pages) return false;
      const rest = kept.get(page);
      const read = rest ? wal.read(rest.offset, pageSize) : database.read((page - 1) * pageSize, pageSize);
      return read === undefined || !wal.read(offset, pageSize)!.equals(read);
    });
  } finally {
    database.close();
  }
}
