import type { Filter, DocumentQuery, Scalar } from '../../document-filter.js';

type Fields = Readonly<Record<string, unknown>>;

/** Negative, zero or positive; strings by code points (the order of their UTF-8 bytes). */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

function hasSameType(value: unknown, bound: Scalar): value is Scalar {
  return typeof value === typeof bound;
}

function isInRange(value: unknown, from: Scalar | undefined, to: Scalar | undefined): boolean {
  if (from !== undefined && !(hasSameType(value, from) && compareScalars(value, from) >= 0)) return false;
  if (to !== undefined && !(hasSameType(value, to) && compareScalars(value, to) < 0)) return false;
  return value !== undefined && value !== null;
}

/** Whether the document matches the filter. Reference implementation of the filter semantics. */
export function matchesFilter(filter: Filter, document: Fields): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matchesFilter(each, document));
    case 'eq':
      return document[filter.field] === filter.value;
    case 'in':
      return filter.values.some((value) => document[filter.field] === value);
    case 'range':
      return isInRange(document[filter.field], filter.from, filter.to);
    case 'prefix': {
      const value = document[filter.field];
      return typeof value === 'string' && value.startsWith(filter.value);
    }
    case 'has': {
      const value = document[filter.field];
      return Array.isArray(value) && value.includes(filter.value);
    }
    default:
      return filter satisfies never;
  }
}

/** Comparator of a query: its sort fields, absent values first, then the id. */
export function createQueryComparator(query: DocumentQuery): (a: Entry, b: Entry) => number {
  return (a, b) => {
    for (const { field, descending } of query.sort ?? []) {
      const order = compareFields(a.document[field], b.document[field]);
      if (order !== 0) return descending === true ? -order : order;
    }
    return compareScalars(a.id, b.id);
  };
}

interface Entry {
  readonly id: string;
  readonly document: Fields;
}

function compareFields(a: unknown, b: unknown): number {
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  return compareScalars(a as Scalar, b as Scalar);
}
