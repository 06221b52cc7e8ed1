import type { Filter as MongoFilter, Sort } from 'mongodb';
import { type DocumentQuery, type Filter, prefixUpperBound, type Scalar } from '../../document-filter.js';
import type { BlobPage } from '../../read-model-store.js';
import type { BlobChunk, StoredDocument } from './mongo-storage-format.js';

type Condition = MongoFilter<StoredDocument>;

/** MongoDB also matches array elements: a field that is an array must not match a condition on a scalar. */
const NO_ARRAY = { $not: { $type: 'array' } };

/** Path of a field. Field names come from our own code; all the same, only a plain name is accepted. */
export function fieldPath(field: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(field)) throw new TypeError(`not a field name: ${field}`);
  return `document.${field}`;
}

/** A value as a literal. Rejects anything that is not a scalar despite its type, above all objects with operators. */
function toLiteral(value: Scalar): Scalar {
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError(`not a scalar: ${typeof value}`);
  return value;
}

/** MongoDB comparisons match values of the same type only, and compare strings by their UTF-8 bytes. */
function fieldComparison(field: string, comparison: object): Condition {
  return { [fieldPath(field)]: { ...comparison, ...NO_ARRAY } };
}

function rangeCondition(field: string, from: Scalar | undefined, to: Scalar | undefined): Condition {
  if (from !== undefined || to !== undefined) {
    return fieldComparison(field, {
      ...(from !== undefined && { $gte: toLiteral(from) }),
      ...(to !== undefined && { $lt: toLiteral(to) }),
    });
  }
  // Present and not null; "not null" alone would exclude an array that contains a null.
  return { $or: [{ [fieldPath(field)]: { $ne: null } }, { [fieldPath(field)]: { $type: 'array' } }] };
}

/** The filter as a MongoDB filter over stored documents. */
export function toMongoFilter(filter: Filter): Condition {
  switch (filter.op) {
    case 'and':
      return filter.filters.length === 0 ? {} : { $and: filter.filters.map(toMongoFilter) };
    case 'eq':
      return fieldComparison(filter.field, { $eq: toLiteral(filter.value) });
    case 'in':
      return fieldComparison(filter.field, { $in: filter.values.map(toLiteral) });
    case 'range':
      return rangeCondition(filter.field, filter.from, filter.to);
    case 'prefix':
      return rangeCondition(filter.field, filter.value, prefixUpperBound(filter.value));
    case 'has':
      return { [fieldPath(filter.field)]: { $elemMatch: { $eq: toLiteral(filter.value) } } };
    default:
      return filter satisfies never;
  }
}

/** Sort order of a query; an absent field sorts like null, before everything. */
export function toMongoSort(sort: DocumentQuery['sort'] = []): Sort {
  return [
    ...sort.map(({ field, descending }): [string, 1 | -1] => [fieldPath(field), descending === true ? -1 : 1]),
    ['_id', 1],
  ];
}

/** Filter for the chunks of one named blob of a page of documents. */
export function toBlobPageFilter(name: string, { prefix, after }: BlobPage): MongoFilter<BlobChunk> {
  const end = prefixUpperBound(prefix);
  return {
    name: { $eq: name },
    id: { $gte: prefix, ...(end !== undefined && { $lt: end }), ...(after !== undefined && { $gt: after }) },
  };
}
