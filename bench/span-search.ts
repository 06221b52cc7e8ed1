import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TraceQuery, TelemetryQueries } from '../src/queries/telemetry/telemetry-query-types.js';
import { createTelemetryQueries } from '../src/queries/telemetry/telemetry-queries.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { blockId, MAX_BLOCK_ROWS } from '../src/read-models/blocks/block.js';
import { allRows } from '../src/read-models/blocks/column-operations.js';
import { encodeSpanBlock, type SpanSource } from '../src/read-models/blocks/span-block-codec.js';
import { asWords32 } from '../src/read-models/blocks/uint32-words.js';
import { PROJECTIONS } from '../src/read-models/documents/projection-documents.js';
import { spanCollections, TRACES_PROJECTION } from '../src/read-models/documents/block-documents.js';
import { toHex } from '../src/telemetry/trace-identifiers.js';
import { decodeSpans } from '../src/telemetry/otlp/decoding/span-decoder.js';
import { createSpanColumns } from '../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../test/support/telemetry-generator.js';
import { percentile, type Measurement } from './measurement-table.js';

export const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';
const REQUEST_SPANS = 512;
const POOL_BLOCKS = 24;
export const START_US = 1_760_000_000_000_000;
const WARM_RUNS = 21;

/** Decoded spans of one block, reused with other ids and times. */
export interface SpanPool {
  readonly blocks: readonly SpanSource[];
  readonly requests: readonly Uint8Array[];
  /** Time that the pool covers. */
  readonly spanUs: number;
}

interface SearchQuery {
  readonly name: string;
  ask(queries: TelemetryQueries): Promise<number>;
}

