/** A value of an answer. */
export type AnswerCell = string | number | object | null;

/** An answer as a table: the points of series are rows with a time. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly AnswerCell[])[];
}

interface Answer {
  readonly columns: readonly { readonly name: string }[];
  readonly rows?: readonly (readonly unknown[])[] | undefined;
  readonly series?: readonly { readonly group: readonly unknown[]; readonly points: readonly (readonly unknown[])[] }[];
}

export function toAnswerTable({ columns, rows, series }: Answer): AnswerTable {
  const names = columns.map(({ name }) => name);
  if (series === undefined) return { columns: names, rows: (rows ?? []) as readonly AnswerCell[][] };
  const groups = series[0]?.group.length ?? 0;
  return {
    columns: [...names.slice(0, groups), 'time', ...names.slice(groups)],
    rows: series.flatMap(({ group, points }) => points.map((point) => [...group, ...point] as AnswerCell[])),
  };
}

/** Spreadsheets run texts that begin so as formulas. Anybody may have sent them. */
const FORMULA = /^[=+\-@\t\r]/;

/** The table as CSV (RFC 4180). Texts that a spreadsheet would run as formulas begin with an apostrophe. */
export function writeCsv({ columns, rows }: AnswerTable): string {
  return [columns, ...rows].map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join('');
}

function writeCsvCell(cell: AnswerCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
