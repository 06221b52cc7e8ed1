import type { IntrinsicField } from '../field-catalogue.js';
import type { ComparisonOperator, Literal } from '../query-model.js';
import { NUMBER_WITH_UNIT, SIZE_BYTES } from './quantities.js';

/** Durations in nanoseconds. */
const DURATION_NS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  min: 60e9,
  h: 3_600e9,
  d: 86_400e9,
};
const NS_PER_MS = 1e6;
/** Beyond the precision of the product of a number and its unit. */
const ROUNDING = 1e-12;

/** A description of what is wrong with a value. */
export interface InvalidLiteral {
  readonly expected: string;
}

type LiteralResult = Literal | InvalidLiteral;

export function isInvalidLiteral(literal: LiteralResult): literal is InvalidLiteral {
  return 'expected' in literal;
}

/** A value as it is written, and what is done with it. */
export interface WrittenValue {
  readonly text: string;
  /** Never a number with a unit. */
  readonly quoted: boolean;
  /** Compared by `>`, `>=`, `<` or `<=`. */
  readonly ordered: boolean;
}

/** Reads a value for an intrinsic field of this type and unit. */
export function readLiteral(
  { text, quoted, ordered }: WrittenValue,
  { type, unit, values }: Pick<IntrinsicField, 'type' | 'unit' | 'values'>,
): LiteralResult {
  if (values !== undefined) return readChoice(text, values);
  if (type === 'time') return readTime(text);
  const [, digits = '', suffix = ''] = (quoted ? null : NUMBER_WITH_UNIT.exec(text)) ?? [];
  if (unit === 'ms') return digits === '' ? { expected: 'a duration such as 250ms' } : readDuration(digits, suffix);
  if (type === 'number' && (digits === '' || suffix !== '')) return { expected: 'a number' };
  return readText({ text, quoted, ordered });
}

/** Reads a value for an attribute, whose values may be texts or numbers. Sizes are in bytes. */
export function readAttributeLiteral({ text, quoted, ordered }: WrittenValue): LiteralResult {
  const [, digits = '', suffix = ''] = (quoted ? null : NUMBER_WITH_UNIT.exec(text)) ?? [];
  if (Object.hasOwn(SIZE_BYTES, suffix)) return toLiteral(Number(digits) * SIZE_BYTES[suffix]);
  // Attributes do not tell their unit. As a text, `250ms` would be less than `3`, and `5kb` more than `10000`.
  if (ordered && digits !== '' && suffix !== '')
    return { expected: 'a number in the unit of the attribute, or a quoted string,' };
  return readText({ text, quoted, ordered });
}

/** Whoever puts a number in quotes wants texts to be ordered as texts. */
function readText({ text, quoted, ordered }: WrittenValue): Literal {
  return { text, number: quoted && ordered ? NaN : toNumber(text) };
}

/** A number without a unit is in milliseconds. Whole nanoseconds give exactly the number that a record with them has. */
function readDuration(digits: string, suffix: string): LiteralResult {
  const unit = suffix === '' ? 'ms' : suffix;
  if (!Object.hasOwn(DURATION_NS, unit)) return { expected: `a unit of time: ${Object.keys(DURATION_NS).join(', ')}` };
  const nanos = Number(digits) * DURATION_NS[unit];
  const whole = Math.round(nanos);
  return toLiteral((Math.abs(nanos - whole) <= ROUNDING * Math.abs(nanos) ? whole : nanos) / NS_PER_MS);
}

function readChoice(text: string, values: readonly string[]): LiteralResult {
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
  return found === undefined ? { expected: `one of ${values.join(', ')}` } : { text: found, number: NaN };
}

/** Those of the ascending values that compare like this with one of them. */
export function selectOrdered(
  values: readonly string[],
  operator: Exclude<ComparisonOperator, '=' | '!='>,
  { text }: Literal,
): Literal[] {
  const place = values.indexOf(text);
  const [from, to] = operator.startsWith('>') ? [place, values.length] : [0, place + 1];
  return values
    .slice(from, to)
    .filter((value) => operator.endsWith('=') || value !== text)
    .map((value) => ({ text: value, number: NaN }));
}

function readTime(text: string): LiteralResult {
  const ms = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? { expected: 'an ISO 8601 time such as 2026-03-14T09:00:00Z' } : { text, number: ms };
}

function toLiteral(number: number): Literal {
  return { text: String(number), number };
}

/** The number that a text is; NaN for other texts, including blank ones. */
export function toNumber(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}
