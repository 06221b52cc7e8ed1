import type { FieldColumn } from './columns/field-column.js';
import type { RecordBatch, RecordSource } from './columns/record-batch.js';
import { resolveField } from './field-catalogue.js';
import type { Cell, FieldReference, Query, TableAnswer } from './query-model.js';
import { compareRows, type OrderKey } from './row-order.js';
import { forEachSelection } from './table-query.js';

/** A record that may be in the answer. */
interface Candidate {
  readonly batch: RecordBatch;
  readonly row: number;
  /** Values of the order, then the place of the record among all, so that no two are equal. */
  readonly keys: readonly Cell[];
}

/** Candidates that are kept before they are sorted and cut, as a multiple of the limit. */
const SLACK = 4;

/** Answers a query without aggregates: the first records that meet the condition, with all of their fields. */
export async function answerRecords(query: Query, source: RecordSource): Promise<TableAnswer> {
  const { fields, keys } = planOrder(query);
  let candidates: Candidate[] = [];
  let totalRows = 0;
  let batches = 0;
  await forEachSelection(query, source, async (batch, rows) => {
    totalRows += rows.length;
    const columns: FieldColumn[] = [];
    for (const field of fields) columns.push(await batch.readColumn(field, rows));
    const place = batches++;
    for (const row of rows)
      candidates.push({ batch, row, keys: [...columns.map((column) => readCell(column, row)), place, row] });
    if (candidates.length > query.limit * SLACK) candidates = keepFirst(candidates, keys, query.limit);
  });
  const rows: (readonly Cell[])[] = [];
  for (const { batch, row } of keepFirst(candidates, keys, query.limit)) rows.push(await batch.readRecord(row));
  const { damagedRecords } = source;
  return { columns: source.columns, rows, totalRows, exact: true, ...(damagedRecords > 0 && { damagedRecords }) };
}

/** By the fields of `orderBy`, else the newest first. */
function planOrder({ orderBy, signal }: Query): { fields: FieldReference[]; keys: OrderKey[] } {
  const given = orderBy.length > 0 ? orderBy : [{ by: 'time', descending: true }];
  const fields = given.map(({ by }) => resolveField(signal, by) as FieldReference);
  const keys = given.map(({ descending }, at) => ({ at, descending }));
  return {
    fields,
    keys: [...keys, { at: keys.length, descending: false }, { at: keys.length + 1, descending: false }],
  };
}

function keepFirst(candidates: readonly Candidate[], keys: readonly OrderKey[], limit: number): Candidate[] {
  return [...candidates].sort((a, b) => compareRows(a.keys, b.keys, keys)).slice(0, limit);
}

/** The value of a field; of several ones the first. */
function readCell(column: FieldColumn, row: number): Cell {
  if (column.kind === 'coded') return column.values[column.codes[row]] ?? null;
  if (column.kind === 'multi') {
    const from = row === 0 ? 0 : column.ends[row - 1];
    return from < column.ends[row] ? (column.values[column.codes[from]] ?? null) : null;
  }
  return Number.isNaN(column.numbers[row]) ? null : column.numbers[row];
}
