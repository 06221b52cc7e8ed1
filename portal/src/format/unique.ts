/** Each id once, the first of it: pages of a search overlap where something late came in between. */
export function uniqueBy<Each>(all: readonly Each[], idOf: (each: Each) => string): readonly Each[] {
  const byId = new Map<string, Each>();
  for (const each of all) if (!byId.has(idOf(each))) byId.set(idOf(each), each);
  return [...byId.values()];
}
