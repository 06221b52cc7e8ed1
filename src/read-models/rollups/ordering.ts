/** Negative, zero or positive: the order of lists in rollups. */
export type Compare<T> = (a: T, b: T) => number;

/** By UTF-16 code units: the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Lists that `orderedList` made. */
const kept = new WeakSet<readonly unknown[]>();

/** The items in order; the list itself where it is in order already, as it mostly is. */
export function ordered<T>(items: readonly T[], compare: Compare<T>): readonly T[] {
  if (kept.has(items)) return items;
  for (let i = 1; i < items.length; i++) if (compare(items[i - 1], items[i]) > 0) return [...items].sort(compare);
  return items;
}

/** A list in the order of `compare` that nothing but `insert` may change: `ordered` takes it without a look. */
export function orderedList<T>(items: readonly T[], compare: Compare<T>): T[] {
  const list = [...items].sort(compare);
  kept.add(list);
  return list;
}

/** Puts an item where it belongs in a list that `orderedList` made with the same `compare`. */
export function insert<T>(list: T[], item: T, compare: Compare<T>): void {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle], item) < 0) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, item);
}
