/** Groups the items of all lists by key and adds up each group; by key ascending. */
export function groupAndSum<T>(
  lists: readonly (readonly T[])[],
  key: (item: T) => string,
  sum: (items: readonly T[]) => T,
): T[] {
  const groups = new Map<string, T[]>();
  for (const list of lists) {
    for (const item of list) {
      const name = key(item);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [item]);
      else group.push(item);
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, items]) => (items.length === 1 ? items[0] : sum(items)));
}

/**
 * Joins names into a key that sorts like the list of names. Names may contain any character, including the separator.
 */
export function joinKey(...parts: readonly string[]): string {
  return parts.map((part) => (part.includes('\0') ? part.replaceAll('\0', '\0\u0001') : part)).join('\0\0');
}

/** Sum of a value over all parts; 0 for none. */
export function sumBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  let sum = 0;
  for (const part of parts) sum += valueOf(part);
  return sum;
}

/** Smallest value of all parts; Infinity for none. */
export function minBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  return parts.reduce((min, part) => Math.min(min, valueOf(part)), Infinity);
}

/** Largest value of all parts; -Infinity for none. */
export function maxBy<T>(parts: readonly T[], valueOf: (part: T) => number): number {
  return parts.reduce((max, part) => Math.max(max, valueOf(part)), -Infinity);
}
