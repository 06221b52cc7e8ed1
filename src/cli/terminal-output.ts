import type { Progress } from '../operations/operations-port.js';

/** A table column. Columns with only numbers are right-aligned. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | boolean | null | undefined;
}

const GAP = '  ';
const EMPTY_CELL = '-';

/** Formats an aligned table; returns `none` when there are no rows. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): string {
  if (rows.length === 0) return none;
  const cells = rows.map((row) => columns.map(({ value }) => formatCell(value(row))));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => displayWidth(line[at]))));
  const numeric = columns.map(({ value }) => rows.every((row) => typeof value(row) === 'number'));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => padCell(text, widths[at], numeric[at]))
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ title }) => title.toUpperCase())), ...cells.map(line)].join('\n');
}

/** Formats names and values, one per line. */
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

/** Width in code points. */
function displayWidth(text: string): number {
  return [...text].length;
}

/**
 * Control and bidirectional characters: they come from untrusted telemetry and names, and a terminal would interpret
 * them.
 */
const TERMINAL_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes the text to one line without characters that a terminal interprets. */
export function escapeTerminalControls(text: string): string {
  return text.replace(TERMINAL_CONTROLS, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return ' ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Escapes every character that a terminal interprets, except line feeds: for text that was laid out in lines. */
export function escapeTerminalLines(text: string): string {
  return text.split('\n').map(escapeTerminalControls).join('\n');
}

/** JSON that a terminal does not interpret either: characters that JSON allows as they are become `\uXXXX`. */
export function toTerminalJson(value: unknown): string {
  return escapeTerminalControls(JSON.stringify(value));
}

/** Prints the result of a command to stdout: one JSON value for programs, or text for people. */
export function printResult(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? toTerminalJson(value) : escapeTerminalLines(text)}\n`);
}

/** Prints a note for people to stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${escapeTerminalLines(text)}\n`);
}

/**
 * Runs `work` with a progress bar in `unit` on stderr; without one when `silent`. The bar appears with the first
 * progress, so that early failures are reported without it. Resolves to the result of `work`.
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
  // Without an estimate the library would format a text as seconds.
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
