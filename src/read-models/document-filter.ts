/**
 * A value that a document field can be compared with. Strings compare by Unicode code points, numbers by value; values
 * of different types never match.
 */
export type Scalar = string | number | boolean;

/**
 * A condition on documents. `field`: a top-level field name. A document without the field matches no condition on it,
 * and sorts first. `range`: inclusive at `from`, exclusive at `to`. `has`: the field is an array that contains the
 * value.
 */
export type Filter =
  | { readonly op: 'eq'; readonly field: string; readonly value: Scalar }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'range'; readonly field: string; readonly from?: Scalar; readonly to?: Scalar }
  | { readonly op: 'prefix'; readonly field: string; readonly value: string }
  | { readonly op: 'has'; readonly field: string; readonly value: Scalar }
  | { readonly op: 'and'; readonly filters: readonly Filter[] };

export const eq = (field: string, value: Scalar): Filter => ({ op: 'eq', field, value });
export const oneOf = (field: string, values: readonly Scalar[]): Filter => ({ op: 'in', field, values });
export const range = (field: string, from?: Scalar, to?: Scalar): Filter => ({ op: 'range', field, from, to });
export const prefix = (field: string, value: string): Filter => ({ op: 'prefix', field, value });
export const has = (field: string, value: Scalar): Filter => ({ op: 'has', field, value });
export const and = (...filters: Filter[]): Filter => ({ op: 'and', filters });

/** Selects and orders documents. The default order is by id; ties are always broken by id, ascending. */
export interface DocumentQuery {
  readonly filter?: Filter;
  readonly sort?: readonly { readonly field: string; readonly descending?: boolean }[];
  readonly skip?: number;
  readonly limit?: number;
}

/** First string after all strings with the prefix, in code point order; undefined if there is none. */
export function prefixUpperBound(value: string): string | undefined {
  const points = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0 && points[points.length - 1] === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === 0xd800 ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
