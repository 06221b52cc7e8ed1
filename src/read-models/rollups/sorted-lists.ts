/** Negative, zero or positive: the order of lists in rollups. */
export type Comparator<T> = (a: T, b: T) => number;

/** By UTF-16 code units: the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Lists created by `createSortedList`. */
const sortedLists = new WeakSet<readonly unknown[]>();

/** The items sorted; the list itself if it is already sorted, which is the usual case. */
export function sortIfNeeded<T>(items: readonly T[], compare: Comparator<T>): readonly T[] {
  if (sortedLists.has(items)) return items;
  for (let i = 1; i < items.length; i++) if (compare(items[i - 1], items[i]) > 0) return [...items].sort(compare);
  return items;
}

/** Creates a sorted list that only `insertSorted` may modify: `sortIfNeeded` returns it without checking. */
export function createSortedList<T>(items: readonly T[], compare: Comparator<T>): T[] {
  const list = [...items].sort(compare);
  sortedLists.add(list);
  return list;
}

/** Inserts an item into a list created by `createSortedList` with the same `compare`. */
export function insertSorted<T>(list: T[], item: T, compare: Comparator<T>): void {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle], item) < 0) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, item);
}
