import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from './crc32.js';

const STORE_FILE_SUFFIXES = ['', '-wal', '-shm'];

/** A row that is not what was written. */
export class DamagedRowError extends Error {
  readonly code = 'damaged-row';
}

/** Sum over everything that a row says. */
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

/** Whether the file is to blame, and not the disk or the caller. Errors of whole results come without their code; all tables have the columns that are asked for. */
export function isDamageError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (error instanceof DamagedRowError ||
      /disk image is malformed|file is not a database|malformed database schema|no such column/.test(error.message))
  );
}

/** Notes beside the file that it is damaged, so that the next start builds another. */
export function recordDamage(file: string, reason: string): void {
  writeFileSync(damageMarkerPath(file), `${reason}\n`, { mode: 0o600 });
}

/** Why the file is known to be damaged. */
export function readRecordedDamage(file: string): string | undefined {
  return existsSync(damageMarkerPath(file)) ? readFileSync(damageMarkerPath(file), 'utf8').trim() : undefined;
}

/** Where damaged read models are kept: one set, the last. */
export function quarantinePath(file: string): string {
  return `${file}.damaged`;
}

/** Nobody may have the file open. */
export function quarantineDamagedStore(file: string): void {
  for (const side of STORE_FILE_SUFFIXES) {
    rmSync(quarantinePath(file) + side, { force: true });
    if (existsSync(file + side)) renameSync(file + side, quarantinePath(file) + side);
  }
  rmSync(damageMarkerPath(file), { force: true });
}

/** Nobody may have the file open. */
export function deleteStore(file: string): void {
  for (const side of STORE_FILE_SUFFIXES) rmSync(file + side, { force: true });
  rmSync(damageMarkerPath(file), { force: true });
}

function damageMarkerPath(file: string): string {
  return `${file}.is-damaged`;
}
