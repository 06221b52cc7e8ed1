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
  /** A value for each column. */
  readonly rows: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[];
}

/** Arranges values in rows and columns, both in the order in which they come first. @param unit of values without cells */
export function arrangeTable(values: readonly TableValue[], unit: string): ChartTable {
  const columns = new Map<string, TableColumn>();
  const rows = new Map<string, Map<string, number | undefined>>();
  for (const { label, cell = { row: label, column: '', unit }, value } of values) {
    columns.set(cell.column, { name: cell.column, unit: cell.unit });
    rows.set(cell.row, (rows.get(cell.row) ?? new Map<string, number | undefined>()).set(cell.column, value));
  }
  return {
    columns: [...columns.values()],
    rows: [...rows].map(([name, row]) => ({ name, values: [...columns.keys()].map((column) => row.get(column)) })),
  };
}
