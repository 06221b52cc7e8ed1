import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../test/support/api-client.js';
import { ServiceProcess } from '../test/support/service.js';
import { generatePayloads, type Workload } from './load/payload-file.js';
import { sendPayloads } from './load/payload-sender.js';
import type { SendReport } from './load/send-process.js';
import { BODY_SEARCHES } from './log-search.js';
import { percentile, type Measurement } from './measurement-table.js';
import { createThreadRegistration, readThreadCpuSeconds } from './thread-times.js';
import {
  measureDrainSeconds,
  readProcessCpuSeconds,
  readProcessWrittenBytes,
  ServiceMetrics,
} from './service-metrics.js';

const CONNECTIONS = 16;

export interface IngestOptions {
  readonly signal: 'traces' | 'logs';
  /** Default: what the simulated shop sends of this signal. */
  readonly workload?: Workload;
  readonly seconds: number;
  /** Records prepared in advance; the run ends early when they are used up. */
  readonly records: number;
  /** Target rate in records per second; 0: as fast as responses arrive. */
  readonly rate: number;
}

/**
 * Accepted and searchable records per second of a whole service over its real ports, with lag, acknowledgements,
 * memory, disk, searches and start.
 */
export async function run({ signal, workload, seconds, records, rate }: IngestOptions): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-bench-'));
  try {
    const files = await generatePayloads(folder, workload ?? signal, records, 512);
    const threads = join(folder, 'threads');
    const service = await ServiceProcess.start({
      RATE_LIMIT_USER_PER_MINUTE: '0',
      RATE_LIMIT_GRID_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
      ...createThreadRegistration(threads),
    });
    const { apiKey, gridId } = await service.bootstrap();
    const order = {
      port: Number(new URL(service.otlpHttpUrl).port),
      apiKey,
      signal,
      paths: files.map((file) => file.path),
      recordsPerBatch: 512,
      seconds,
      connections: CONNECTIONS,
      rate,
    };
    await ServiceMetrics.scrape(service); // each scrape resets it: excludes the start of the service
    const cpuBefore = await readProcessCpuSeconds(service.pid);
    const threadsBefore = await readThreadCpuSeconds(service.pid, threads);
    const sent = await sendPayloads(order);
    const { stall } = await ServiceMetrics.scrape(service);
    const drain = await measureDrainSeconds(service, signal);
    const cpuSeconds = (await readProcessCpuSeconds(service.pid)) - cpuBefore;
    const threadsAfter = await readThreadCpuSeconds(service.pid, threads);
    const writtenBytes = await readProcessWrittenBytes(service.pid);
    const rows = [
      ...toRateMeasurements(sent, drain),
      {
        name: 'CPU of the service',
        value: cpuSeconds / (sent.records / 1e6),
        unit: 's per million records',
        note: 'user and system, all threads, until all are searchable',
      },
      ...toThreadMeasurements(threadsBefore, threadsAfter, sent.records),
      ...(await measureSelfMetrics(service, stall)),
      ...(await measureDiskUse(service.dataDir, sent.records)),
      {
        name: 'written to disk',
        value: writtenBytes / sent.records,
        unit: 'B/record',
        note: 'since the start of the service, write-ahead logs included',
      },
    ];
    const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    if (signal === 'traces') rows.push(...(await measureSearches(api, gridId)));
    if (workload === 'varied-logs') rows.push(...(await measureLogSearches(api, gridId, service.pid)));
    rows.push(await measureColdStart(service));
    await service.dispose();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toRateMeasurements(sent: SendReport, drain: number): Measurement[] {
  return [
    {
      name: 'accepted and searchable',
      value: sent.records / (sent.seconds + drain),
      unit: 'records/s',
      note: `${sent.records} in ${sent.seconds.toFixed(1)} s, drained ${drain.toFixed(2)} s later`,
    },
    { name: 'refused with 429', value: sent.refused, unit: 'requests' },
    { name: 'ack p50', value: sent.ackP50Ms, unit: 'ms' },
    { name: 'ack p99', value: sent.ackP99Ms, unit: 'ms' },
    { name: 'load generator', value: sent.cpuSeconds / sent.seconds, unit: 'cores', note: 'on the same two' },
  ];
}

function toThreadMeasurements(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  records: number,
): Measurement[] {
  return [...after]
    .map(([name, seconds]) => ({
      name: `… ${name}`,
      value: (seconds - (before.get(name) ?? 0)) / (records / 1e6),
      unit: 's per million records',
    }))
    .sort((a, b) => b.value - a.value);
}

async function measureSelfMetrics(service: ServiceProcess, stall: number): Promise<Measurement[]> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
  const metrics = await ServiceMetrics.scrape(service);
  return [
    {
      name: 'lag p50',
      value: metrics.lagPercentile(50) * 1000,
      unit: 'ms',
      note: 'upper edge of the bucket; accepted to committed',
    },
    { name: 'lag p99', value: metrics.lagPercentile(99) * 1000, unit: 'ms' },
    { name: 'peak RSS', value: peak / 1024 ** 2, unit: 'MiB' },
    { name: 'longest stall of the serving thread', value: stall * 1000, unit: 'ms', note: 'while the load ran' },
  ];
}

