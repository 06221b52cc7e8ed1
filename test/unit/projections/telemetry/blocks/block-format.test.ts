import assert from 'node:assert/strict';
import { spanBlockFormat } from '../../../../../src/projections/telemetry/blocks/block-format.js';
import { createSpanColumns } from '../../../../../src/telemetry/columns/span-batch-columns.js';

describe('copies of small blocks of spans in memory', () => {
  const format = spanBlockFormat(1);

  /** A batch with one span of `quiet` in each row, and strings of other Grids. */
  function batchOf(rows: number) {
    const columns = createSpanColumns(rows);
    const { strings } = columns;
    for (let n = 0; n < 10_000; n++) strings.internText(`GET /orders/${n} of another Grid`);
    columns.resourceTokens = [{ tokens: new Uint32Array(0), checks: new Uint16Array(0) }];
    columns.count = rows;
    columns.service.fill(strings.internText('quiet'));
    columns.operation.fill(strings.internText('GET /'));
    columns.peer.fill(strings.internText(''));
    return columns;
  }
  const rowsOf = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, row) => row);

  it('keep their own strings alone', () => {
    const copy = format.copy?.(batchOf(100), rowsOf(100));
    assert.equal(copy?.strings.size, 3);
    assert.equal(copy.strings.text(copy.service[99]), 'quiet');
    assert.equal(copy.strings.text(copy.operation[99]), 'GET /');
  });

  it('are not made of few spans, which take less memory encoded', () => {
    assert.equal(format.copy?.(batchOf(10), rowsOf(10)), undefined);
  });
});
