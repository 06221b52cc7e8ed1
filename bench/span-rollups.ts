import { RecentSpans } from '../src/projections/telemetry/deduplication/recent-spans.js';
import { SpanRollupProjection } from '../src/projections/telemetry/rollups/span-rollup-projection.js';
import {
  createDroppedRecords,
  selectRowsByGrid,
  type TelemetryBatch,
  type EventRows,
} from '../src/projections/telemetry/telemetry-batch.js';
import { MemoryReadModelStore } from '../src/read-models/adapters/memory/read-model-store.js';
import { spanRollupCollections } from '../src/read-models/documents/rollup-documents.js';
import { decodeSpans } from '../src/telemetry/otlp/decoding/span-decoder.js';
import { createSpanColumns, type SpanColumns } from '../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../test/support/telemetry-generator.js';
import type { Measurement } from './measurement-table.js';

const GRID = '0f0c4b2a-0000-4000-8000-000000000001';
const BATCH = 512;

/** Rows per batch: of a rebuild, and of live commits at 20,000 spans per second. */
const BATCH_ROWS = [32_768, 5_120];

/** Cost of span rollups by batch size, compared with decoding and deduplicating the same spans. */
export async function run(spans: number): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const portionRows of BATCH_ROWS) rows.push(...(await measureBatchSize(spans, portionRows)));
  return rows;
}

async function measureBatchSize(spans: number, portionRows: number): Promise<Measurement[]> {
  const generator = createTelemetryGenerator(42);
  const columns = createSpanColumns(portionRows);
  const store = new MemoryReadModelStore();
  const recent = new RecentSpans();
  const rollups = new SpanRollupProjection(spanRollupCollections(1), store, recent, () => 1);
  rollups.clear(0);
  await rollups.complete();
  await rollups.restore();
  const took = { decode: 0, identities: 0, rollups: 0 };
  const timed = async <T>(phase: keyof typeof took, work: () => T | Promise<T>): Promise<T> => {
    const began = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(began);
    took[phase] += user + system;
    return result;
  };
  for (let done = 0; done < spans; done += columns.count) {
    const bodies = Array.from({ length: portionRows / BATCH }, () => generator.traces(BATCH));
    columns.clear();
    await timed('decode', () => bodies.forEach((body, revision) => decodeSpans(body, revision, [], columns)));
    const batch = await timed('identities', () => deduplicateSpans(columns, recent));
    const changes = await timed('rollups', () => rollups.foldBatch(batch));
    await store.commit(changes, []);
  }
  const row = (phase: keyof typeof took, note = ''): Measurement => ({
    name: `${phase}, ${portionRows} a commit`,
    value: took[phase] / spans,
    unit: 'µs/span',
    note,
  });
  return [row('decode'), row('identities'), row('rollups', `${(took.rollups / took.decode).toFixed(2)} × decode`)];
}

function deduplicateSpans(columns: SpanColumns, recent: RecentSpans): TelemetryBatch<SpanColumns> {
  recent.beginBatch(columns);
  const request = { identity: '', recordedAt: 0, gridId: GRID, revision: 0, spans: columns.count };
  const section: EventRows = {
    gridId: GRID,
    from: 0,
    to: columns.count,
    recordedAt: 0,
    keys: [],
    request,
    event: recent.beginEvent(0),
    dropped: createDroppedRecords(),
  };
  const rows = selectRowsByGrid([section], (row) => recent.admit(columns, row, 1, 0));
  return { columns, eventRows: [section], rows, floorUs: () => 0 };
}