async function measureDiskUse(dataDir: string, records: number): Promise<Measurement[]> {
  const sizes = new Map<string, number>();
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) sizes.set(entry.name, (await stat(join(entry.parentPath, entry.name))).size);
  }
  const total = (part: RegExp) =>
    [...sizes].filter(([name]) => part.test(name)).reduce((sum, [, size]) => sum + size, 0) / records;
  return [
    { name: 'disk', value: total(/\.db$/), unit: 'B/record', note: 'log and read models, without write-ahead logs' },
    { name: 'disk, read models', value: total(/^read-models\.db$/), unit: 'B/record' },
  ];
}

async function measureSearches(api: ApiClient, grid: string): Promise<Measurement[]> {
  const range = {
    rangeStart: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 600_000).toISOString(),
  };
  const first = (await api.post<{ items: { traceId: string; spanId: string }[] }>(`/apm/traces/${grid}`, range)).body
    .items[0];
  const post = (filter: object) => () => api.post(`/apm/traces/${grid}`, { ...range, ...filter });
  const questions: [string, () => Promise<unknown>][] = [
    ['time only', post({})],
    ['time + service + minDuration', post({ serviceName: 'payment', minDuration: 10 })],
    ['… page 50', post({ serviceName: 'payment', minDuration: 10, page: 50 })],
    ['rare tag', post({ tags: { 'app.user.id': 'user-777' } })],
    ['common tag', post({ tags: { 'http.request.method': 'GET' } })],
    ['absent tag', post({ tags: { 'app.user.id': 'nobody' } })],
    ['trace by id', () => api.get(`/apm/traces/${grid}/correlations/${first.traceId}/spans`)],
    ['span by id', () => api.get(`/apm/traces/${grid}/details/${first.spanId}`)],
  ];
  const rows: Measurement[] = [];
  for (const [name, ask] of questions) rows.push(await measureLatency(name, ask));
  return rows;
}

/** Searches of VariedLogs over HTTP, with the CPU time of the whole service, which other load on the machine affects less. */
async function measureLogSearches(api: ApiClient, grid: string, pid: number): Promise<Measurement[]> {
  const range = {
    rangeStart: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 600_000).toISOString(),
  };
  const rows: Measurement[] = [];
  for (const [name, body] of BODY_SEARCHES) {
    const ask = (): Promise<{ body: { totalCount: number } }> => api.post(`/apm/logs/${grid}`, { ...range, body });
    const { totalCount } = (await ask()).body;
    const before = await readProcessCpuSeconds(pid);
    const row = await measureLatency(`${name}, ${totalCount} hits`, ask);
    const cpuMs = ((await readProcessCpuSeconds(pid)) - before) * 1000;
    rows.push({ ...row, note: `${row.note}; CPU ${(cpuMs / SEARCH_SAMPLES).toFixed(1)} ms each` });
  }
  return rows;
}

const SEARCH_SAMPLES = 21;

async function measureLatency(name: string, ask: () => Promise<unknown>): Promise<Measurement> {
  const samples: number[] = [];
  for (let n = 0; n < SEARCH_SAMPLES; n++) {
    const begin = performance.now();
    await ask();
    samples.push(performance.now() - begin);
  }
  const [cold, ...warm] = samples;
  return {
    name: `search: ${name}, warm p95`,
    value: percentile(warm, 95),
    unit: 'ms',
    note: `p50 ${percentile(warm, 50).toFixed(1)} ms, first ${cold.toFixed(0)} ms; over HTTP, with exact total`,
  };
}

async function measureColdStart(service: ServiceProcess): Promise<Measurement> {
  await service.signal('SIGKILL');
  const begin = performance.now();
  await service.start();
  return { name: 'start after kill -9, to ready', value: performance.now() - begin, unit: 'ms' };
}
