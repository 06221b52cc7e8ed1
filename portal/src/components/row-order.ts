/** The rows in the order of `previous`, with new rows last. */
export function keepRowOrder<Row>(
  rows: readonly Row[],
  previous: readonly Row[],
  getRowKey: (row: Row) => string,
): readonly Row[] {
  const indexes = new Map(previous.map((row, index) => [getRowKey(row), index]));
  const previousIndex = (row: Row): number => indexes.get(getRowKey(row)) ?? Infinity;
  // Two new rows keep their order: Infinity - Infinity would be NaN.
  return [...rows].sort((a, b) => (previousIndex(a) === previousIndex(b) ? 0 : previousIndex(a) - previousIndex(b)));
}

/** The first item of each id. Pages of a search overlap if late data arrived between their requests. */
export function uniqueBy<Each>(all: readonly Each[], getId: (each: Each) => string): readonly Each[] {
  const byId = new Map<string, Each>();
  for (const item of all) if (!byId.has(getId(item))) byId.set(getId(item), item);
  return [...byId.values()];
}
