/** Block-local ids of the ids in one column, in the order of their first row. */
export interface LocalIds {
  /** Local id of each row. */
  readonly ids: Uint16Array;
  /** The column's id behind each local one. */
  readonly originals: readonly number[];
  /** Rows of each local id. */
  readonly counts: readonly number[];
}

export function localIds(column: Uint32Array, rows: Uint32Array): LocalIds {
  const ids = new Uint16Array(rows.length);
  const known = new Map<number, number>();
  const originals: number[] = [];
  const counts: number[] = [];
  let previous = -1;
  let id = 0;
  for (let i = 0; i < rows.length; i++) {
    const original = column[rows[i]];
    if (original !== previous) {
      previous = original;
      const found = known.get(original);
      if (found === undefined) {
        id = originals.push(original) - 1;
        counts.push(0);
        known.set(original, id);
      } else id = found;
    }
    ids[i] = id;
    counts[id]++;
  }
  return { ids, originals, counts };
}
