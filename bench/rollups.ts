import { RecentSpans } from '../src/projections/telemetry/recent-spans.js';
import { SpanRollups } from '../src/projections/telemetry/rollups/span-rollups.js';
import { rowsByGrid, type Portion, type Section } from '../src/projections/telemetry/sections.js';
import { MemoryReadModelStore } from '../src/read-models/adapters/memory/read-model-store.js';
import { spanRollups } from '../src/read-models/rollups.js';
import { decodeSpans } from '../src/telemetry/otlp/span-decoder.js';
import { createSpanColumns, type SpanColumns } from '../src/telemetry/span-columns.js';
import { createTelemetryGenerator } from '../test/support/telemetry-generator.js';
import type { Row } from './report.js';

const GRID = '0f0c4b2a-0000-4000-8000-000000000001';
const BATCH = 512;

/** Rows of a portion: of a rebuild, and of live commits at 20,000 spans a second. */
const PORTIONS = [32_768, 5_120];

/** What rollups of spans cost the projector, by the size of its portions, beside decoding and recognising the same spans. */
export async function run(spans: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const portionRows of PORTIONS) rows.push(...(await measure(spans, portionRows)));
  return rows;
}

async function measure(spans: number, portionRows: number): Promise<Row[]> {
  const generator = createTelemetryGenerator(42);
  const columns = createSpanColumns(portionRows);
  const store = new MemoryReadModelStore();
  const recent = new RecentSpans();
  const rollups = new SpanRollups(spanRollups(1), store, recent, () => 1);
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
    const portion = await timed('identities', () => sifted(columns, recent));
    const changes = await timed('rollups', () => rollups.received(portion));
    await store.commit(changes, []);
  }
  const row = (phase: keyof typeof took, note = ''): Row => ({ name: `${phase}, ${portionRows} a commit`, value: took[phase] / spans, unit: 'µs/span', note });
  return [row('decode'), row('identities'), row('rollups', `${(took.rollups / took.decode).toFixed(2)} × decode`)];
}

function sifted(columns: SpanColumns, recent: RecentSpans): Portion<SpanColumns> {
  recent.beginPortion(columns);
  const request = { identity: '', recordedAt: 0, gridId: GRID, revision: 0, spans: columns.count };
  const section: Section = { gridId: GRID, from: 0, to: columns.count, recordedAt: 0, keys: [], request, event: recent.beginEvent(0) };
  const rows = rowsByGrid([section], (row) => recent.admit(columns, row, 1, 0));
  return { columns, sections: [section], rows, floorUs: () => 0 };
}
