import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { NewChart } from '../src/diagnostics/chart-model.js';
import { createChartQueries } from '../src/queries/charts/chart-queries.js';
import type { ChartQueries } from '../src/queries/charts/chart-query-types.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { RollupReader } from '../src/read-models/rollups/rollup-reader.js';
import { GRID, MINUTE_MS, MINUTES_AN_HOUR } from './busy-grid-fixture.js';
import { ChartedGridFixture, GAUGE, HISTOGRAM, SERVICE } from './charted-grid-fixture.js';
import { percentile, type Measurement } from './measurement-table.js';

/** Slow queries run less often. */
const RUNS = { '1 h': 51, '24 h': 15, '7 d': 51 } as const;
const HOURS = { '1 h': 1, '24 h': 24, '7 d': 168 } as const;
type RangeName = keyof typeof HOURS;
const BLOCKING_RUNS = 5;

const COMMON = { title: '', chartType: 'line', serviceName: '', groupBy: '', aggregation: '', unit: '' } as const;
const CHARTS: Readonly<Record<string, NewChart>> = {
  'request rate': { ...COMMON, metric: 'request_rate' },
  'p95 by service': { ...COMMON, metric: 'latency_p95', groupBy: 'service' },
  'p95 by operation of one service': { ...COMMON, metric: 'latency_p95', serviceName: SERVICE, groupBy: 'operation' },
  'log rate by severity': { ...COMMON, metric: 'log_rate', groupBy: 'severity' },
  'OTLP gauge by service': { ...COMMON, metric: GAUGE, groupBy: 'service' },
  'p95 of an OTLP histogram': { ...COMMON, metric: HISTOGRAM, aggregation: 'p95' },
};

/**
 * Range data of a Grid with 50 services × 40 operations, 60 edges and 1,500 metric series, in this process alone: CPU
 * of all its threads. Cold is the first query of a new connection, with the file in the page cache.
 */
export async function run(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-charts-'));
  try {
    const file = join(folder, 'read-models.db');
    const nowMs = Date.now();
    const store = new SqliteReadModelStore(file);
    await new ChartedGridFixture(store).fill(nowMs, CHARTS);
    const rows: Measurement[] = [];
    for (const span of Object.keys(HOURS) as RangeName[])
      for (const id of Object.keys(CHARTS)) rows.push(await measureChart(file, nowMs, id, span));
    await store.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureChart(file: string, nowMs: number, id: string, span: RangeName): Promise<Measurement> {
  const store = new SqliteReadModelReader(file);
  const queries = createChartQueries({ store, rollups: new RollupReader(store), now: () => nowMs });
  const cold = await measureCpu(queries, nowMs, id, span);
  const warm: number[] = [];
  while (warm.length < RUNS[span]) warm.push(await measureCpu(queries, nowMs, id, span));
  const stop = await measureLongestBlocking(() => measureCpu(queries, nowMs, id, span));
  await store.close();
  return {
    name: `${id}, ${span}`,
    value: percentile(warm, 50),
    unit: 'ms CPU',
    note: `p50; p99 ${percentile(warm, 99).toFixed(1)} ms; cold ${cold.toFixed(1)} ms; others wait ${stop.toFixed(0)} ms at most`,
  };
}

/**
 * Longest time slice of a query before it yields the thread, the minimum of some runs: ms of CPU, including garbage
 * collection.
 */
async function measureLongestBlocking(ask: () => Promise<unknown>): Promise<number> {
  const longest: number[] = [];
  for (let i = 0; i < BLOCKING_RUNS; i++) {
    let [isAsking, most] = [true, 0];
    const result = ask().finally(() => (isAsking = false));
    while (isAsking) {
      const began = process.cpuUsage();
      await setImmediate();
      const { user, system } = process.cpuUsage(began);
      most = Math.max(most, (user + system) / 1000);
    }
    await result;
    longest.push(most);
  }
  return Math.min(...longest);
}

async function measureCpu(queries: ChartQueries, nowMs: number, id: string, span: RangeName): Promise<number> {
  const began = process.cpuUsage();
  const answer = await queries.chartData(GRID, id, { fromMs: nowMs - HOURS[span] * MINUTES_AN_HOUR * MINUTE_MS });
  const { user, system } = process.cpuUsage(began);
  if (answer === undefined || answer.data.series.every(({ points }) => points.length < 10))
    throw new Error(`nothing to see of ${id} in ${span}`);
  return (user + system) / 1000;
}
