/**
 * An id as it stands in its row. SQLite's driver cuts a text at a NUL, and names of telemetry, which a stranger chooses, stand in
 * ids: cut, two of them would be one row. So no NUL is in a row; different ids stay different, in their order, and a prefix a prefix.
 */
export function rowId(id: string): string {
  return /[\0\u0001]/.test(id) ? id.replace(/[\0\u0001]/g, (character) => (character === '\0' ? '\u0001\u0001' : '\u0001\u0002')) : id;
}

/** The id that stands in a row. */
export function idOf(row: string): string {
  return row.includes('\u0001') ? row.replace(/\u0001([\u0001\u0002])/g, (_, character) => (character === '\u0001' ? '\0' : '\u0001')) : row;
}
