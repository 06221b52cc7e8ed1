import assert from 'node:assert/strict';
import type { DocumentChange } from '../../../../../src/read-models/read-model-store.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import type { SpanBlockDocument } from '../../../../../src/read-models/documents/block-documents.js';
import { spanBlockFormat } from '../../../../../src/projections/telemetry/blocks/block-format.js';
import type { SpanSource } from '../../../../../src/read-models/blocks/span-block-codec.js';
import { BlockCompactor } from '../../../../../src/projections/telemetry/blocks/block-compactor.js';
import { createSpanColumns, type SpanColumns } from '../../../../../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';
import { decodeSpans } from '../../../../../src/telemetry/otlp/decoding/span-decoder.js';

const FORMAT = spanBlockFormat(1);
const generator = createTelemetryGenerator(7);

function columnsOf(rows: number): SpanColumns {
  const columns = createSpanColumns();
  decodeSpans(generator.traces(rows), 0, [], columns);
  return columns;
}

function rowsOf({ count }: SpanColumns): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}

describe('block compactor', () => {
  let store: MemoryReadModelStore;
  let compactor: BlockCompactor<SpanSource, Parameters<typeof FORMAT.oldest>[0]>;

  beforeEach(() => {
    store = new MemoryReadModelStore();
    compactor = new BlockCompactor(FORMAT, store);
  });

  const commit = (changes: DocumentChange[]) => store.commit(changes, []);
  const add = async (rows: number): Promise<void> => {
    const columns = columnsOf(rows);
    await commit(await compactor.merge());
    await commit(compactor.add('g', columns, rowsOf(columns), () => 0));
  };
  const documents = async (): Promise<SpanBlockDocument[]> =>
    (await store.find(FORMAT.blocks, {})).map(({ document }) => document);
  /** Returns how many rows have been written since, those of merged blocks included. */
  const countWrittenRows = (): (() => number) => {
    let written = 0;
    const apply = store.commit.bind(store);
    store.commit = (changes, checkpoints) => {
      for (const change of changes) if (change.kind === 'put') written += (change.document as SpanBlockDocument).rows;
      return apply(changes, checkpoints);
    };
    return () => written;
  };
  const sizes = async (): Promise<number[]> => (await documents()).map(({ rows }) => rows).sort((a, b) => a - b);

  it('splits the rows of one commit into blocks', async () => {
    await add(8192 + 10);
    assert.deepEqual(await sizes(), [10, 8192]);
  });

  it('merges sixteen small blocks into one that names them', async () => {
    for (let i = 0; i < 16; i++) await add(5);
    await commit(await compactor.merge());
    const [merged, ...more] = await documents();
    assert.equal(more.length, 0);
    assert.equal(merged.rows, 80);
    assert.equal(merged.seq, 16);
    assert.deepEqual(merged.replaces, [[0, 15]]);
  });

  it('never exceeds the maximum block size, and leaves full blocks alone', async () => {
    for (let i = 0; i < 40; i++) await add(1000);
    await commit(await compactor.merge());
    const rows = await sizes();
    assert.equal(
      rows.reduce((sum, n) => sum + n, 0),
      40_000,
    );
    assert.ok(Math.max(...rows) <= 8192);
    assert.ok(rows.length < 16, `${rows.length} blocks`);
  });

  it('merges fewer blocks as soon as they fill one, and no rows beyond that', async () => {
    for (const rows of [3000, 3000, 3000, 500]) await add(rows);
    assert.deepEqual(await sizes(), [500, 3000, 6000]);
  });

  it('rewrites a row once where commits have some hundred rows', async () => {
    const written = countWrittenRows();
    for (let i = 0; i < 100; i++) await add(600);
    assert.ok(written() <= 2 * 60_000, `${written()} rows written for 60,000`);
  });

  it('rewrites a row a few times only', async () => {
    const written = countWrittenRows();
    for (let i = 0; i < 1000; i++) await add(10);
    assert.ok(written() <= 3 * 10_000, `${written()} rows written for 10,000`);
    assert.ok((await sizes()).length < 40);
  });

  it('bounds the work of one commit', async () => {
    for (let grid = 0; grid < 20; grid++) {
      for (let i = 0; i < 16; i++) {
        const columns = columnsOf(250);
        await commit(compactor.add(`g${grid}`, columns, rowsOf(columns), () => 0));
      }
    }
    const changes = await compactor.merge();
    const merged = changes.filter(({ kind }) => kind === 'put').length;
    assert.ok(merged >= 8 && merged < 20, `${merged} merges`);
    await commit(changes);
    await commit(await compactor.merge());
    await commit(await compactor.merge());
    assert.equal((await documents()).length, 20, 'the rest follows');
  });

  it('continues after a restart with new numbers, and with the blocks that await a merge', async () => {
    for (let i = 0; i < 15; i++) await add(5);
    compactor = new BlockCompactor(FORMAT, store);
    await compactor.restore();
    await add(5);
    await commit(await compactor.merge());
    const [merged, ...more] = await documents();
    assert.equal(more.length, 0);
    assert.equal(merged.seq, 16);
  });
});
