/** Rows in the order of `shown`, which is that of before; those that were not there come last, and those that have gone are gone. */
export function keepRowOrder<Row>(
  rows: readonly Row[],
  shown: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const places = new Map(shown.map((row, place) => [idOf(row), place]));
  const placeOf = (row: Row): number => places.get(idOf(row)) ?? Infinity;
  // Both new: as they come. The difference of two infinities is no number.
  return [...rows].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}

/** Each id once, the first of it: pages of a search overlap where something late came in between. */
export function uniqueBy<Each>(all: readonly Each[], idOf: (each: Each) => string): readonly Each[] {
  const byId = new Map<string, Each>();
  for (const each of all) if (!byId.has(idOf(each))) byId.set(idOf(each), each);
  return [...byId.values()];
}
