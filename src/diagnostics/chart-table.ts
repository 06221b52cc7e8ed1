/** The place of a value in a table of several figures of each group. */
export interface TableCell {
  /** Name of the group. */
  readonly row: string;
  /** Name of the figure. */
  readonly column: string;
  /** UCUM or a display unit; the figures of one table may differ. */
  readonly unit: string;
}

/** A value of a chart of the type `table`. */
export interface TableValue {
  readonly label: string;
  /** Absent: the value has a row of its own, under its label. */
  readonly cell?: TableCell | undefined;
  /** Undefined: there is none. */
  readonly value: number | undefined;
}

export interface TableColumn {
  /** "" for the only column of values without cells. */
  readonly name: string;
  readonly unit: string;
}

export interface ChartTable {
  readonly columns: readonly TableColumn[];
  /** A value for each column. Names may recur. */
  readonly rows: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[];
}

interface Row {
  readonly name: string;
  readonly values: Map<string, number | undefined>;
}

/**
 * Arranges values in rows and columns, both in the order in which they come first. Cells of a row follow each other: a
 * column that comes again begins the next row, whatever its name is.
 * @param unit of values without cells
 */
export function arrangeTable(values: readonly TableValue[], unit: string): ChartTable {
  const columns = new Map<string, TableColumn>();
  const rows: Row[] = [];
  for (const { label, cell = { row: label, column: '', unit }, value } of values) {
    columns.set(cell.column, { name: cell.column, unit: cell.unit });
    const last = rows.at(-1);
    if (last?.name === cell.row && !last.values.has(cell.column)) last.values.set(cell.column, value);
    else rows.push({ name: cell.row, values: new Map([[cell.column, value]]) });
  }
  return {
    columns: [...columns.values()],
    rows: rows.map((row) => ({ name: row.name, values: [...columns.keys()].map((name) => row.values.get(name)) })),
  };
}
