import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPngRenderer } from '../src/charts/png-renderer.js';
import { DEFAULT_CHART_RENDER_OPTIONS } from '../src/charts/render-options.js';
import { packChart } from '../src/queries/charts/packed-chart.js';
import { ChartRenderPool } from '../src/runtime/threads/chart-render-pool.js';
import { wavyPicture } from '../test/support/sample-chart-images.js';
import { ServiceProcess } from '../test/support/service.js';
import { signInAutomation } from '../test/support/sign-in.js';
import { generatePayloads, type PayloadFile } from './load/payload-file.js';
import type { SendReport } from './load/send-process.js';
import { sendPayloads } from './load/payload-sender.js';
import { percentile, type Measurement } from './measurement-table.js';
import { measureDrainSeconds, ServiceMetrics } from './service-metrics.js';

const SECONDS = 10;
const BATCH = 512;
/** About half of what a service ingests on two cores, where its latency is still guaranteed. */
const SPANS_PER_SECOND = 50_000;
/** Concurrent picture requests. */
const VIEWERS = 4;
const MINUTE = 60_000;
const GAUGE = 'queue.depth';

interface RenderingResult {
  readonly perSecond: number;
  /** CPU time of a picture in ms, which hardly depends on other load. */
  readonly cpuMs: number;
  readonly latencies: readonly number[];
}

/** Cost of rendering: one picture, a thread pool, and a service that ingests spans meanwhile. */
export async function run(): Promise<Measurement[]> {
  return [...(await measureSingleThread()), ...(await measurePool()), ...(await measureService())];
}

/** On one thread, which runs its event loop between pictures like those of the pool. */
async function measureSingleThread(): Promise<Measurement[]> {
  const begin = performance.now();
  const { renderChart: render } = createPngRenderer();
  const { length } = render(wavyPicture(), DEFAULT_CHART_RENDER_OPTIONS);
  const first = performance.now() - begin;
  const { latencies, cpuMs } = await renderFor(SECONDS / 3, 1, async () =>
    render(wavyPicture(), DEFAULT_CHART_RENDER_OPTIONS),
  );
  return [
    {
      name: 'one picture, 800×400, 5 series × 400 points, p50',
      value: percentile(latencies, 50),
      unit: 'ms',
      note: `goal < 40; ${Math.round(length / 1000)} kB`,
    },
    { name: '… p99', value: percentile(latencies, 99), unit: 'ms' },
    { name: '… processor time', value: cpuMs, unit: 'ms CPU' },
    { name: '… the first, with everything loaded', value: first, unit: 'ms' },
  ];
}

async function measurePool(): Promise<Measurement[]> {
  const threads = Math.max(1, availableParallelism() - 1);
  const pool = new ChartRenderPool({ threads, maxWaiting: VIEWERS });
  const picture = wavyPicture();
  const sealed = { ...packChart(picture), frame: picture.data.frame };
  await pool.render('grid', sealed, DEFAULT_CHART_RENDER_OPTIONS);
  const { perSecond, latencies, cpuMs } = await renderFor(SECONDS / 2, VIEWERS, () =>
    pool.render('grid', sealed, DEFAULT_CHART_RENDER_OPTIONS),
  );
  await pool.close();
  return [
    {
      name: 'through the pool',
      value: perSecond,
      unit: 'pictures/s',
      note: `${threads} of ${availableParallelism()} cores, ${VIEWERS} viewers, p99 ${percentile(latencies, 99).toFixed(0)} ms, ${cpuMs.toFixed(1)} ms CPU a picture`,
    },
  ];
}

