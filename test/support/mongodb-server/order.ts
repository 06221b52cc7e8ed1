/**
 * The order of MongoDB over what documents hold in fields by which they are found: nothing (null, or no field) before numbers,
 * these before strings by the bytes of their UTF-8, then truth values.
 */
export type Scalar = null | undefined | number | string | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  value === null || value === undefined || ['number', 'string', 'boolean'].includes(typeof value);

const RANKS: Readonly<Record<string, number>> = { undefined: 0, object: 0, number: 1, string: 2, boolean: 3 };

const rankOf = (value: Scalar): number => RANKS[typeof value];

/** Surrogates, and what UTF-16 puts behind them though its bytes come first. */
const OUT_OF_ORDER = /[\ud800-\uffff]/;

export function compare(a: Scalar, b: Scalar): number {
  const byRank = rankOf(a) - rankOf(b);
  if (byRank !== 0 || a === b || rankOf(a) === 0) return byRank;
  if (typeof a === 'string' && (OUT_OF_ORDER.test(a) || OUT_OF_ORDER.test(b as string)))
    return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a! < b! ? -1 : 1;
}

/** What lies at a path; undefined also where the way leads through an array. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isDocument(value) ? value[name] : undefined), document);
}

const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
