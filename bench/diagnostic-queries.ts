import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TimeSelection } from '../src/diagnostics/time-windows.js';
import { LiveDocumentWriter } from '../src/projections/live-diagnostics-refresher.js';
import { createDiagnosticsQueries } from '../src/queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../src/queries/diagnostics/diagnostics-query-types.js';
import { MemoryReadModelStore } from '../src/read-models/adapters/memory/read-model-store.js';
import { SqliteReadModelReader } from '../src/read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from '../src/read-models/adapters/sqlite/read-model-store.js';
import { InProcessFeed } from '../src/streams/live/in-process-feed.js';
import { BusyGridFixture, DAYS, GRID, MINUTE_MS, MINUTES_AN_HOUR, STORED_MINUTES, SIZE } from './busy-grid-fixture.js';
import { percentile, type Measurement } from './measurement-table.js';
import { serviceName } from './rollup-fixture.js';

const RUNS = 101;
/** Measured refreshes: of all topics, a minute apart; and of those that are due, a second apart. */
const MINUTES_REFRESHED = 60;
const SECONDS_REFRESHED = 120;
/** Queried closed minutes, the newest of the last hour: few enough that the cache holds two hours before each. */
const QUERIED_MINUTES = 20;

/**
 * Every diagnostics query of a Grid with 50 services × 40 operations, 60 edges and 7 days of rollups, in this process
 * alone. CPU time of all threads of the process, independent of other load on the machine.
 */
export async function run(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-diagnostics-'));
  try {
    const file = join(folder, 'read-models.db');
    const nowMs = Date.now();
    const store = new SqliteReadModelStore(file);
    const grid = new BusyGridFixture(store);
    await grid.fill(nowMs);
    const size = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const note = `${SIZE.services} services × ${SIZE.operations} operations, all busy every minute: hours of ${DAYS} days, minutes of the last ${STORED_MINUTES / MINUTES_AN_HOUR} hours`;
    const rows = await measureAllQueries(file, grid, nowMs);
    await store.close();
    return [{ name: 'read models', value: size / 1024 ** 2, unit: 'MiB', note }, ...rows];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function measureAllQueries(file: string, grid: BusyGridFixture, startMs: number): Promise<Measurement[]> {
  let nowMs = startMs - (MINUTES_REFRESHED + 1) * MINUTE_MS;
  const store = new SqliteReadModelReader(file);
  const live = new MemoryReadModelStore();
  const documents = new LiveDocumentWriter(live, new InProcessFeed());
  const { queries, liveSource } = createDiagnosticsQueries({ store, live, now: () => nowMs });
  const refresh = async (): Promise<void> => {
    const { at, answers, markStored } = await liveSource.computeFor(GRID);
    await documents.write(GRID, { at }, answers);
    markStored();
  };
  const traffic = (stepMs: number) => async (): Promise<void> => {
    nowMs += stepMs;
    await grid.writeRunningMinute(nowMs);
  };
  const rows = await measureQuery('live refresh, all topics', MINUTES_REFRESHED, refresh, {
    before: traffic(MINUTE_MS),
  });
  rows.push(
    ...(await measureQuery('live refresh, each second', SECONDS_REFRESHED, refresh, { before: traffic(1_000) })),
  );
  for (const [name, ask] of listPointInTimeQueries(queries)) {
    rows.push(...(await measureQuery(`${name}, now`, RUNS, () => ask({}))));
    rows.push(
      ...(await measureQuery(
        `${name}, as of a past minute`,
        RUNS,
        (run) => ask({ asOfMs: nowMs - (1 + (run % QUERIED_MINUTES)) * MINUTE_MS }),
        { warmUps: QUERIED_MINUTES },
      )),
    );
  }
  for (const [name, ask] of listComparisonQueries(queries, nowMs)) rows.push(...(await measureQuery(name, RUNS, ask)));
  await store.close();
  return rows;
}

function listPointInTimeQueries(queries: DiagnosticsQueries): [string, (when: TimeSelection) => Promise<unknown>][] {
  return [
    ['health', (when) => queries.health(GRID, when)],
    ['alerts', (when) => queries.alerts(GRID, when)],
    ['diagnosis', (when) => queries.diagnosis(GRID, when)],
    ['pressure', (when) => queries.pressure(GRID, when)],
    ['trends', (when) => queries.trends(GRID, when)],
    ['services', (when) => queries.serviceMap(GRID, when)],
    ['timeline', (when) => queries.timeline(GRID, when)],
    ['service detail', (when) => queries.serviceDetail(GRID, serviceName(7), when)],
    ['slowest endpoints', (when) => queries.slowestEndpoints(GRID, when)],
    ['changes', (when) => queries.changes(GRID, when)],
  ];
}

function listComparisonQueries(queries: DiagnosticsQueries, nowMs: number): [string, () => Promise<unknown>][] {
  const days = (count: number): number => count * 24 * MINUTES_AN_HOUR * MINUTE_MS;
  const hour = Math.floor(nowMs / MINUTE_MS / MINUTES_AN_HOUR) * MINUTES_AN_HOUR * MINUTE_MS;
  const short = { fromMs: nowMs - 15 * MINUTE_MS, toMs: nowMs };
  return [
    [
      'compare, 15 min',
      () => queries.compare(GRID, short, { fromMs: short.fromMs - days(1), toMs: short.toMs - days(1) }),
    ],
    [
      'compare, 3.5 days each',
      () =>
        queries.compare(
          GRID,
          { fromMs: hour - days(3.5), toMs: hour },
          { fromMs: hour - days(7), toMs: hour - days(3.5) },
        ),
    ],
    [
      'compare, 7 days each',
      () => queries.compare(GRID, { fromMs: hour - days(7), toMs: hour }, { fromMs: hour - days(7), toMs: hour }),
    ],
  ];
}

interface TimingOptions {
  /** Runs before each call and is not measured. */
  readonly before?: () => Promise<void>;
  /** Calls until the cache is filled. */
  readonly warmUps?: number;
}

async function measureQuery(
  name: string,
  runs: number,
  ask: (run: number) => Promise<unknown>,
  { before, warmUps = 1 }: TimingOptions = {},
): Promise<Measurement[]> {
  const once = async (run: number): Promise<number> => {
    await before?.();
    const began = process.cpuUsage();
    await ask(run);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const first = await once(0);
  for (let run = 1; run < warmUps; run++) await once(run);
  const warm: number[] = [];
  while (warm.length < runs) warm.push(await once(warm.length));
  const mean = warm.reduce((sum, ms) => sum + ms, 0) / runs;
  return [
    {
      name,
      value: percentile(warm, 50),
      unit: 'ms CPU',
      note: `p50; mean ${mean.toFixed(1)} ms; cold ${first.toFixed(1)} ms`,
    },
    { name, value: percentile(warm, 99), unit: 'ms CPU', note: 'p99' },
  ];
}
