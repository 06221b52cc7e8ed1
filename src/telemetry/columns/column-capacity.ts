type Column = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** Minimum number of rows in a set of columns; from there they double together. */
export const MIN_ROW_CAPACITY = 16;

/** A copy of twice the length, filled with zeros beyond the old one. */
export function doubleCapacity<C extends Column>(column: C): C {
  const larger = new (column.constructor as new (length: number) => C)(column.length * 2);
  larger.set(column);
  return larger;
}

/** Columns that hold a growing list of attribute tokens. */
interface TokenColumns {
  tokens: Uint32Array;
  tokenChecks: Uint16Array;
  tokenCount: number;
}

/** Ensures capacity for one more token. */
export function reserveTokenCapacity(columns: TokenColumns): void {
  if (columns.tokenCount < columns.tokens.length) return;
  columns.tokens = doubleCapacity(columns.tokens);
  columns.tokenChecks = doubleCapacity(columns.tokenChecks);
}