/** Searches over `spans` spans in the embedded store: sizes, encoding cost, latencies. CPU times of this process. */
export async function run(spans: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-search-'));
  const file = join(folder, 'read-models.db');
  try {
    const pool = createPool();
    const blocks = Math.ceil(spans / MAX_BLOCK_ROWS);
    const encodeMs = await writeBlocks(file, pool, blocks);
    const rows = blocks * MAX_BLOCK_ROWS;
    return [
      { name: 'spans', value: rows, unit: 'spans', note: `${blocks} blocks of ${MAX_BLOCK_ROWS}` },
      { name: 'blocks on disk', value: folderBytes(folder) / rows, unit: 'B/span' },
      { name: 'encode', value: (encodeMs * 1000) / rows, unit: 'µs/span', note: 'CPU time, all threads' },
      ...(await measureSearches(file, pool, blocks)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `perSecond`: spans per second of event time. */
export function createPool(perSecond?: number): SpanPool {
  const generator = createTelemetryGenerator(7, {
    startNs: BigInt(START_US) * 1000n,
    ...(perSecond !== undefined && { perSecond }),
  });
  const requests: Uint8Array[] = [];
  const blocks = Array.from({ length: POOL_BLOCKS }, () => {
    const columns = createSpanColumns(MAX_BLOCK_ROWS);
    while (columns.count < MAX_BLOCK_ROWS) {
      requests.push(generator.traces(REQUEST_SPANS));
      decodeSpans(requests[requests.length - 1], requests.length - 1, [], columns);
    }
    return columns;
  });
  return { blocks, requests, spanUs: Number(generator.nowNs / 1000n) - START_US };
}

/** The block of the pool with new ids and later times. */
function createVariedBlock(pool: SpanPool, index: number): SpanSource {
  const source = pool.blocks[index % POOL_BLOCKS];
  const round = Math.floor(index / POOL_BLOCKS);
  return {
    ...source,
    startUs: source.startUs.map((startUs) => startUs + round * pool.spanUs),
    traceId: varyIds(source.traceId, 4, round),
    spanId: varyIds(source.spanId, 2, round),
    parentId: varyIds(source.parentId, 2, round),
    revision: source.revision.map((revision) => revision + round * pool.requests.length),
  };
}

/** Combines the round with the first word of ids; missing ids stay missing. */
function varyIds(ids: Uint8Array, wordsPerId: number, round: number): Uint8Array {
  const marked = new Uint8Array(ids);
  const words = asWords32(marked);
  for (let at = 0; at < words.length; at += wordsPerId) {
    if (words[at] !== 0 || words[at + 1] !== 0) words[at] = (words[at] ^ Math.imul(round, 0x9e3779b1)) >>> 0;
  }
  return marked;
}

/** CPU (ms) of encoding. */
export async function writeBlocks(file: string, pool: SpanPool, blocks: number): Promise<number> {
  const store = new SqliteReadModelStore(file);
  const collections = spanCollections(1);
  let encodeMs = 0;
  for (let index = 0; index < blocks; index++) {
    const source = createVariedBlock(pool, index);
    const before = process.cpuUsage();
    const { document, blobs } = encodeSpanBlock(source, allRows(MAX_BLOCK_ROWS));
    const { user, system } = process.cpuUsage(before);
    encodeMs += (user + system) / 1000;
    const put = {
      kind: 'put',
      collection: collections.blocks,
      id: blockId(GRID, index),
      document: { ...document, gridId: GRID, seq: index },
      blobs,
    } as const;
    await store.commit([put], []);
  }
  await store.commit([{ kind: 'put', collection: PROJECTIONS, id: TRACES_PROJECTION, document: { active: 1 } }], []);
  await store.close();
  return encodeMs;
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function measureSearches(file: string, pool: SpanPool, blocks: number): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const { name, ask } of listSearchQueries(pool, blocks)) {
    const reader = new SqliteReadModelReader(file);
    const queries = createTelemetryQueries(reader, {
      body: (_grid, revision) => Promise.resolve(pool.requests[revision % pool.requests.length]),
    });
    const cold = await measureSearch(() => ask(queries));
    const warm: number[] = [];
    for (let n = 0; n < WARM_RUNS; n++) warm.push((await measureSearch(() => ask(queries))).ms);
    await reader.close();
    rows.push(
      { name: `${name}, warm p50`, value: percentile(warm, 50), unit: 'ms', note: `${cold.answer} found` },
      { name: `${name}, warm p95`, value: percentile(warm, 95), unit: 'ms' },
      { name: `${name}, cold`, value: cold.ms, unit: 'ms', note: 'nothing decoded yet' },
    );
  }
  return rows;
}

async function measureSearch(work: () => Promise<number>): Promise<{ ms: number; answer: number }> {
  const from = performance.now();
  const answer = await work();
  return { ms: performance.now() - from, answer };
}

function listSearchQueries(pool: SpanPool, blocks: number): SearchQuery[] {
  const toUs = START_US + (Math.floor(blocks / POOL_BLOCKS) + 1) * pool.spanUs;
  const whole = { fromUs: START_US, toUs };
  const quarter = { fromUs: toUs - (toUs - START_US) / 4, toUs };
  const middle = createVariedBlock(pool, blocks >>> 1);
  const traceId = toHex(middle.traceId, 0, 16);
  const spanId = toHex(middle.spanId, 0, 8);
  const search = (name: string, conditions: Partial<TraceQuery>): SearchQuery => ({
    name,
    ask: async (queries) =>
      (await queries.findTraces({ gridId: GRID, range: whole, page: 1, pageSize: 20, ...conditions })).totalCount,
  });
  const slow = { serviceName: 'payment', minDurationMs: 10 };
  return [
    search('time + service + minDuration, total', slow),
    search('the last quarter of it', { ...slow, range: quarter }),
    search('page 50', { ...slow, page: 50 }),
    search('rare tag', { tags: { 'app.user.id': 'user-777' } }),
    search('common tag', { tags: { 'http.request.method': 'GET' } }),
    search('common tag, page 50', { tags: { 'http.request.method': 'GET' }, page: 50 }),
    search('tag of a resource', { tags: { 'service.name': 'payment' } }),
    search('range alone', {}),
    { name: 'traceId', ask: async (queries) => (await queries.traceSpans(GRID, traceId))?.length ?? 0 },
    { name: 'spanId', ask: async (queries) => ((await queries.spanDetail(GRID, spanId)) === undefined ? 0 : 1) },
  ];
}
