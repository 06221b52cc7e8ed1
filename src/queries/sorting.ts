import type { Turn } from './giving-way.js';

/** Items sorted at once, and merged between two looks at the clock. */
const SLICE = 2_048;

/** The items in order, as `Array.prototype.sort` would have them, giving way meanwhile: traces may have spans without end. */
export async function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number, turn: Turn): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SLICE) {
    await turn.giveWay();
    runs.push(items.slice(from, from + SLICE).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(i + 1 < runs.length ? await merged(runs[i], runs[i + 1], compare, turn) : runs[i]);
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Of equal items those of `a` go first. */
async function merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, turn: Turn): Promise<T[]> {
  const both: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (both.length % SLICE === 0) await turn.giveWay();
    both.push(j === b.length || (i < a.length && compare(a[i], b[j]) <= 0) ? a[i++] : b[j++]);
  }
  return both;
}
