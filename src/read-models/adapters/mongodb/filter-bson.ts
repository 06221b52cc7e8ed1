import type { Filter as MongoFilter, Sort } from 'mongodb';
import type { Filter, Query, Scalar } from '../../filter.js';
import { prefixEnd } from '../../prefix-end.js';
import type { BlobPage } from '../../store.js';
import type { Chunk } from './blob-chunks.js';
import type { StoredDocument } from './stored-document.js';

type Condition = MongoFilter<StoredDocument>;

/** MongoDB would also look into arrays: of a field that is one, no element may meet a condition on the field. */
const NO_ARRAY = { $not: { $type: 'array' } };

/** Path of a field. Field names come from our own code, still nothing but a name may pass. */
export function fieldPath(field: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(field)) throw new TypeError(`not a field name: ${field}`);
  return `document.${field}`;
}

/** A value as a literal. What is no scalar in spite of its type, an object that names operators above all, stops here. */
function literal(value: Scalar): Scalar {
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError(`not a scalar: ${typeof value}`);
  return value;
}

/** Comparisons of MongoDB keep to the type of the value that is compared with, and compare strings by the bytes of their UTF-8. */
function compared(field: string, comparison: object): Condition {
  return { [fieldPath(field)]: { ...comparison, ...NO_ARRAY } };
}

function inRange(field: string, from: Scalar | undefined, to: Scalar | undefined): Condition {
  if (from !== undefined || to !== undefined) {
    return compared(field, { ...(from !== undefined && { $gte: literal(from) }), ...(to !== undefined && { $lt: literal(to) }) });
  }
  // Present and not null; "not null" alone would leave out an array that holds a null.
  return { $or: [{ [fieldPath(field)]: { $ne: null } }, { [fieldPath(field)]: { $type: 'array' } }] };
}

/** The condition in the language of MongoDB, over documents as they are stored. */
export function conditionOf(filter: Filter): Condition {
  switch (filter.op) {
    case 'and':
      return filter.filters.length === 0 ? {} : { $and: filter.filters.map(conditionOf) };
    case 'eq':
      return compared(filter.field, { $eq: literal(filter.value) });
    case 'in':
      return compared(filter.field, { $in: filter.values.map(literal) });
    case 'range':
      return inRange(filter.field, filter.from, filter.to);
    case 'prefix':
      return inRange(filter.field, filter.value, prefixEnd(filter.value));
    case 'has':
      return { [fieldPath(filter.field)]: { $elemMatch: { $eq: literal(filter.value) } } };
    default:
      return filter satisfies never;
  }
}

/** Order of a query; a field that is not there sorts as null does, before everything. */
export function sortOf(sort: Query['sort'] = []): Sort {
  return [...sort.map(({ field, descending }): [string, 1 | -1] => [fieldPath(field), descending === true ? -1 : 1]), ['_id', 1]];
}

/** Chunks of one named blob of a page of documents. */
export function blobPageCondition(name: string, { prefix, after }: BlobPage): MongoFilter<Chunk> {
  const end = prefixEnd(prefix);
  return { name: { $eq: name }, id: { $gte: prefix, ...(end !== undefined && { $lt: end }), ...(after !== undefined && { $gt: after }) } };
}
