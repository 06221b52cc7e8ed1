import { BSON } from 'mongodb';
import { aggregate, find, Query, update } from 'mingo';
import { compare, isScalar, valueAt, type Scalar } from './order.js';
import type { Bson } from './wire.js';

/**
 * mingo compares strings by UTF-16 units, MongoDB by UTF-8 bytes. This mapping of units makes both orders equal: it moves
 * surrogates, which encode all characters beyond U+FFFF, behind U+FFFF.
 */
function exchanged(text: string, highest: (unit: number) => number): string {
  return /[\ud800-\uffff]/.test(text)
    ? String.fromCharCode(...Array.from({ length: text.length }, (_, at) => highest(text.charCodeAt(at))))
    : text;
}

const toOrdered = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

function ordered<T>(value: T): T {
  if (typeof value === 'string') return exchanged(value, toOrdered) as T;
  if (Array.isArray(value)) return value.map(ordered) as T;
  if (
    typeof value !== 'object' ||
    value === null ||
    '_bsontype' in value ||
    value instanceof Date ||
    value instanceof RegExp
  )
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ordered(each)])) as T;
}

/** Cache of documents that need no mapping, which most do not. */
const inOrder = new WeakMap<Bson, boolean>();

function comparable(document: Bson): Bson {
  let isInOrder = inOrder.get(document);
  if (isInOrder === undefined) inOrder.set(document, (isInOrder = !isOutOfOrder(document)));
  return isInOrder ? document : ordered(document);
}

function isOutOfOrder(value: unknown): boolean {
  if (typeof value === 'string') return /[\ud800-\uffff]/.test(value);
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return false;
  return Object.values(value).some(isOutOfOrder);
}

export function matching(documents: Iterable<Bson>, filter: Bson): Bson[] {
  const query = new Query(ordered(filter));
  return [...documents].filter((document) => query.test(comparable(document)));
}

/** Sorts by a sort specification; without one, keeps the order. */
export function sorted(documents: readonly Bson[], sort: Bson | undefined): Bson[] {
  const spec = Object.entries(sort ?? {}).map(([path, way]): [string, number] => [path, Number(way)]);
  if (spec.length === 0) return [...documents];
  const rows: readonly Row<unknown>[] = documents.map((document) => ({
    document,
    values: spec.map(([path]) => valueAt(document, path)),
  }));
  const order = (a: Row<Scalar>, b: Row<Scalar>): number =>
    spec.reduce((found, [, way], n) => found || way * compare(a.values[n], b.values[n]), 0);
  return rows.every(hasPlainValues)
    ? rows.toSorted(order).map(({ document }) => document)
    : sortedByMingo(documents, spec);
}

interface Row<Value> {
  readonly document: Bson;
  readonly values: readonly Value[];
}

const hasPlainValues = (row: Row<unknown>): row is Row<Scalar> =>
  row.values.every((value) => isScalar(value) && value !== undefined);

/** For arrays, dates and missing fields, which are rare; mingo sorts their types correctly. */
function sortedByMingo(documents: readonly Bson[], spec: readonly (readonly [string, number])[]): Bson[] {
  const rows = documents.map((document, number) => ({ number, key: ordered(document) }));
  const paths = Object.fromEntries(spec.map(([path, way]) => [`key.${path}`, way as 1 | -1]));
  return find<{ number: number }>(rows, {})
    .sort(paths)
    .all()
    .map(({ number }) => documents[number]);
}

export function aggregated(documents: readonly Bson[], pipeline: readonly Bson[]): Bson[] {
  return aggregate(documents.map(comparable), ordered(pipeline) as never);
}

/** The document after an update by operators or replacement. */
export function updated(document: Bson, change: Bson): Bson {
  const { $setOnInsert: _, ...operators } = change;
  const isReplacement = !Object.keys(change).some((name) => name.startsWith('$'));
  if (isReplacement) return { _id: document._id as unknown, ...change };
  const copy = { ...document };
  update(copy, operators as never);
  return copy;
}

/** The document created by an upsert. */
export function created(filter: Bson, change: Bson): Bson {
  const document = { ...begun(filter), ...(change.$setOnInsert as Bson | undefined) };
  return updated(document, change);
}

/** The initial fields of an upserted document: the equality conditions of its filter. */
function begun(filter: Bson): Bson {
  const stated = Object.entries(filter).flatMap(([path, value]): [string, unknown][] => {
    if (path.startsWith('$') || path.includes('.')) return [];
    if (!isOperators(value)) return [[path, value]];
    return '$eq' in value ? [[path, value.$eq]] : [];
  });
  return { _id: new BSON.ObjectId(), ...Object.fromEntries(stated) };
}

function isOperators(value: unknown): value is Bson {
  return typeof value === 'object' && value !== null && Object.keys(value).some((name) => name.startsWith('$'));
}
