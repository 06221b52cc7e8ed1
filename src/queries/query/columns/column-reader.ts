import type { FieldReference } from '../query-model.js';
import type { FieldColumn } from './field-column.js';
import type { RecordBatch, Rows } from './record-batch.js';

/** Reads several columns of a batch for the same rows. */
export class ColumnReader {
  constructor(
    private readonly batch: RecordBatch,
    private readonly rows: Rows,
  ) {}

  async readAll(fields: readonly FieldReference[]): Promise<FieldColumn[]> {
    const columns: FieldColumn[] = [];
    for (const field of fields) columns.push(await this.batch.readColumn(field, this.rows));
    return columns;
  }
}
