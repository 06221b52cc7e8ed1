/**
 * The sort order of MongoDB for scalar fields: null or missing, numbers, strings by their UTF-8 bytes, booleans.
 */
export type Scalar = null | undefined | number | string | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  value === null || value === undefined || ['number', 'string', 'boolean'].includes(typeof value);

const RANKS: Readonly<Record<string, number>> = { undefined: 0, object: 0, number: 1, string: 2, boolean: 3 };

const rankOf = (value: Scalar): number => RANKS[typeof value];

/** Surrogates, and characters that UTF-16 sorts after them but UTF-8 before. */
const OUT_OF_ORDER = /[\ud800-\uffff]/;

export function compare(a: Scalar, b: Scalar): number {
  const byRank = rankOf(a) - rankOf(b);
  if (byRank !== 0 || a === b || rankOf(a) === 0) return byRank;
  if (typeof a === 'string' && (OUT_OF_ORDER.test(a) || OUT_OF_ORDER.test(b as string)))
    return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a! < b! ? -1 : 1;
}

/** The value at a path; undefined if the path contains an array. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isDocument(value) ? value[name] : undefined), document);
}

const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