async function measureService(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-bench-'));
  const service = await ServiceProcess.start({ RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
  try {
    const view = await createChart(service);
    const [first, second] = [
      await generateRoundPayloads(join(folder, 'first')),
      await generateRoundPayloads(join(folder, 'second')),
    ];
    const without = await ingestPayloads(service, first);
    const quiet = await renderFor(SECONDS / 3, VIEWERS, view, () => readServiceCpuMs(service));
    const [during, busy] = await Promise.all([ingestPayloads(service, second), renderFor(SECONDS, VIEWERS, view)]);
    return [
      ...toRenderingMeasurements('over HTTP, 5 series × 400 points', quiet),
      { name: '… processor time of the service', value: quiet.cpuMs, unit: 'ms CPU', note: 'a picture' },
      ...toRenderingMeasurements('over HTTP while spans come in', busy, 'goal ≥ 40'),
      ...toIngestMeasurements('without pictures', without),
      ...toIngestMeasurements('with pictures', during),
    ];
  } finally {
    await service.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Payloads per round. */
async function generateRoundPayloads(folder: string): Promise<PayloadFile[]> {
  await mkdir(folder);
  return generatePayloads(folder, 'traces', SPANS_PER_SECOND * SECONDS, BATCH);
}

/** Viewers that each request the next picture once they have one. */
async function renderFor(
  seconds: number,
  viewers: number,
  view: () => Promise<Uint8Array>,
  cpu = readOwnCpuMs,
): Promise<RenderingResult> {
  const latencies: number[] = [];
  const cpuBefore = await cpu();
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const repeatView = async (): Promise<void> => {
    for (let at = performance.now(); at < end; at = performance.now()) {
      await view();
      latencies.push(performance.now() - at);
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: viewers }, repeatView));
  const seen = performance.now() - begin;
  return {
    perSecond: (latencies.length * 1000) / seen,
    latencies,
    cpuMs: ((await cpu()) - cpuBefore) / latencies.length,
  };
}

async function readOwnCpuMs(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU of all threads of the service, from the Linux clock of 100 ticks per second. */
async function readServiceCpuMs(service: ServiceProcess): Promise<number> {
  const stat = await readFile(`/proc/${service.pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** Creates a chart of a gauge with five series of 400 points; returns a function that requests its picture. */
async function createChart(service: ServiceProcess): Promise<() => Promise<Uint8Array>> {
  const { apiKey, gridId } = await service.bootstrap();
  const admin = await signInAutomation(service.apiUrl);
  await sendGauge(service, apiKey);
  const chart = {
    title: 'Depth of queues',
    chartType: 'line',
    metric: GAUGE,
    serviceName: '',
    groupBy: 'queue',
    aggregation: '',
    unit: '',
  };
  const { status, body } = await admin.post<{ id: string }>(`/admin/grids/${gridId}/charts`, chart);
  if (status !== 201) throw new Error(`the chart is not created: ${status} ${JSON.stringify(body)}`);
  return () => fetchPicture(service, gridId, body.id, apiKey);
}

async function sendGauge(service: ServiceProcess, apiKey: string): Promise<void> {
  const minute = Math.floor(Date.now() / MINUTE) * MINUTE;
  const pointsOf = (queue: string) =>
    Array.from({ length: 400 }, (_, n) => ({
      timeUnixNano: `${minute - n * MINUTE}000000`,
      asDouble: 100 + 60 * Math.sin(n / 20 + queue.length),
      attributes: [{ key: 'queue', value: { stringValue: queue } }],
    }));
  const metrics = [
    {
      name: GAUGE,
      unit: '1',
      gauge: { dataPoints: ['mail', 'order', 'refund', 'restock', 'invoices'].flatMap(pointsOf) },
    },
  ];
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'queues' } }] };
  const headers = { 'api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${service.otlpHttpUrl}/v1/metrics`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }),
  });
  if (answer.status !== 200) throw new Error(`the gauge is not taken in: ${answer.status} ${await answer.text()}`);
  await measureDrainSeconds(service, 'metrics');
}

async function fetchPicture(
  service: ServiceProcess,
  gridId: string,
  chartId: string,
  apiKey: string,
): Promise<Uint8Array> {
  const range = new URLSearchParams({
    rangeStart: new Date(Date.now() - 400 * MINUTE).toISOString(),
    rangeEnd: new Date().toISOString(),
  });
  const answer = await fetch(`${service.apiUrl}/apm/charts/${gridId}/charts/${chartId}/render?${range.toString()}`, {
    headers: { 'x-api-version': '2.0', 'api-key': apiKey },
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`no picture: ${answer.status} ${Buffer.from(bytes).toString()}`);
  return bytes;
}

interface IngestResult {
  readonly sent: SendReport;
  readonly before: ServiceMetrics;
  readonly after: ServiceMetrics;
  /** In seconds. */
  readonly stall: number;
}

/** Prepared payloads are sent at a steady rate. */
async function ingestPayloads(service: ServiceProcess, files: readonly PayloadFile[]): Promise<IngestResult> {
  const { apiKey } = await service.bootstrap();
  const before = await ServiceMetrics.scrape(service);
  const paths = files.map((file) => file.path);
  const sent = await sendPayloads({
    port: Number(new URL(service.otlpHttpUrl).port),
    apiKey,
    signal: 'traces',
    paths,
    recordsPerBatch: BATCH,
    seconds: SECONDS,
    connections: 16,
    rate: SPANS_PER_SECOND,
  });
  const { stall } = await ServiceMetrics.scrape(service);
  await measureDrainSeconds(service, 'traces');
  return { sent, before, stall, after: await ServiceMetrics.scrape(service) };
}

function toRenderingMeasurements(name: string, { perSecond, latencies }: RenderingResult, note = ''): Measurement[] {
  return [
    { name, value: perSecond, unit: 'pictures/s', note },
    { name: '… p50', value: percentile(latencies, 50), unit: 'ms', note: `${VIEWERS} viewers` },
    { name: '… p99', value: percentile(latencies, 99), unit: 'ms' },
  ];
}

function toIngestMeasurements(name: string, { sent, before, after, stall }: IngestResult): Measurement[] {
  return [
    {
      name: `spans in ${name}`,
      value: sent.records / sent.seconds,
      unit: 'spans/s',
      note: `${SPANS_PER_SECOND} offered, ${sent.refused} requests refused`,
    },
    {
      name: '… lag p50',
      value: after.lagPercentile(50, before) * 1000,
      unit: 'ms',
      note: 'upper edge of the bucket; accepted to committed',
    },
    { name: '… lag p99', value: after.lagPercentile(99, before) * 1000, unit: 'ms', note: 'goal < 1,000' },
    { name: '… acknowledged, p99', value: sent.ackP99Ms, unit: 'ms' },
    { name: '… longest stall of the serving thread', value: stall * 1000, unit: 'ms' },
  ];
}
