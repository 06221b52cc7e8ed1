import type { Progress } from '../operations/operations-port.js';

/** A column: its title, and what it shows of a row. Numbers stand at the right. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | boolean | null | undefined;
}

const GAP = '  ';
const EMPTY_CELL = '-';

/** Aligned columns under their titles; a sentence where there is no row. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): string {
  if (rows.length === 0) return none;
  const cells = rows.map((row) => columns.map(({ of }) => formatCell(of(row))));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => displayWidth(line[at]))));
  const numeric = columns.map(({ of }) => rows.every((row) => typeof of(row) === 'number'));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => padCell(text, widths[at], numeric[at]))
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ title }) => title.toUpperCase())), ...cells.map(line)].join('\n');
}

/** Names and values, one a line. */
export function formatRecord(members: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}${GAP}${formatCell(value)}`).join('\n');
}

function formatCell(value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null || value === '') return EMPTY_CELL;
  return escapeTerminalControls(String(value));
}

function padCell(text: string, width: number, right: boolean): string {
  const padding = ' '.repeat(width - displayWidth(text));
  return right ? padding + text : text + padding;
}

/** Characters as people count them. */
function displayWidth(text: string): number {
  return [...text].length;
}

/**
 * Control characters and what turns the direction of writing: they come from strangers' telemetry and names,
 * and a terminal would obey them.
 */
const TERMINAL_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text on one line, with nothing in it that a terminal obeys. */
export function escapeTerminalControls(text: string): string {
  return text.replace(TERMINAL_CONTROLS, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return ' ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** What a command answers: one JSON value for programs, a text for people. */
export function printResult(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** What people have to read beside the answer. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * Shows a bar of `unit` on stderr from the first progress of the work on; nothing when silent. Answers what the work does: what fails
 * before it has begun is told without a bar.
 */
export async function withProgressBar<Result>(
  title: string,
  unit: string,
  silent: boolean,
  work: (onProgress: (progress: Pick<Progress, 'done' | 'total'>) => void) => Promise<Result>,
  stream: NodeJS.WritableStream = process.stderr,
): Promise<Result> {
  if (silent) return work(() => undefined);
  const { Format, Presets, SingleBar } = (await import('cli-progress')).default;
  // Where nothing can be foretold the library formats a word as a number of seconds.
  const formatTime: typeof Format.TimeFormat = (seconds, ...rest) =>
    Number.isFinite(seconds) ? Format.TimeFormat(seconds, ...rest) : '?';
  const format = `${title} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`;
  const bar = new SingleBar(
    { format, formatTime, stream, noTTYOutput: true, notTTYSchedule: 2000 },
    Presets.shades_classic,
  );
  try {
    return await work(({ done, total }) => {
      if (!bar.isActive) bar.start(total, done);
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    if (bar.isActive) bar.stop(); // a running bar keeps the process alive
  }
}
