import { Aggregation } from './aggregation/aggregation.js';
import { GroupTable, type GroupedRows } from './aggregation/group-table.js';
import type { QueryMemory } from '../scheduling/query-memory.js';
import { ColumnReader } from './columns/column-reader.js';
import type { RecordBatch, RecordSource, Rows } from './columns/record-batch.js';
import { describeAggregate, describeGroup, presentCells } from './result-columns.js';
import { PredicateEvaluator } from './predicate-evaluator.js';
import type { AnswerNotes, Cell, Order, Query, TableAnswer } from './query-model.js';
import { compareCells, compareRows } from './row-order.js';

/** Calls `visit` with the rows of each batch that are in the range and meet the condition. */
export async function forEachSelection(
  query: Pick<Query, 'where' | 'range'>,
  source: RecordSource,
  visit: (batch: RecordBatch, rows: Rows) => Promise<void>,
): Promise<void> {
  const evaluator = query.where && new PredicateEvaluator(query.where, source.timeSlice);
  for await (const batch of source.batches()) {
    const inRange = await batch.selectRange(query.range);
    const rows = evaluator === undefined ? inRange : await evaluator.select(batch, inRange);
    if (rows.length > 0) await visit(batch, rows);
  }
}

/** Groups of records with their aggregates. */
export class GroupedAggregates {
  readonly groups: GroupTable;
  readonly aggregation: Aggregation;

  constructor(
    private readonly query: Query,
    readonly budget: QueryMemory,
  ) {
    const { groupBy, signal } = query;
    this.groups = new GroupTable(groupBy.length, (values) => presentCells(signal, groupBy, values), this.budget);
    this.aggregation = new Aggregation(query.select, this.budget);
  }

  async collect(source: RecordSource): Promise<void> {
    await forEachSelection(this.query, source, async (batch, rows) => {
      const { rows: entries, groups } = await this.assignGroups(batch, rows);
      this.aggregation.reserve(this.groups.keys.length);
      await this.aggregation.add(batch, { rows: entries, cells: groups }, (field) => batch.readColumn(field, rows));
    });
    // Without groups there is one row, also when no record is found.
    if (this.query.groupBy.length === 0) this.groups.assign([], new Uint16Array(0));
    this.aggregation.reserve(this.groups.keys.length);
  }

  async assignGroups(batch: RecordBatch, rows: Rows): Promise<GroupedRows> {
    const columns = await new ColumnReader(batch, rows).readAll(this.query.groupBy);
    return this.groups.assign(columns, rows);
  }

  /** Numbers of the groups in the order of the query, with the cells of their rows. */
  listRows(): { readonly group: number; readonly cells: readonly Cell[] }[] {
    const { select, range, nowUs } = this.query;
    const rangeUs = Math.min(range.toUs, nowUs) - range.fromUs;
    const rows = this.groups.keys.map((key, group) => ({
      group,
      cells: [...key, ...select.map((aggregate) => this.aggregation.value(aggregate, group, rangeUs))],
    }));
    const compare = createOrder(this.query);
    return rows.sort((a, b) => compare(a.cells, b.cells));
  }

  notes(source: RecordSource): AnswerNotes {
    const estimates = this.aggregation.listEstimates();
    return {
      ...(this.groups.isFolded && { groupsFolded: true as const }),
      ...(estimates.length > 0 && { estimates }),
      ...(source.damagedRecords > 0 && { damagedRecords: source.damagedRecords }),
    };
  }
}

/** Answers a query with one row for each group. */
export async function answerTable(query: Query, source: RecordSource): Promise<TableAnswer> {
  const groups = new GroupedAggregates(query, source.timeSlice.openMemory());
  await groups.collect(source);
  const rows = groups.listRows();
  return {
    columns: [
      ...query.groupBy.map((field) => describeGroup(query.signal, field)),
      ...query.select.map((aggregate) => describeAggregate(query.signal, aggregate)),
    ],
    rows: rows.slice(0, query.limit).map(({ cells }) => presentTimes(query, cells)),
    totalRows: rows.length,
    exact: true,
    ...groups.notes(source),
  };
}

/** Values of time fields as ISO 8601; they are sorted as numbers before. */
export function presentTimes(query: Query, cells: readonly Cell[]): Cell[] {
  const columns = query.select.map((aggregate) => describeAggregate(query.signal, aggregate));
  const first = cells.length - columns.length;
  return cells.map((cell, at) =>
    at >= first && columns[at - first].type === 'time' && typeof cell === 'number'
      ? new Date(cell).toISOString()
      : cell,
  );
}

/** By the columns of `orderBy`, else by the first aggregate, largest first; ties by the fields of the group. */
function createOrder({ groupBy, select, orderBy }: Query): (a: readonly Cell[], b: readonly Cell[]) => number {
  const names = [...groupBy.map(({ text }) => text), ...select.map(({ as }) => as)];
  const given: readonly Order[] = orderBy.length > 0 ? orderBy : [{ by: select[0].as, descending: true }];
  const keys = given.map(({ by, descending }) => ({ at: names.lastIndexOf(by), descending }));
  return (a, b) => compareRows(a, b, keys) || compareGroups(a, b, groupBy.length);
}

function compareGroups(a: readonly Cell[], b: readonly Cell[], fields: number): number {
  for (let at = 0; at < fields; at++) {
    const order = compareCells(a[at], b[at]);
    if (order !== 0) return order;
  }
  return 0;
}
