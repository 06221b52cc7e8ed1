import assert from 'node:assert/strict';
import { arrangeTable } from '../../../src/diagnostics/chart-table.js';

describe('table of a chart', () => {
  it('has a row for each value without a cell, also of equal names', () => {
    const values = [5, 1, 99].map((value, at) => ({ label: at === 1 ? 'b' : 'other', value }));
    assert.deepEqual(arrangeTable(values, 'ms'), {
      columns: [{ name: '', unit: 'ms' }],
      rows: [
        { name: 'other', values: [5] },
        { name: 'b', values: [1] },
        { name: 'other', values: [99] },
      ],
    });
  });

  it('puts cells of a group into one row, and those of groups of the same name into two', () => {
    const cell = (row: string, column: string, value?: number) => ({
      ...{ label: `${row} · ${column}`, value },
      cell: { row, column, unit: column === 'p99' ? 'ms' : '' },
    });
    const values = [cell('–', 'count', 1), cell('–', 'p99', 2), cell('–', 'count', 3), cell('–', 'p99')];
    assert.deepEqual(arrangeTable(values, ''), {
      columns: [
        { name: 'count', unit: '' },
        { name: 'p99', unit: 'ms' },
      ],
      rows: [
        { name: '–', values: [1, 2] },
        { name: '–', values: [3, undefined] },
      ],
    });
  });
});
