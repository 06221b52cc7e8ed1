/** A value of one field of one record; undefined: the record does not have the field. */
export type FieldValue = string | number | undefined;

/** Values by code: few distinct ones, or texts. */
export interface CodedColumn {
  readonly kind: 'coded';
  /** By row. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly values: readonly FieldValue[];
}

/** Numbers by row; NaN: the record does not have the field. */
export interface NumberColumn {
  readonly kind: 'numbers';
  readonly numbers: Float64Array;
}

/** Any number of values in each row: those of row i are `codes[ends[i − 1], ends[i])`. */
export interface MultiColumn {
  readonly kind: 'multi';
  readonly ends: Uint32Array;
  readonly codes: Uint32Array;
  readonly values: readonly FieldValue[];
}

/** Values of data points that were added up: by row, their sum, number and extremes (NaN if unknown). */
export interface SummedColumn {
  readonly kind: 'summed';
  /** What conditions compare: the increment of a counter, else the mean. */
  readonly numbers: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  readonly minima: Float64Array;
  readonly maxima: Float64Array;
}

/** One field of all records of a batch. Where only some rows were asked for, the others have no meaning. */
export type FieldColumn = CodedColumn | NumberColumn | MultiColumn | SummedColumn;

/** Collects values under codes in order of appearance. The code 0 is the absent value. */
export class ValueDictionary {
  readonly values: FieldValue[] = [undefined];
  private readonly codes = new Map<FieldValue, number>([[undefined, 0]]);

  code(value: FieldValue): number {
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    this.codes.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}

const BYTE_CODES = 2 ** 8;
const SHORT_CODES = 2 ** 16;

/** The codes in the narrowest array that holds them. */
export function narrowCodes(codes: Uint16Array | Uint32Array, distinct: number): CodedColumn['codes'] {
  if (distinct <= BYTE_CODES) return Uint8Array.from(codes);
  return distinct <= SHORT_CODES ? Uint16Array.from(codes) : codes;
}

/** A column from a value for each row. */
export function buildCodedColumn(rows: number, valueOf: (row: number) => FieldValue): CodedColumn {
  const dictionary = new ValueDictionary();
  const codes = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) codes[row] = dictionary.code(valueOf(row));
  return { kind: 'coded', codes: narrowCodes(codes, dictionary.values.length), values: dictionary.values };
}
