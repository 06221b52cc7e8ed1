import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../src/errors.js';
import { compileQuery, type QueryDefinition } from '../src/queries/query/query-compiler.js';
import type { QueryAnswer } from '../src/queries/query/query-model.js';
import { createTelemetryQueries } from '../src/queries/telemetry/telemetry-queries.js';
import type { TelemetryQueries } from '../src/queries/telemetry/telemetry-query-types.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { MAX_BLOCK_ROWS } from '../src/read-models/blocks/block.js';
import { percentile, type Measurement } from './measurement-table.js';
import { createPool, GRID, START_US, writeBlocks, type SpanPool } from './span-search.js';

const HOUR_SECONDS = 3_600;
const WARM_RUNS = 11;
const MINUTE_SECONDS = 60;

const COUNT_AND_P99: QueryDefinition['select'] = [{ fn: 'count' }, { fn: 'p99', field: 'duration' }];
const QUERIES: readonly (readonly [name: string, query: QueryDefinition])[] = [
  ['by service', { signal: 'spans', groupBy: ['service'], select: COUNT_AND_P99 }],
  ['by attribute', { signal: 'spans', groupBy: ['http.request.method'], select: COUNT_AND_P99 }],
  ['by attribute of the resource', { signal: 'spans', groupBy: ['host.name'], select: COUNT_AND_P99 }],
  [
    'by attribute, of slow requests',
    { signal: 'spans', where: 'kind = SERVER and duration > 10ms', groupBy: ['http.route'], select: COUNT_AND_P99 },
  ],
  [
    'series of 60 steps by attribute',
    { signal: 'spans', groupBy: ['http.request.method'], select: COUNT_AND_P99, stepSeconds: MINUTE_SECONDS },
  ],
];

/** Queries over `spans` spans of one hour in the embedded store, in this process. */
export async function run(spans: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-query-'));
  const file = join(folder, 'read-models.db');
  try {
    const pool = createPool(spans / HOUR_SECONDS);
    const blocks = Math.ceil(spans / MAX_BLOCK_ROWS);
    await writeBlocks(file, pool, blocks);
    const rows: Measurement[] = [{ name: 'spans', value: blocks * MAX_BLOCK_ROWS, unit: 'spans', note: 'of one hour' }];
    for (const [name, definition] of QUERIES) rows.push(...(await measureQuery(file, pool, name, definition)));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureQuery(
  file: string,
  pool: SpanPool,
  name: string,
  definition: QueryDefinition,
): Promise<Measurement[]> {
  const reader = new SqliteReadModelReader(file);
  const queries = createTelemetryQueries(reader, {
    body: (_grid, revision) => Promise.resolve(pool.requests[revision % pool.requests.length]),
  });
  const cold = await measure(() => answerEventually(queries, definition));
  const warm: number[] = [];
  for (let n = 0; n < WARM_RUNS; n++) warm.push((await measure(() => ask(queries, definition))).ms);
  await reader.close();
  return [
    { name: `${name}, warm p50`, value: percentile(warm, 50), unit: 'ms', note: describeAnswer(cold.answer) },
    { name: `${name}, warm p95`, value: percentile(warm, 95), unit: 'ms' },
    { name: `${name}, cold`, value: cold.ms, unit: 'ms', note: 'nothing decoded yet' },
  ];
}

function ask(queries: TelemetryQueries, definition: QueryDefinition): Promise<QueryAnswer> {
  const compiled = compileQuery(definition);
  if ('errors' in compiled) throw new TypeError(JSON.stringify(compiled.errors));
  const range = { fromUs: START_US, toUs: START_US + HOUR_SECONDS * 1e6 };
  return queries.runQuery({ ...compiled.plan, gridId: GRID, range, nowUs: range.toUs }, 'bench');
}

/** What a query has decoded when its time limit ends is kept: asking again continues there. */
async function answerEventually(queries: TelemetryQueries, definition: QueryDefinition): Promise<QueryAnswer> {
  for (;;) {
    try {
      return await ask(queries, definition);
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
    }
  }
}

async function measure(work: () => Promise<QueryAnswer>): Promise<{ ms: number; answer: QueryAnswer }> {
  const from = performance.now();
  const answer = await work();
  return { ms: performance.now() - from, answer };
}

function describeAnswer(answer: QueryAnswer): string {
  return 'rows' in answer ? `${answer.totalRows} groups` : `${answer.totalSeries} series`;
}
