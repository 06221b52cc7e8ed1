import type { ByteReader } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';

/*
 * Numbers of series: most are whole, the same as another or not told. Two bits say which: a form, beside the number.
 */

const FLOAT = 0;
const WHOLE = 1;
/** The same as the one that it goes with. */
const SAME = 2;
const NOT_A_NUMBER = 3;

/** Below it, a whole number takes fewer bytes than a double. */
const LARGEST_WHOLE = 2 ** 48;

/** Each number has one form only. */
export function formOf(value: number, same = NaN): number {
  if (Number.isNaN(value)) return NOT_A_NUMBER;
  if (value === same) return SAME;
  return Number.isInteger(value) && Math.abs(value) < LARGEST_WHOLE ? WHOLE : FLOAT;
}

export function writeFormed(writer: ByteWriter, form: number, value: number): void {
  if (form === FLOAT) writer.float64(value);
  else if (form === WHOLE) writer.signed(value);
}

export function readFormed(reader: ByteReader, form: number, same = NaN): number {
  if (form === FLOAT) return reader.float64();
  if (form === WHOLE) return reader.signed();
  return form === SAME ? same : NaN;
}
