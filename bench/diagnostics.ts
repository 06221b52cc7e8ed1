import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sumGrid, sumService } from '../src/diagnostics/rollup-sums.js';
import type { GridRollup, ServiceRollup } from '../src/diagnostics/rollups.js';
import { createDiagnosticsQueries } from '../src/queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../src/queries/diagnostics/questions.js';
import { accessCollections, type GridDocument } from '../src/read-models/access.js';
import { MemoryReadModelStore } from '../src/read-models/adapters/memory/read-model-store.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { PROJECTIONS } from '../src/read-models/projections.js';
import { ROLLUP_BLOB, rollupId, spanRollups, type RollupCatalogDocument, type RollupCollection } from '../src/read-models/rollups.js';
import { encodeGridRollup } from '../src/read-models/rollups/grid-rollup-codec.js';
import { encodeServiceRollup } from '../src/read-models/rollups/service-rollup-codec.js';
import type { Change } from '../src/read-models/store.js';
import { initialSettings } from '../src/streams/events/grid-events.js';
import { percentile, type Row } from './report.js';
import { minuteRollups, serviceName, type GridSize } from './rollup-fixture.js';

const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';
const SIZE: GridSize = { services: 50, operations: 40, edges: 60, requests: 30 };
const DAYS = 7;
const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
/** Minutes are written for the last day and a bit, which is all that the questions can meet beside hours: 4 GB would tell no more. */
const MINUTES_KEPT = 26 * MINUTES_AN_HOUR;
/** Different minutes that are made up; the others repeat them. */
const VARIANTS = 12;
const WARM_RUNS = 101;

type Blobs = readonly { readonly collection: RollupCollection; readonly service: string; readonly blob: Uint8Array }[];

