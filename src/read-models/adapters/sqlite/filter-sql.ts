import type { Filter, Query, Scalar } from '../../filter.js';
import { prefixEnd } from '../../prefix-end.js';
import type { BlobPage } from '../../store.js';
import { rowId } from './row-ids.js';

/** A piece of SQL and what is bound to its question marks, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** JSON path expression of a field. Field names come from our own code, still nothing but a name may pass. */
export function fieldExpression(field: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(field)) throw new TypeError(`not a field name: ${field}`);
  return `json_extract(document, '$.${field}')`;
}

function jsonType(field: string): string {
  return `json_type(document, '$.${field}')`;
}

/** SQLite would compare 1 with true and order numbers before strings: a condition also asks for the type. */
function typeCondition(field: string, value: Scalar): string {
  if (typeof value === 'string') return `${jsonType(field)} = 'text'`;
  if (typeof value === 'boolean') return `${jsonType(field)} IN ('true', 'false')`;
  return `${jsonType(field)} IN ('integer', 'real')`;
}

/** SQLite's driver cuts a text at a NUL: one that holds some goes as JSON, where NUL is written in letters. */
function bound(value: Scalar): { readonly text: string; readonly value: string | number } {
  if (typeof value === 'string' && value.includes('\0')) return { text: `json_extract(?, '$')`, value: JSON.stringify(value) };
  return { text: '?', value: typeof value === 'boolean' ? Number(value) : value };
}

function compare(field: string, operator: string, value: Scalar): Sql {
  const { text, value: bindable } = bound(value);
  return { text: `(${fieldExpression(field)} ${operator} ${text} AND ${typeCondition(field, value)})`, values: [bindable] };
}

function join(parts: readonly Sql[], separator: ' AND ' | ' OR ', whenEmpty: string): Sql {
  if (parts.length === 0) return { text: whenEmpty, values: [] };
  return { text: `(${parts.map((part) => part.text).join(separator)})`, values: parts.flatMap((part) => part.values) };
}

function hasValue(field: string, value: Scalar): Sql {
  const type = typeof value === 'string' ? `= 'text'` : typeof value === 'boolean' ? `= '${value}'` : `IN ('integer', 'real')`;
  const { text, value: bindable } = bound(value);
  return { text: `(${jsonType(field)} = 'array' AND EXISTS (SELECT 1 FROM json_each(document, '$.${field}') AS each WHERE each.value = ${text} AND each.type ${type}))`, values: [bindable] };
}

/** The condition as SQL over `document`. */
export function whereSql(filter: Filter): Sql {
  switch (filter.op) {
    case 'and':
      return join(filter.filters.map(whereSql), ' AND ', '1');
    case 'eq':
      return compare(filter.field, '=', filter.value);
    case 'in':
      return join(filter.values.map((value) => compare(filter.field, '=', value)), ' OR ', '0');
    case 'range': {
      const present: Sql = { text: `${fieldExpression(filter.field)} IS NOT NULL`, values: [] };
      const from = filter.from === undefined ? [] : [compare(filter.field, '>=', filter.from)];
      const to = filter.to === undefined ? [] : [compare(filter.field, '<', filter.to)];
      return join([present, ...from, ...to], ' AND ', '1');
    }
    case 'prefix': {
      const end = prefixEnd(filter.value);
      const to = end === undefined ? [] : [compare(filter.field, '<', end)];
      return join([compare(filter.field, '>=', filter.value), ...to], ' AND ', '1');
    }
    case 'has':
      return hasValue(filter.field, filter.value);
    default:
      return filter satisfies never;
  }
}

/** Everything after FROM: condition, order and page. */
export function querySql(query: Query): Sql {
  const where = query.filter === undefined ? { text: '1', values: [] } : whereSql(query.filter);
  const sort = (query.sort ?? []).map(({ field, descending }) => `${fieldExpression(field)} ${descending === true ? 'DESC' : 'ASC'}`);
  const page = query.limit === undefined && query.skip === undefined ? '' : ' LIMIT ? OFFSET ?';
  return {
    text: `WHERE ${where.text} ORDER BY ${[...sort, 'id ASC'].join(', ')}${page}`,
    values: [...where.values, ...(page === '' ? [] : [query.limit ?? -1, query.skip ?? 0])],
  };
}

/** Everything after FROM, of a table of blobs. */
export function blobPageSql(name: string, page: BlobPage): Sql {
  const { limit } = page;
  const prefix = rowId(page.prefix);
  const after = page.after === undefined ? undefined : rowId(page.after);
  const end = prefixEnd(prefix);
  // Of two lower bounds SQLite seeks to the first: it would go through all that was read before.
  const isBehind = after?.startsWith(prefix) === true;
  const lower = isBehind ? 'id > ?' : after === undefined ? 'id >= ?' : 'id >= ? AND id > ?';
  const bounds = isBehind ? [after] : [prefix, after];
  return { text: `WHERE ${lower}${end === undefined ? '' : ' AND id < ?'} AND name = ? ORDER BY id ASC LIMIT ?`, values: [...bounds, end, name, limit].filter((value) => value !== undefined) };
}
