import { type DocumentQuery, type Filter, prefixUpperBound, type Scalar } from '../../document-filter.js';
import type { BlobPage } from '../../read-model-store.js';

/** An SQL fragment and the values of its placeholders, in order. */
export interface SqlFragment {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** JSON path expression of a field. Field names come from our own code; all the same, only a plain name is accepted. */
export function fieldExpression(field: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(field)) throw new TypeError(`not a field name: ${field}`);
  return `json_extract(document, '$.${field}')`;
}

function jsonType(field: string): string {
  return `json_type(document, '$.${field}')`;
}

/** SQLite would treat 1 and true as equal and sort numbers before strings: a condition also checks the type. */
function typeCondition(field: string, value: Scalar): string {
  if (typeof value === 'string') return `${jsonType(field)} = 'text'`;
  if (typeof value === 'boolean') return `${jsonType(field)} IN ('true', 'false')`;
  return `${jsonType(field)} IN ('integer', 'real')`;
}

/** SQLite's driver truncates a string at a NUL: a string that contains one is passed as JSON, where NUL is escaped. */
function bindValue(value: Scalar): { readonly text: string; readonly value: string | number } {
  if (typeof value === 'string' && value.includes('\0'))
    return { text: `json_extract(?, '$')`, value: JSON.stringify(value) };
  return { text: '?', value: typeof value === 'boolean' ? Number(value) : value };
}

function fieldComparison(field: string, operator: string, value: Scalar): SqlFragment {
  const { text, value: bindable } = bindValue(value);
  return {
    text: `(${fieldExpression(field)} ${operator} ${text} AND ${typeCondition(field, value)})`,
    values: [bindable],
  };
}

function joinConditions(parts: readonly SqlFragment[], separator: ' AND ' | ' OR ', whenEmpty: string): SqlFragment {
  if (parts.length === 0) return { text: whenEmpty, values: [] };
  return { text: `(${parts.map((part) => part.text).join(separator)})`, values: parts.flatMap((part) => part.values) };
}

function containsCondition(field: string, value: Scalar): SqlFragment {
  const type =
    typeof value === 'string' ? `= 'text'` : typeof value === 'boolean' ? `= '${value}'` : `IN ('integer', 'real')`;
  const { text, value: bindable } = bindValue(value);
  return {
    text: `(${jsonType(field)} = 'array' AND EXISTS (SELECT 1 FROM json_each(document, '$.${field}') AS each WHERE each.value = ${text} AND each.type ${type}))`,
    values: [bindable],
  };
}

/** The filter as an SQL condition over `document`. */
export function toWhereSql(filter: Filter): SqlFragment {
  switch (filter.op) {
    case 'and':
      return joinConditions(filter.filters.map(toWhereSql), ' AND ', '1');
    case 'eq':
      return fieldComparison(filter.field, '=', filter.value);
    case 'in':
      return joinConditions(
        filter.values.map((value) => fieldComparison(filter.field, '=', value)),
        ' OR ',
        '0',
      );
    case 'range': {
      const present: SqlFragment = { text: `${fieldExpression(filter.field)} IS NOT NULL`, values: [] };
      const from = filter.from === undefined ? [] : [fieldComparison(filter.field, '>=', filter.from)];
      const to = filter.to === undefined ? [] : [fieldComparison(filter.field, '<', filter.to)];
      return joinConditions([present, ...from, ...to], ' AND ', '1');
    }
    case 'prefix': {
      const end = prefixUpperBound(filter.value);
      const to = end === undefined ? [] : [fieldComparison(filter.field, '<', end)];
      return joinConditions([fieldComparison(filter.field, '>=', filter.value), ...to], ' AND ', '1');
    }
    case 'has':
      return containsCondition(filter.field, filter.value);
    default:
      return filter satisfies never;
  }
}

/** WHERE, ORDER BY and LIMIT of a query. */
export function toQuerySql(query: DocumentQuery): SqlFragment {
  const where = query.filter === undefined ? { text: '1', values: [] } : toWhereSql(query.filter);
  const sort = (query.sort ?? []).map(
    ({ field, descending }) => `${fieldExpression(field)} ${descending === true ? 'DESC' : 'ASC'}`,
  );
  const page = query.limit === undefined && query.skip === undefined ? '' : ' LIMIT ? OFFSET ?';
  return {
    text: `WHERE ${where.text} ORDER BY ${[...sort, 'id ASC'].join(', ')}${page}`,
    values: [...where.values, ...(page === '' ? [] : [query.limit ?? -1, query.skip ?? 0])],
  };
}

/** WHERE, ORDER BY and LIMIT of a page of blobs. */
export function toBlobPageSql(name: string, page: BlobPage): SqlFragment {
  const { limit } = page;
  const prefix = toRowId(page.prefix);
  const after = page.after === undefined ? undefined : toRowId(page.after);
  const end = prefixUpperBound(prefix);
  // Of two lower bounds SQLite seeks to the first one: it would scan everything that was read before.
  const isBehind = after?.startsWith(prefix) === true;
  const lower = isBehind ? 'id > ?' : after === undefined ? 'id >= ?' : 'id >= ? AND id > ?';
  const bounds = isBehind ? [after] : [prefix, after];
  return {
    text: `WHERE ${lower}${end === undefined ? '' : ' AND id < ?'} AND name = ? ORDER BY id ASC LIMIT ?`,
    values: [...bounds, end, name, limit].filter((value) => value !== undefined),
  };
}

/**
 * Encodes an id for its row. SQLite's driver truncates strings at a NUL, and ids contain names from telemetry, which
 * senders choose: truncated ids could collide. So rows contain no NUL; the encoding preserves uniqueness, order and
 * prefixes.
 */
export function toRowId(id: string): string {
  return /[\0\u0001]/.test(id)
    ? id.replace(/[\0\u0001]/g, (character) => (character === '\0' ? '\u0001\u0001' : '\u0001\u0002'))
    : id;
}

/** Decodes the id of a row. */
export function fromRowId(row: string): string {
  return row.includes('\u0001')
    ? row.replace(/\u0001([\u0001\u0002])/g, (_, character) => (character === '\u0001' ? '\0' : '\u0001'))
    : row;
}
