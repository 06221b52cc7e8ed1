import { FIELD_SCOPES } from '../../../../src/queries/query/query-model.js';
import { findIntrinsic } from '../../../../src/queries/query/field-catalogue.js';
import type { QuerySignal } from './explore-query';

/** The fields of records that were listed, and how conditions name them. */

type Row = readonly unknown[];

interface RecordColumn {
  readonly name: string;
  readonly type: string;
}

/** A list of records. */
export interface RecordList<Column extends RecordColumn = RecordColumn> {
  readonly columns: readonly Column[];
  readonly rows?: readonly Row[] | undefined;
}

/** Columns of the answer that hold several fields. */
const isObjectColumn = ({ type }: RecordColumn): boolean => type === 'object';
/** Those whose members are fields, in the order in which they are looked up. */
const ATTRIBUTE_HOLDERS = ['attributes', 'resource'] as const;

/** Names of the columns that can be shown: the fields of the records, and the attributes of those that are listed. */
export function listRecordColumns({ columns, rows = [] }: RecordList): readonly string[] {
  const fields = columns.filter((column) => !isObjectColumn(column)).map(({ name }) => name);
  const attributes = new Set<string>();
  for (const name of ATTRIBUTE_HOLDERS) {
    const at = columns.findIndex((column) => column.name === name);
    for (const row of rows) for (const key of Object.keys((row[at] as object | undefined) ?? {})) attributes.add(key);
  }
  return [...fields, ...[...attributes].filter((key) => !fields.includes(key)).sort()];
}

/** The value of a field of a record: its own, an attribute, or one of its resource. */
export function readRecordField({ columns }: RecordList, row: Row, name: string): unknown {
  const at = columns.findIndex((column) => column.name === name);
  if (at >= 0) return row[at];
  for (const holder of ATTRIBUTE_HOLDERS) {
    const held = row[columns.findIndex((column) => column.name === holder)];
    if (typeof held === 'object' && held !== null && Object.hasOwn(held, name))
      return (held as Readonly<Record<string, unknown>>)[name];
  }
  return null;
}

/** As `readRecordField`, as a text; empty for what a record lacks. */
export function readRecordText(list: RecordList, row: Row, name: string): string {
  const value = readRecordField(list, row, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What a record has beside fields: events, links, scope. */
export function listOtherMembers(
  { columns }: RecordList,
  row: Row,
): readonly (readonly [name: string, json: string])[] {
  return columns.flatMap((column, at): (readonly [string, string])[] => {
    const json = JSON.stringify(row[at] ?? null);
    const isShown = isObjectColumn(column) && !ATTRIBUTE_HOLDERS.some((name) => name === column.name);
    return isShown && !['null', '[]', '{}'].includes(json) ? [[column.name, json]] : [];
  });
}

/** Place of the attributes of a record itself. */
const OWN_SCOPE: Readonly<Record<QuerySignal, string>> = { spans: 'span', logs: 'log', metrics: 'point' };

/** The name of an attribute as conditions write it. One that begins like a place, such as `event.domain`, is named with its own. */
export function nameAttribute(signal: QuerySignal, key: string): string {
  const hasPlace = FIELD_SCOPES.some((scope) => key.startsWith(`${scope}.`));
  return hasPlace || findIntrinsic(signal, key) !== undefined ? `${OWN_SCOPE[signal]}.${key}` : key;
}

/** How conditions name a column of listed records; undefined for what is only listed, such as nanoseconds. */
export function nameRecordField(signal: QuerySignal, { columns }: RecordList, name: string): string | undefined {
  if (findIntrinsic(signal, name) !== undefined) return name;
  return columns.some((column) => column.name === name) ? undefined : nameAttribute(signal, name);
}
