import type { NumberArray } from './byte-planes.js';

/** The values of some rows, in their order. */
export function gather<A extends NumberArray>(column: A, rows: Uint32Array): A {
  const taken = new (column.constructor as new (length: number) => A)(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = column[rows[i]];
  return taken;
}

/** The ids of some rows, `words` 32-bit words each, of a column that is seen as words. */
export function gatherIds(column: Uint32Array, rows: Uint32Array, words: 2 | 4): Uint32Array {
  const taken = new Uint32Array(rows.length * words);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * words;
    for (let word = 0; word < words; word++) taken[i * words + word] = column[from + word];
  }
  return taken;
}

export function minOf(values: NumberArray): number {
  let min = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] < min) min = values[i];
  return min;
}

export function maxOf(values: NumberArray): number {
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > max) max = values[i];
  return max;
}

/** Row numbers from 0 to `count` − 1. */
export function allRows(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}
