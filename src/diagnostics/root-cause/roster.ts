/** Finds the entry of a name, and makes it when the name is new. */
export interface Roster<T> {
  of(name: string): T;
  readonly entries: readonly T[];
}

/**
 * Rollups list names in the same order minute after minute: the entry is most often the one after the last one found,
 * which spares the hashing.
 */
export function roster<T>(make: (name: string) => T): Roster<T> {
  const names: string[] = [];
  const entries: T[] = [];
  const indices = new Map<string, number>();
  let next = 0;
  return { of, entries };

  function of(name: string): T {
    if (names[next] !== name) next = indices.get(name) ?? add(name);
    const entry = entries[next];
    next = next + 1 === names.length ? 0 : next + 1;
    return entry;
  }

  function add(name: string): number {
    indices.set(name, names.length);
    entries.push(make(name));
    return names.push(name) - 1;
  }
}
