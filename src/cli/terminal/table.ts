import { shownText } from './shown-text.js';

/** A column: its title, and what it shows of a row. Numbers stand at the right. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | boolean | null | undefined;
}

const GAP = '  ';
const NOTHING = '-';

/** Aligned columns under their titles; a sentence where there is no row. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): string {
  if (rows.length === 0) return none;
  const cells = rows.map((row) => columns.map(({ of }) => cell(of(row))));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => widthOf(line[at]))));
  const numeric = columns.map(({ of }) => rows.every((row) => typeof of(row) === 'number'));
  const line = (texts: readonly string[]): string => texts.map((text, at) => aligned(text, widths[at], numeric[at])).join(GAP).trimEnd();
  return [line(columns.map(({ title }) => title.toUpperCase())), ...cells.map(line)].join('\n');
}

/** Names and values, one a line. */
export function record(members: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}${GAP}${cell(value)}`).join('\n');
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  return shownText(String(value));
}

function aligned(text: string, width: number, right: boolean): string {
  const padding = ' '.repeat(width - widthOf(text));
  return right ? padding + text : text + padding;
}

/** Characters as people count them. */
function widthOf(text: string): number {
  return [...text].length;
}
