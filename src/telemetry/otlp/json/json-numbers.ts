import type { ScalarType } from './otlp-message-schemas.js';

/** Fields that hold whole numbers. */
export type IntegerKind = Extract<
  ScalarType,
  'enum' | 'uint32' | 'sint32' | 'fixed32' | 'fixed64' | 'sfixed64' | 'int64' | 'uint64'
>;

interface IntegerRange {
  readonly least: bigint;
  readonly most: bigint;
}

const INT32: IntegerRange = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const UINT32: IntegerRange = { least: 0n, most: 2n ** 32n - 1n };
const INT64: IntegerRange = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const UINT64: IntegerRange = { least: 0n, most: 2n ** 64n - 1n };

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
/** Longer ones are out of every range, and costly to convert. */
const MAX_DIGITS = 24;
const SPECIAL_DOUBLES = new Set(['NaN', 'Infinity', '-Infinity']);

/** The integer that a JSON number or string says, undefined where it is none or out of range. `1.0` and `1e3` are integers. */
export function parseInteger(text: string, kind: IntegerKind): bigint | undefined {
  const value = toExactBigInt(text);
  const { least, most } = RANGES[kind];
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

function toExactBigInt(text: string): bigint | undefined {
  if (DECIMAL.test(text)) return text.length <= MAX_DIGITS ? BigInt(text) : undefined;
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** The double that a JSON number or string says; undefined where it says none. */
export function parseDouble(text: string): number | undefined {
  if (SPECIAL_DOUBLES.has(text)) return Number(text);
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
}
