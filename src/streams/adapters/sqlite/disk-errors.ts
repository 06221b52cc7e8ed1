/** Extended result codes of SQLite. */
const SQLITE_FULL = 13;
const SQLITE_IOERR_FSYNC = 1034;
/** The index of the WAL could not grow. */
const SQLITE_IOERR_SHMSIZE = 4874;
const SQLITE_CORRUPT = 11;
/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS. */
const READ_FAULTS: ReadonlySet<number> = new Set([266, 522, 8458]);

/** The disk or the user's quota is full. */
export function isDiskFull(error: unknown): boolean {
  return collectErrorCodes(error).some(
    (fault) => fault === SQLITE_FULL || fault === SQLITE_IOERR_SHMSIZE || fault === 'ENOSPC' || fault === 'EDQUOT',
  );
}

/** A sync failed: data written before it may be lost even though it can still be read. */
export function isSyncFailure(error: unknown): boolean {
  return collectErrorCodes(error).some((fault) => fault === SQLITE_IOERR_FSYNC) || isSyncSyscallError(error);
}

/**
 * SQLite cannot use a page: its content is damaged, or the disk does not return it (of which SQLite makes "malformed", too,
 * where the system reports EIO). Errors of statements that return many rows have no code, so that their message decides.
 */
export function isUnreadablePage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!('errcode' in error) || typeof error.errcode !== 'number')
    return /disk image is malformed|disk I\/O error/.test(error.message);
  // The low byte of an extended code is the primary one.
  return (error.errcode & 0xff) === SQLITE_CORRUPT || READ_FAULTS.has(error.errcode);
}

/** Codes of the error and its causes. */
function collectErrorCodes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const { errcode, code, cause } = error as Error & { errcode?: unknown; code?: unknown };
  return [errcode, code, ...collectErrorCodes(cause)];
}

function isSyncSyscallError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { syscall, cause } = error as Error & { syscall?: unknown };
  return syscall === 'fsync' || syscall === 'fdatasync' || isSyncSyscallError(cause);
}

/** The database file may lack pages that SQLite considers copied from the WAL; only a restart copies them again. */
export class UnsyncedDatabase extends Error {
  override readonly name = 'UnsyncedDatabase';

  constructor(cause: unknown) {
    super(`Failed to sync the event log database to disk: ${(cause as Error).message}`, { cause });
  }
}

export function isUnsyncedDatabase(error: unknown): boolean {
  return error instanceof Error && (error instanceof UnsyncedDatabase || isUnsyncedDatabase(error.cause));
}
