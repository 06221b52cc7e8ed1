import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import { Aggregation } from './aggregation/aggregation.js';
import { GroupTable } from './aggregation/group-table.js';
import type { QueryMemory } from '../scheduling/query-memory.js';
import { presentCells } from './result-columns.js';
import { ColumnReader } from './columns/column-reader.js';
import type { RecordBatch, RecordSource, Rows } from './columns/record-batch.js';
import type { Aggregate, Cell, FieldReference, Query, QueryRange } from './query-model.js';
import { forEachSelection } from './table-query.js';
import { OTHER_GROUP } from './query-model.js';

const US_PER_MS = 1_000;
/** Groups that are read between two yields. */
const GROUPS_AT_ONCE = 256;

/** Functions of a group without records that are known: 0. */
const ZERO_WITHOUT_RECORDS: ReadonlySet<string> = new Set(['count', 'rate', 'countDistinct']);

/** A query with one function, over windows of whole minutes that end at each of several minutes. */
export interface WindowsQuery extends Pick<Query, 'gridId' | 'signal' | 'where' | 'groupBy'> {
  readonly aggregate: Aggregate;
  /** The ends of the windows, first and last, minutes since 1970. A window does not contain its end. */
  readonly firstMinute: number;
  readonly lastMinute: number;
  readonly windowMinutes: number;
  /** A group that had records so many minutes before the window is still read: 0 if it has none in the window. */
  readonly memoryMinutes: number;
}

/** What one group has in a window. */
export interface GroupReading {
  readonly group: readonly Cell[];
  readonly records: number;
  /** Undefined: there is nothing to aggregate. */
  readonly value: number | undefined;
}

/** The time that windows cover. Spans count by their end, so that a window that is over does not change any more. */
export function windowsRange({ firstMinute, lastMinute, ...lengths }: WindowsQuery): QueryRange {
  const before = lengths.windowMinutes + lengths.memoryMinutes;
  return {
    fromUs: (firstMinute - before) * MINUTE_MS * US_PER_MS,
    toUs: lastMinute * MINUTE_MS * US_PER_MS,
    byEnd: true,
  };
}

/**
 * Aggregates the records of each group by the minute; windows are put together from their minutes. So each record is
 * read once, however many windows contain it.
 */
export class WindowedAggregates {
  private readonly groups: GroupTable;
  private readonly aggregation: Aggregation;
  private readonly firstCell: number;
  private readonly cellsOfGroup: number;

  constructor(
    private readonly query: WindowsQuery,
    private readonly budget: QueryMemory,
  ) {
    const { groupBy, signal, aggregate, firstMinute, lastMinute, windowMinutes, memoryMinutes } = query;
    this.groups = new GroupTable(groupBy.length, (values) => presentCells(signal, groupBy, values), this.budget);
    this.aggregation = new Aggregation([aggregate], this.budget);
    this.firstCell = firstMinute - windowMinutes - memoryMinutes;
    this.cellsOfGroup = lastMinute - this.firstCell;
  }

  async collect(source: RecordSource): Promise<void> {
    const query = { ...this.query, range: windowsRange(this.query) };
    await forEachSelection(query, source, (batch, rows) => this.addBatch(batch, rows));
    // Without groups there is one, also when no record is found.
    if (this.query.groupBy.length === 0) this.groups.assign([], new Uint16Array(0));
    this.reserve();
  }

  /** Groups in the window that ends at a minute. What is beyond the groups that are kept is left out. */
  async read(minute: number, { timeSlice }: Pick<RecordSource, 'timeSlice'>): Promise<GroupReading[]> {
    const readings: GroupReading[] = [];
    for (let group = 0; group < this.groups.keys.length; group++) {
      if (group % GROUPS_AT_ONCE === 0) await timeSlice.yieldIfDue();
      const reading = this.readGroup(group, minute);
      if (reading !== undefined) readings.push(reading);
    }
    return readings;
  }

  private async addBatch(batch: RecordBatch, selected: Rows): Promise<void> {
    const columns = await new ColumnReader(batch, selected).readAll(this.query.groupBy);
    const { rows, groups } = this.groups.assign(columns, selected);
    const times = await batch.readColumn(this.query.signal === 'spans' ? END_TIME : TIME, selected);
    if (times.kind !== 'numbers') throw new TypeError('The time of records is a column of numbers');
    const cells = Uint32Array.from(
      rows,
      (row, at) => groups[at] * this.cellsOfGroup + Math.floor(times.numbers[row] / MINUTE_MS) - this.firstCell,
    );
    this.reserve();
    await this.aggregation.add(batch, { rows, cells }, (field) => batch.readColumn(field, selected));
  }

  private reserve(): void {
    this.aggregation.reserve(this.groups.keys.length * this.cellsOfGroup);
  }

  private readGroup(group: number, minute: number): GroupReading | undefined {
    const { aggregate, groupBy, windowMinutes, memoryMinutes } = this.query;
    const key = this.groups.keys[group];
    if (groupBy.length > 0 && key.every((cell) => cell === OTHER_GROUP)) return undefined;
    const end = group * this.cellsOfGroup + minute - this.firstCell;
    const window = { from: end - windowMinutes, end };
    const records = this.aggregation.count(window);
    const isKnown =
      records > 0 ||
      groupBy.length === 0 ||
      (memoryMinutes > 0 && this.aggregation.count({ from: window.from - memoryMinutes, end: window.from }) > 0);
    if (!isKnown) return undefined;
    const isEmpty = records === 0 && !ZERO_WITHOUT_RECORDS.has(aggregate.fn);
    const value = isEmpty ? null : this.aggregation.valueOver(aggregate, window, windowMinutes * MINUTE_MS * US_PER_MS);
    return { group: key, records, value: value ?? undefined };
  }
}

const TIME: FieldReference = { text: 'time', scope: 'intrinsic', name: 'time' };
const END_TIME: FieldReference = { text: 'endTime', scope: 'intrinsic', name: 'endTime' };
