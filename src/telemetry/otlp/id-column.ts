import type { WireReader } from './wire-reader.js';

/** A loop: `fill` costs more than so few bytes. */
export function clearId(column: Uint8Array, row: number, size: number): void {
  const end = (row + 1) * size;
  for (let i = row * size; i < end; i++) column[i] = 0;
}

/** Copies an id of the right size into its row and stands behind it; another size leaves the row zero. */
export function copyId(reader: WireReader, end: number, column: Uint8Array, row: number, size: number): void {
  if (end - reader.pos === size) {
    const { bytes, pos } = reader;
    const at = row * size;
    for (let i = 0; i < size; i++) column[at + i] = bytes[pos + i];
  }
  reader.pos = end;
}