/** Every question over a Grid of 50 services × 40 operations with 60 edges and 7 days of rollups, in this process alone. */
export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-diagnostics-'));
  const file = join(folder, 'read-models.db');
  try {
    const now = Date.now();
    await fill(file, now);
    const size = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const rows: Row[] = [{ name: 'read models', value: size / 1024 ** 2, unit: 'MiB', note: `${SIZE.services} services × ${SIZE.operations} operations, all busy every minute: hours of ${DAYS} days, minutes of the last ${MINUTES_KEPT / MINUTES_AN_HOUR} hours` }];
    return [...rows, ...(await measure(file, now))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fill(file: string, now: number): Promise<void> {
  const store = new SqliteReadModelStore(file);
  const variants = Array.from({ length: VARIANTS }, (_, seed) => minuteRollups(SIZE, seed + 1));
  const minutes = variants.map(({ grid, services }) => blobsOf(grid, services, 'minutes'));
  const hour = hourOf(variants);
  const running = Math.floor(now / MINUTE_MS);
  const first = Math.floor(running / MINUTES_AN_HOUR) * MINUTES_AN_HOUR - DAYS * 24 * MINUTES_AN_HOUR;
  await store.commit(standing(first, running, now), []);
  for (let start = first; start <= running; start += MINUTES_AN_HOUR) {
    const changes: Change[] = [];
    for (let minute = Math.max(start, running - MINUTES_KEPT); minute < Math.min(start + MINUTES_AN_HOUR, running + 1); minute++) changes.push(...puts(minutes[minute % VARIANTS], minute));
    if (!isOpen(start, running)) changes.push(...puts(hour, start));
    await store.commit(changes, []);
  }
  await store.close();
}

function isOpen(hour: number, running: number): boolean {
  return running < hour + MINUTES_AN_HOUR + 10;
}

function hourOf(variants: readonly { readonly grid: GridRollup; readonly services: readonly ServiceRollup[] }[]): Blobs {
  const parts = Array.from({ length: MINUTES_AN_HOUR }, (_, minute) => variants[minute % VARIANTS]);
  const services = variants[0].services.map((_, index) => sumService(parts.map((part) => part.services[index])));
  return blobsOf(sumGrid(parts.map(({ grid }) => grid)), services, 'hours');
}

function blobsOf(grid: GridRollup, services: readonly ServiceRollup[], stretch: 'minutes' | 'hours'): Blobs {
  const collections = spanRollups(1);
  return [
    { collection: collections.grids[stretch], service: '', blob: encodeGridRollup(grid) },
    ...services.map((rollup) => ({ collection: collections.services[stretch], service: rollup.service, blob: encodeServiceRollup(rollup) })),
  ];
}

function puts(blobs: Blobs, minute: number): Change[] {
  return blobs.map(({ collection, service, blob }) => {
    const document = { gridId: GRID, minute, service, stamp: 1 };
    return { kind: 'put', collection, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: blob } };
  });
}

/** What the questions look up beside rollups: the Grid, which hours are whole, when names were seen. */
function standing(first: number, running: number, now: number): Change[] {
  const { grids, services, catalogs } = spanRollups(1);
  const hours = [running - (running % MINUTES_AN_HOUR) - MINUTES_AN_HOUR, running - (running % MINUTES_AN_HOUR)].filter((hour) => isOpen(hour, running));
  const known: RollupCatalogDocument = { gridId: GRID, stamp: 1, newestMinute: running, openHours: hours, expiredBefore: 0 };
  const grid: GridDocument = { ...initialSettings('bench'), gridId: GRID, createdAt: first * MINUTE_MS };
  const times = { firstUs: first * MINUTE_MS * 1000, lastUs: now * 1000 };
  const put = (collection: Change['collection'], id: string, document: object): Change => ({ kind: 'put', collection, id, document });
  return [
    ...['access', 'traces', 'logs', 'metrics', 'alerts'].map((projection) => put(PROJECTIONS, projection, { active: 1, schema: 1 })),
    put(accessCollections(1).grids, GRID, grid),
    put(grids.catalogs, GRID, known),
    put(services.catalogs, GRID, known),
    ...Array.from({ length: SIZE.services }, (_, index) => serviceName(index)).map((service) =>
      put(catalogs, `${GRID}/${service}`, { gridId: GRID, service, ...times, operations: [], versions: [{ version: '1.4.2', ...times }] })),
  ];
}

async function measure(file: string, now: number): Promise<Row[]> {
  const store = new SqliteReadModelReader(file);
  const { queries, liveSource } = createDiagnosticsQueries({ store, live: new MemoryReadModelStore(), now: () => now });
  const rows: Row[] = [];
  rows.push(...(await timed('live refresh, all topics', () => liveSource.of(GRID))));
  for (const [name, ask] of questions(queries, now)) rows.push(...(await timed(name, ask)));
  await store.close();
  return rows;
}

function questions(queries: DiagnosticsQueries, now: number): [string, () => Promise<unknown>][] {
  const when = {};
  const days = (count: number): number => count * 24 * MINUTES_AN_HOUR * MINUTE_MS;
  const hour = Math.floor(now / MINUTE_MS / MINUTES_AN_HOUR) * MINUTES_AN_HOUR * MINUTE_MS;
  const short = { fromMs: now - 15 * MINUTE_MS, toMs: now };
  return [
    ['health', () => queries.health(GRID, when)],
    ['alerts', () => queries.alerts(GRID, when)],
    ['diagnosis', () => queries.diagnosis(GRID, when)],
    ['pressure', () => queries.pressure(GRID, when)],
    ['trends', () => queries.trends(GRID, when)],
    ['services', () => queries.serviceMap(GRID, when)],
    ['timeline', () => queries.timeline(GRID, when)],
    ['service detail', () => queries.serviceDetail(GRID, serviceName(7), when)],
    ['slowest endpoints', () => queries.slowestEndpoints(GRID, when)],
    ['changes', () => queries.changes(GRID, when)],
    ['compare, 15 min', () => queries.compare(GRID, short, { fromMs: short.fromMs - days(1), toMs: short.toMs - days(1) })],
    ['compare, 3.5 days each', () => queries.compare(GRID, { fromMs: hour - days(3.5), toMs: hour }, { fromMs: hour - days(7), toMs: hour - days(3.5) })],
    ['compare, 7 days each', () => queries.compare(GRID, { fromMs: hour - days(7), toMs: hour }, { fromMs: hour - days(7), toMs: hour })],
  ];
}

async function timed(name: string, ask: () => Promise<unknown>): Promise<Row[]> {
  const once = async (): Promise<number> => {
    const began = performance.now();
    await ask();
    return performance.now() - began;
  };
  const first = await once();
  const warm: number[] = [];
  while (warm.length < WARM_RUNS) warm.push(await once());
  return [
    { name, value: percentile(warm, 50), unit: 'ms', note: `p50 computed, warm; first ${first.toFixed(1)} ms` },
    { name, value: percentile(warm, 99), unit: 'ms', note: 'p99' },
  ];
}
