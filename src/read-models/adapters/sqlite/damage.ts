import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from './crc32.js';

const SIDES = ['', '-wal', '-shm'];

/** A row that is not what was written. */
export class DamagedRow extends Error {
  readonly code = 'damaged-row';
}

/** Sum over everything that a row says. */
export function sumOf(id: string, name: string, content: string | Uint8Array): number {
  return crc32(`${id}\0${name}\0`, content);
}

export function assertIntact(row: { readonly sum: unknown }, id: string, name: string, content: string | Uint8Array): void {
  if (row.sum !== sumOf(id, name, content)) throw new DamagedRow(`the row ${name} of ${id} does not match its checksum`);
}

/** Whether the file is to blame, and not the disk or the caller. Errors of whole results come without their code; all tables have the columns that are asked for. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && (error instanceof DamagedRow || /disk image is malformed|file is not a database|malformed database schema|no such column/.test(error.message));
}

/** Notes beside the file that it is damaged, so that the next start builds another. */
export function noteDamage(file: string, reason: string): void {
  writeFileSync(noteOf(file), `${reason}\n`, { mode: 0o600 });
}

/** Why the file is known to be damaged. */
export function notedDamage(file: string): string | undefined {
  return existsSync(noteOf(file)) ? readFileSync(noteOf(file), 'utf8').trim() : undefined;
}

/** Where damaged read models are kept: one set, the last. */
export function keptDamaged(file: string): string {
  return `${file}.damaged`;
}

/** Nobody may have the file open. */
export function moveAside(file: string): void {
  for (const side of SIDES) {
    rmSync(keptDamaged(file) + side, { force: true });
    if (existsSync(file + side)) renameSync(file + side, keptDamaged(file) + side);
  }
  rmSync(noteOf(file), { force: true });
}

/** Nobody may have the file open. */
export function remove(file: string): void {
  for (const side of SIDES) rmSync(file + side, { force: true });
  rmSync(noteOf(file), { force: true });
}

function noteOf(file: string): string {
  return `${file}.is-damaged`;
}
