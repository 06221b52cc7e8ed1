import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../test/support/service.js';
import { generatePayloads } from './load/payload-file.js';
import { sendPayloads } from './load/payload-sender.js';
import type { SendReport } from './load/send-process.js';
import { sendDataPoints as sendPoints } from './load/data-point-sender.js';
import type { Measurement } from './measurement-table.js';
import { measureDrainSeconds, ServiceMetrics } from './service-metrics.js';

/** Spans per log record and per data point. */
const SPANS_PER_OTHER = 5;
const RECORDS_PER_BATCH = 512;
const CONNECTIONS = 8;
const DAY_S = 86_400;
/** Clock ticks per second in /proc, on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;

/** Resources that a machine needs for given rates of spans with their logs and metrics. */
export async function run(rates: readonly number[] = [1_000, 10_000, 50_000], seconds = 20): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const rate of rates) rows.push(...(await measureUnderLoad(rate, seconds)));
  return rows;
}

async function measureUnderLoad(rate: number, seconds: number): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-bench-'));
  const service = await ServiceProcess.start({
    RATE_LIMIT_USER_PER_MINUTE: '0',
    RATE_LIMIT_GRID_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
  });
  try {
    const load = await prepareLoad(folder, rate, seconds);
    const before = {
      metrics: await ServiceMetrics.scrape(service),
      cpu: await readCpuSeconds(service.pid),
      disk: await measureStoredBytes(service.dataDir),
    };
    const began = performance.now();
    const [spans, logs] = await load(service);
    for (const signal of ['traces', 'logs', 'metrics']) await measureDrainSeconds(service, signal);
    const took = (performance.now() - began) / 1000;
    const cores = ((await readCpuSeconds(service.pid)) - before.cpu) / took;
    const lag = (await ServiceMetrics.scrape(service)).lagPercentile(99, before.metrics);
    const peak = await readPeakMiB(service.pid);
    // A cleanly stopped service checkpoints its write-ahead logs.
    await service.signal('SIGTERM');
    const bytes = (await measureStoredBytes(service.dataDir)) - before.disk;
    return prefixRate(rate, [
      {
        name: 'spans taken',
        value: spans.records / spans.seconds,
        unit: '1/s',
        note: `${spans.refused + logs.refused} requests refused with 429; load generators ${((spans.cpuSeconds + logs.cpuSeconds) / spans.seconds).toFixed(2)} cores`,
      },
      { name: 'CPU', value: cores, unit: 'cores' },
      { name: 'peak memory', value: peak, unit: 'MiB' },
      {
        name: 'disk a day',
        value: ((bytes / spans.seconds) * DAY_S) / 1024 ** 3,
        unit: 'GiB',
        note: 'log and read models, after the service has stopped',
      },
      { name: 'lag p99', value: lag * 1000, unit: 'ms', note: 'upper edge of the bucket' },
      { name: 'start with this data', value: await measureRestart(service), unit: 'ms', note: 'to ready' },
    ]);
  } finally {
    await service.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const prefixRate = (rate: number, rows: readonly Measurement[]): Measurement[] =>
  rows.map((row) => ({ ...row, name: `${rate.toLocaleString('en-US')} spans/s: ${row.name}` }));

/** Prepares all payloads, so that generating them is not measured. */
async function prepareLoad(
  folder: string,
  rate: number,
  seconds: number,
): Promise<(service: ServiceProcess) => Promise<[SendReport, SendReport]>> {
  const others = rate / SPANS_PER_OTHER;
  const spans = await generatePayloads(folder, 'traces', rate * seconds * 1.1, RECORDS_PER_BATCH);
  const logs = await generatePayloads(folder, 'logs', others * seconds * 1.1, RECORDS_PER_BATCH);
  return async (service) => {
    const { apiKey } = await service.bootstrap();
    const order = {
      port: Number(new URL(service.otlpHttpUrl).port),
      apiKey,
      recordsPerBatch: RECORDS_PER_BATCH,
      seconds,
      connections: CONNECTIONS,
    };
    const [ofSpans, ofLogs] = await Promise.all([
      sendPayloads({ ...order, signal: 'traces', paths: spans.map(({ path }) => path), rate }),
      sendPayloads({ ...order, signal: 'logs', paths: logs.map(({ path }) => path), rate: others }),
      sendPoints(service.otlpHttpUrl, apiKey, others, seconds),
    ]);
    return [ofSpans, ofLogs];
  };
}

/** User and system time of the process, all threads included. */
async function readCpuSeconds(pid: number): Promise<number> {
  // The name in brackets may contain spaces; the fields after it start with the third.
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function readPeakMiB(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

async function measureStoredBytes(dataDir: string): Promise<number> {
  const names = (await readdir(dataDir, { recursive: true })).filter((name) => name.endsWith('.db'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measureRestart(service: ServiceProcess): Promise<number> {
  const begin = performance.now();
  await service.start();
  return performance.now() - begin;
}
