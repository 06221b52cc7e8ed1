import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from './crc32.js';

const STORE_FILE_SUFFIXES = ['', '-wal', '-shm'];

/** A row whose content differs from what was written. */
export class DamagedRowError extends Error {
  readonly code = 'damaged-row';
}

/** Checksum over the whole content of a row. */
export function rowChecksum(id: string, name: string, content: string | Uint8Array): number {
  return crc32(`${id}\0${name}\0`, content);
}

export function assertIntact(
  row: { readonly sum: unknown },
  id: string,
  name: string,
  content: string | Uint8Array,
): void {
  if (row.sum !== rowChecksum(id, name, content))
    throw new DamagedRowError(`the row ${name} of ${id} does not match its checksum`);
}

/**
 * Whether the error is caused by a damaged file, not by the disk or the caller. Identified by message, because some
 * SQLite errors come without a code; "no such column" is damage because all tables have the queried columns.
 */
export function isDamageError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (error instanceof DamagedRowError ||
      /disk image is malformed|file is not a database|malformed database schema|no such column/.test(error.message))
  );
}

/** Creates a marker file next to a damaged file, so that the next start rebuilds it. */
export function recordDamage(file: string, reason: string): void {
  writeFileSync(damageMarkerPath(file), `${reason}\n`, { mode: 0o600 });
}

/** Reason why the file is marked as damaged; undefined if it is not. */
export function readRecordedDamage(file: string): string | undefined {
  return existsSync(damageMarkerPath(file)) ? readFileSync(damageMarkerPath(file), 'utf8').trim() : undefined;
}

/** Path of quarantined read models: one set, the latest. */
export function quarantinePath(file: string): string {
  return `${file}.damaged`;
}

/** Moves a damaged store to `quarantinePath`. The file MUST NOT be open. */
export function quarantineDamagedStore(file: string): void {
  for (const side of STORE_FILE_SUFFIXES) {
    rmSync(quarantinePath(file) + side, { force: true });
    if (existsSync(file + side)) renameSync(file + side, quarantinePath(file) + side);
  }
  rmSync(damageMarkerPath(file), { force: true });
}

/** Deletes a store with its companion files. The file MUST NOT be open. */
export function deleteStore(file: string): void {
  for (const side of STORE_FILE_SUFFIXES) rmSync(file + side, { force: true });
  rmSync(damageMarkerPath(file), { force: true });
}

function damageMarkerPath(file: string): string {
  return `${file}.is-damaged`;
}
