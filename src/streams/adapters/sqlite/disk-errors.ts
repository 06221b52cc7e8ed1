/** Extended result codes of SQLite. */
const SQLITE_FULL = 13;
const SQLITE_IOERR_FSYNC = 1034;
/** The index of the WAL could not grow. */
const SQLITE_IOERR_SHMSIZE = 4874;

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
