import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createTelemetryQueries } from '../src/queries/telemetry/telemetry-queries.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { blockId, MAX_BLOCK_ROWS } from '../src/read-models/blocks/block.js';
import { allRows } from '../src/read-models/blocks/column-operations.js';
import { encodeLogBlock, type LogSource } from '../src/read-models/blocks/log-block-codec.js';
import { logCollections, LOGS_PROJECTION } from '../src/read-models/documents/block-documents.js';
import { PROJECTIONS } from '../src/read-models/documents/projection-documents.js';
import { createLogColumns } from '../src/telemetry/columns/log-batch-columns.js';
import { decodeLogs } from '../src/telemetry/otlp/decoding/log-decoder.js';
import { SEARCHED_PHRASE, VariedLogs } from './load/varied-logs.js';
import { type Measurement, percentile } from './measurement-table.js';

const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';
const REQUEST_RECORDS = 512;
const POOL_BLOCKS = 16;
const START_US = 1_760_000_000_000_000;
const STEP_US = 20;
const WARM_RUNS = 9;

/** Searches of bodies, by name. */
export const BODY_SEARCHES: readonly (readonly [name: string, body: string])[] = [
  ['common word', 'upstream'],
  ['two words', 'refused checkout'],
  ['word of one record', 'order a7b3c9d1'],
  ['prefix', 'publ*'],
  ['phrase', `"${SEARCHED_PHRASE}"`],
  ['phrase with a number', '"retry 3 of 5"'],
  ['absent phrase of present words', '"refused connection"'],
];

/** Log records of a few blocks, reused with later times, and the export requests that they came in. */
interface LogPool {
  readonly blocks: readonly LogSource[];
  /** Compressed as they arrive. */
  readonly requests: readonly Uint8Array[];
  readonly spanUs: number;
}

/** Searches of bodies over `records` log records (VariedLogs) in the embedded store. CPU times of this process. */
export async function run(records: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-log-search-'));
  try {
    const pool = createPool();
    const blocks = Math.ceil(records / MAX_BLOCK_ROWS);
    const file = join(folder, 'read-models.db');
    const encodeMs = await writeBlocks(file, pool, blocks);
    const rows = blocks * MAX_BLOCK_ROWS;
    return [
      { name: 'log records', value: rows, unit: 'records', note: `${blocks} blocks of ${MAX_BLOCK_ROWS}` },
      { name: 'blocks on disk', value: folderBytes(folder) / rows, unit: 'B/record' },
      { name: 'encode', value: (encodeMs * 1000) / rows, unit: 'µs/record', note: 'CPU time, all threads' },
      ...(await measureSearches(file, pool, blocks)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function createPool(): LogPool {
  const generator = new VariedLogs(7, BigInt(START_US) * 1000n, STEP_US);
  const requests: Uint8Array[] = [];
  const blocks = Array.from({ length: POOL_BLOCKS }, () => {
    const columns = createLogColumns(MAX_BLOCK_ROWS);
    while (columns.count < MAX_BLOCK_ROWS) {
      const request = generator.next(REQUEST_RECORDS);
      decodeLogs(request, requests.push(gzipSync(request)) - 1, [], 0, columns);
    }
    return columns;
  });
  return { blocks, requests, spanUs: POOL_BLOCKS * MAX_BLOCK_ROWS * STEP_US };
}

/** CPU (ms) of encoding. */
async function writeBlocks(file: string, pool: LogPool, blocks: number): Promise<number> {
  const store = new SqliteReadModelStore(file);
  const collections = logCollections(1);
  let encodeMs = 0;
  for (let index = 0; index < blocks; index++) {
    const round = Math.floor(index / POOL_BLOCKS);
    const source = pool.blocks[index % POOL_BLOCKS];
    const later = { ...source, timeUs: source.timeUs.map((timeUs) => timeUs + round * pool.spanUs) };
    const before = process.cpuUsage();
    const { document, blobs } = encodeLogBlock(later, allRows(MAX_BLOCK_ROWS));
    encodeMs += cpuMillisSince(before);
    const stored = { ...document, gridId: GRID, seq: index };
    const id = blockId(GRID, index);
    await store.commit([{ kind: 'put', collection: collections.blocks, id, document: stored, blobs }], []);
  }
  await store.commit([{ kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 1 } }], []);
  await store.close();
  return encodeMs;
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function measureSearches(file: string, pool: LogPool, blocks: number): Promise<Measurement[]> {
  const range = { fromUs: START_US, toUs: START_US + Math.ceil(blocks / POOL_BLOCKS) * pool.spanUs };
  const rows: Measurement[] = [];
  for (const [name, body] of BODY_SEARCHES) {
    const reader = new SqliteReadModelReader(file);
    const queries = createTelemetryQueries(reader, {
      body: (_grid, revision) => Promise.resolve(gunzipSync(pool.requests[revision])),
    });
    const ask = async (): Promise<number> =>
      (await queries.findLogs({ gridId: GRID, range, page: 1, pageSize: 20, body })).totalCount;
    const before = process.cpuUsage();
    const found = await ask();
    const coldMs = cpuMillisSince(before);
    const warm: number[] = [];
    for (let n = 0; n < WARM_RUNS; n++) {
      const from = process.cpuUsage();
      await ask();
      warm.push(cpuMillisSince(from));
    }
    await reader.close();
    rows.push({
      name,
      value: percentile(warm, 50),
      unit: 'ms CPU',
      note: `p95 ${percentile(warm, 95).toFixed(1)}, first ${coldMs.toFixed(0)}; ${found} found`,
    });
  }
  return rows;
}

function cpuMillisSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
