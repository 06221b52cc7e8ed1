import { BSON } from 'mongodb';
import { aggregate, find, Query, update } from 'mingo';
import type { Bson } from './wire.js';

/**
 * mingo compares strings by UTF-16 units, MongoDB by the bytes of UTF-8. This exchange of units makes the first order the second:
 * surrogates, of which all characters beyond U+FFFF are made, move behind U+FFFF.
 */
function exchanged(text: string, highest: (unit: number) => number): string {
  return /[\ud800-\uffff]/.test(text) ? String.fromCharCode(...Array.from({ length: text.length }, (_, at) => highest(text.charCodeAt(at)))) : text;
}

const toOrdered = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

function ordered<T>(value: T): T {
  if (typeof value === 'string') return exchanged(value, toOrdered) as T;
  if (Array.isArray(value)) return value.map(ordered) as T;
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ordered(each)])) as T;
}

export function matching(documents: readonly Bson[], filter: Bson): Bson[] {
  const query = new Query(ordered(filter));
  return documents.filter((document) => query.test(ordered(document)));
}

/** In the order that the specification of a sort asks for; without one as they lie. */
export function sorted(documents: readonly Bson[], sort: Bson | undefined): Bson[] {
  if (sort === undefined || Object.keys(sort).length === 0) return [...documents];
  const rows = documents.map((document, number) => ({ number, key: ordered(document) }));
  const spec = Object.fromEntries(Object.entries(sort).map(([path, way]) => [`key.${path}`, Number(way) as 1 | -1]));
  return find<{ number: number }>(rows, {}).sort(spec).all().map(({ number }) => documents[number]);
}

export function aggregated(documents: readonly Bson[], pipeline: readonly Bson[]): Bson[] {
  return aggregate(documents.map(ordered), ordered(pipeline) as never);
}

/** The document after an update, by operators or by replacement. */
export function updated(document: Bson, change: Bson): Bson {
  const isReplacement = !Object.keys(change).some((name) => name.startsWith('$'));
  if (isReplacement) return { _id: document._id as unknown, ...change };
  const copy = { ...document };
  update(copy, change as never);
  return copy;
}

/** What a document that an upsert creates begins with: the equalities that its filter states. */
export function begun(filter: Bson): Bson {
  const id: unknown = filter._id;
  if (id === undefined) return { _id: new BSON.ObjectId() };
  const stated = typeof id === 'object' && id !== null && '$eq' in id ? id.$eq : id;
  return { _id: stated };
}
