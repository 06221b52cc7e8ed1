import type { ScalarType } from './otlp-message-schemas.js';

/** Types of integer fields. */
export type IntegerKind = Extract<
  ScalarType,
  'enum' | 'uint32' | 'sint32' | 'fixed32' | 'fixed64' | 'sfixed64' | 'int64' | 'uint64'
>;

interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

const INT32: IntegerRange = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const UINT32: IntegerRange = { min: 0n, max: 2n ** 32n - 1n };
const INT64: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const UINT64: IntegerRange = { min: 0n, max: 2n ** 64n - 1n };

const RANGES: Readonly<Record<IntegerKind, IntegerRange>> = {
  enum: INT32,
  sint32: INT32,
  uint32: UINT32,
  fixed32: UINT32,
  int64: INT64,
  sfixed64: INT64,
  fixed64: UINT64,
  uint64: UINT64,
};

const DECIMAL = /^-?[0-9]+$/;
/** Longer numbers are out of every range, and expensive to convert. */
const MAX_DIGITS = 24;
const SPECIAL_DOUBLES = new Set(['NaN', 'Infinity', '-Infinity']);

/**
 * Parses an integer from the text of a JSON number or string; undefined if it is not an integer or out of range. `1.0`
 * and `1e3` are integers.
 */
export function parseInteger(text: string, kind: IntegerKind): bigint | undefined {
  const value = toExactBigInt(text);
  const { min, max } = RANGES[kind];
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function toExactBigInt(text: string): bigint | undefined {
  if (DECIMAL.test(text)) return text.length <= MAX_DIGITS ? BigInt(text) : undefined;
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** Parses a double from the text of a JSON number or string; undefined if it is not a number. */
export function parseDouble(text: string): number | undefined {
  if (SPECIAL_DOUBLES.has(text)) return Number(text);
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
}
