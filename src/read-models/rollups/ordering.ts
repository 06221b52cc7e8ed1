/** Negative, zero or positive: the order of lists in rollups. */
export type Compare<T> = (a: T, b: T) => number;

/** By UTF-16 code units: the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The items in order; the list itself where it is in order already, as it mostly is. */
export function ordered<T>(items: readonly T[], compare: Compare<T>): readonly T[] {
  for (let i = 1; i < items.length; i++) if (compare(items[i - 1], items[i]) > 0) return [...items].sort(compare);
  return items;
}
