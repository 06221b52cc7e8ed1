import type { TimeSlice } from '../../scheduling/cooperative-scheduler.js';
import type { Attributes } from '../../../telemetry/attributes.js';
import type { Cell, FieldReference, AnswerColumn, QueryRange } from '../query-model.js';
import type { FieldColumn } from './field-column.js';

/** Row numbers of a batch, ascending. */
export type Rows = Uint16Array;

/** Records of one block or one minute, as columns. */
export interface RecordBatch {
  readonly size: number;
  /** Rows whose time is in the range. */
  selectRange(range: QueryRange): Promise<Rows>;
  /** Times of all rows in whole µs since 1970, by which ranges and steps divide records exactly. */
  readTimesUs(): Promise<Float64Array>;
  /** The field of the given rows at least. */
  readColumn(field: FieldReference, rows: Rows): Promise<FieldColumn>;
  /**
   * Rows that may have this attribute, by its string form: no other row has it. Undefined if no index can tell.
   */
  findCandidates(field: FieldReference, text: string): Promise<Rows | undefined>;
  /** Of the given rows, those whose text meets the search (words, prefixes, phrases). */
  filterText(text: string, rows: Rows): Promise<Rows>;
  /** 1 for rows that report an error. */
  readErrors(): Promise<Uint8Array>;
  /** Calls `visit` with the attributes of each row and of its resource; in any order. */
  forEachAttributes(rows: Rows, visit: (row: number, own: Attributes, resource: Attributes) => void): Promise<void>;
  /** Number of data points by row; undefined: each row counts once. */
  readonly weights?: Float64Array;
  /** All stored fields of a row, in the order of the columns of `RecordSource`. */
  readRecord(row: number): Promise<readonly Cell[]>;
}

/** All records of a signal that may be in a range, batch by batch. */
export interface RecordSource {
  /** Columns of a list of records. */
  readonly columns: readonly AnswerColumn[];
  batches(): AsyncIterable<RecordBatch>;
  /** Number of records met so far whose stored form is damaged. */
  readonly damagedRecords: number;
  /** Time of the query on its thread. */
  readonly timeSlice: TimeSlice;
}
