import assert from 'node:assert/strict';
import { Aggregation } from '../../../../src/queries/query/aggregation/aggregation.js';
import { QueryMemory } from '../../../../src/queries/scheduling/query-memory.js';
import type { FieldColumn } from '../../../../src/queries/query/columns/field-column.js';
import type { RecordBatch } from '../../../../src/queries/query/columns/record-batch.js';
import type { Aggregate } from '../../../../src/queries/query/query-model.js';

const field = { text: 'x', scope: 'point', name: 'x' } as const;
const column: FieldColumn = { kind: 'coded', codes: Uint8Array.of(1, 0), values: [undefined, '5'] };
const AGGREGATES: readonly Aggregate[] = [
  { fn: 'count', field, as: 'count' },
  { fn: 'p99', field, as: 'p99' },
  { fn: 'countDistinct', field, as: 'distinct' },
];

describe('aggregation', () => {
  it('counts data points that have a field, as it counts all of them', async () => {
    const aggregation = new Aggregation(AGGREGATES, new QueryMemory());
    aggregation.reserve(2);
    const batch = { size: 2, weights: Float64Array.of(7, 3) } as unknown as RecordBatch;
    const rows = { rows: Uint16Array.of(0, 1), cells: Uint32Array.of(0, 0) };
    await aggregation.add(batch, rows, () => Promise.resolve(column));
    assert.equal(aggregation.count({ from: 0, end: 1 }), 10);
    assert.equal(aggregation.value(AGGREGATES[0], 0, 1), 7);
    assert.deepEqual(
      AGGREGATES.map((each) => aggregation.value(each, 1, 1)),
      [0, null, 0],
    );
  });

  it('is refused for a record with thousands of values in thousands of groups', async () => {
    const count = 5_000;
    const values: FieldColumn = {
      kind: 'multi',
      ends: Uint32Array.of(count),
      codes: new Uint32Array(count).fill(1),
      values: [undefined, '5'],
    };
    const aggregation = new Aggregation([{ fn: 'sum', field, as: 'sum' }], new QueryMemory());
    aggregation.reserve(count);
    const add = (groups: number): Promise<void> => {
      const rows = { rows: new Uint16Array(groups), cells: Uint32Array.from({ length: groups }, (_, i) => i) };
      return aggregation.add({ size: 1 } as unknown as RecordBatch, rows, () => Promise.resolve(values));
    };
    await add(2);
    assert.equal(aggregation.value({ fn: 'sum', field, as: 'sum' }, 1, 1), 5 * count);
    await assert.rejects(add(count), { code: 'invalid-request' });
  });

  it('charges sketches and counters to the memory of the query once they have values', () => {
    const memory = new QueryMemory(1_500);
    const aggregation = new Aggregation(AGGREGATES.slice(1), memory);
    const add = (cells: Uint32Array): Promise<void> => {
      const batch = { size: 2 } as unknown as RecordBatch;
      return aggregation.add(batch, { rows: new Uint16Array(cells.length), cells }, () => Promise.resolve(column));
    };
    aggregation.reserve(10);
    return add(Uint32Array.of(0)).then(() => assert.rejects(add(Uint32Array.of(1)), { code: 'invalid-request' }));
  });
});
