/** Rows in the order of `shown`, which is that of before; those that were not there come last, and those that have gone are gone. */
export function heldOrder<Row>(
  rows: readonly Row[],
  shown: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const places = new Map(shown.map((row, place) => [idOf(row), place]));
  const placeOf = (row: Row): number => places.get(idOf(row)) ?? Infinity;
  // Both new: as they come. The difference of two infinities is no number.
  return [...rows].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}
