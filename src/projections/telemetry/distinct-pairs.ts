/** A pair of ids that rows have, and the newest time (µs) of one of them. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  newestUs: number;
}

const CACHE_SLOTS = 1 << 12;

/** The pairs that occur, in the order of their first row. Costs a look into a small array a row, as pairs recur. */
export function distinctPairs(first: ArrayLike<number>, second: ArrayLike<number>, timeUs: Float64Array, rows: Uint32Array): Pair[] {
  const pairs: Pair[] = [];
  const indexOf = new Map<string, number>();
  const cache = new Int32Array(CACHE_SLOTS).fill(-1);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const slot = (Math.imul(first[row], 0x9e3779b1) ^ Math.imul(second[row], 0x85ebca6b)) >>> 20;
    let index = cache[slot];
    if (index < 0 || pairs[index].first !== first[row] || pairs[index].second !== second[row]) {
      cache[slot] = index = indexOfPair(pairs, indexOf, first[row], second[row]);
    }
    const pair = pairs[index];
    if (timeUs[row] > pair.newestUs) pair.newestUs = timeUs[row];
  }
  return pairs;
}

function indexOfPair(pairs: Pair[], indexOf: Map<string, number>, first: number, second: number): number {
  const key = `${first}/${second}`;
  let index = indexOf.get(key);
  if (index === undefined) {
    index = pairs.push({ first, second, newestUs: -Infinity }) - 1;
    indexOf.set(key, index);
  }
  return index;
}
