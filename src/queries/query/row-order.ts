import type { Cell } from './query-model.js';

/** One key of an order: the index of a cell. */
export interface OrderKey {
  readonly at: number;
  readonly descending: boolean;
}

/** Numbers by value and before texts, texts by code unit, absent values last. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Absent values are last in either direction. */
export function compareRows(a: readonly Cell[], b: readonly Cell[], keys: readonly OrderKey[]): number {
  for (const { at, descending } of keys) {
    const reverses = descending && a[at] !== null && b[at] !== null;
    const order = compareCells(a[at], b[at]);
    if (order !== 0) return reverses ? -order : order;
  }
  return 0;
}
