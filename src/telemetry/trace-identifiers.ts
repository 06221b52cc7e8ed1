export const TRACE_ID_BYTES = 16;
export const SPAN_ID_BYTES = 8;
const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Lower-case hex of `bytes[from, to)`. */
export function toHex(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('hex');
}

/** Lower-case hex of an id column's row, "" if the row is all zero. */
export function readIdHexAt(column: Uint8Array, row: number, size: number): string {
  const from = row * size;
  return isAllZero(column, from, from + size) ? '' : toHex(column, from, from + size);
}

/** Parses an id of `size` bytes from hex of any case; undefined for any other text and for the all-zero id. */
export function parseHexId(text: string, size: number): Uint8Array | undefined {
  if (text.length !== size * 2 || !HEX.test(text)) return undefined;
  const bytes = new Uint8Array(Buffer.from(text, 'hex'));
  return isAllZero(bytes, 0, size) ? undefined : bytes;
}

export function isAllZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== 0) return false;
  return true;
}
