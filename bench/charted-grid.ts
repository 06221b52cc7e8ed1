import type { LogRollup, MetricRollup, MetricSeriesRollup } from '../src/diagnostics/rollups.js';
import { sumLog, sumMetric } from '../src/diagnostics/rollup-sums.js';
import type { NewChart } from '../src/diagnostics/chart.js';
import { chartCollections, definitionId, type ChartDocument } from '../src/read-models/charts.js';
import { logRollups, metricRollups, ROLLUP_BLOB, rollupId, spanRollups, type RollupCatalogDocument, type RollupCollection } from '../src/read-models/rollups.js';
import { encodeGridRollup } from '../src/read-models/rollups/grid-rollup-codec.js';
import { encodeLogRollup } from '../src/read-models/rollups/log-rollup-codec.js';
import { encodeMetricRollup } from '../src/read-models/rollups/metric-rollup-codec.js';
import { encodeServiceRollup } from '../src/read-models/rollups/service-rollup-codec.js';
import type { Change, ReadModelStore } from '../src/read-models/store.js';
import { randomNumbers } from '../test/support/random-numbers.js';
import { BusyGrid, DAYS, GRID, MINUTES_AN_HOUR, MINUTE_MS, SIZE } from './busy-grid.js';
import { minuteRollups, serviceName } from './rollup-fixture.js';

const VARIANTS = 12;
const A_DAY = 24 * MINUTES_AN_HOUR;

/** Of each service: instances that each send the metrics of its runtime, and the durations of requests by route. */
const INSTANCES = 3;
const GAUGES = ['process.memory.usage', 'process.cpu.utilization', 'v8js.memory.heap.used', 'v8js.memory.heap.limit', 'nodejs.eventloop.utilization', 'nodejs.eventloop.delay.p99'];
export const GAUGE = GAUGES[0];
export const HISTOGRAM = 'http.server.request.duration';
const ROUTES = 4;
/** Seconds, as the semantic conventions advise. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const TEMPLATES = 20;

/** The service whose operations are looked at. */
export const SERVICE = serviceName(7);

/**
 * The busy Grid with what charts look at beside: minutes of a whole day of its totals, of one service, and of the metrics
 * and logs of all, and hours of these.
 */
export class ChartedGrid {
  constructor(private readonly store: ReadModelStore) {}

  /** Commits charts under ids of their own, one after the other. */
  async fill(nowMs: number, charts: Readonly<Record<string, NewChart>>): Promise<void> {
    await new BusyGrid(this.store).fill(nowMs);
    const running = Math.floor(nowMs / MINUTE_MS);
    await this.store.commit([...known(running), ...Object.entries(charts).map(([id, chart]) => put(id, chart))], []);
    const [spans, metrics, logs] = [spanBlobs(), metricBlobs(), logBlobs()];
    for (let start = running - A_DAY; start <= running; start += MINUTES_AN_HOUR) {
      const minutes = Array.from({ length: Math.min(MINUTES_AN_HOUR, running + 1 - start) }, (_, i) => start + i);
      await this.store.commit(minutes.flatMap((minute) => [...spans, ...metrics.minutes, ...logs.minutes].flatMap((variants) => rollup(variants[minute % VARIANTS], minute))), []);
    }
    const firstHour = hourOf(running) - DAYS * A_DAY;
    for (let hour = firstHour; hour < hourOf(running); hour += MINUTES_AN_HOUR) await this.store.commit([...metrics.hours, ...logs.hours].flatMap((blob) => rollup(blob, hour)), []);
  }
}

interface Blob {
  readonly collection: RollupCollection;
  readonly service: string;
  readonly blob: Uint8Array;
}

function spanBlobs(): Blob[][] {
  const { grids, services } = spanRollups(1);
  const variants = Array.from({ length: VARIANTS }, (_, seed) => minuteRollups(SIZE, seed + 1));
  return [
    variants.map(({ grid }) => ({ collection: grids.minutes, service: '', blob: encodeGridRollup(grid) })),
    variants.map((variant) => ({ collection: services.minutes, service: SERVICE, blob: encodeServiceRollup(variant.services.find(({ service }) => service === SERVICE)!) })),
  ];
}

function metricBlobs(): { minutes: Blob[][]; hours: Blob[] } {
  const { minutes, hours } = metricRollups(1);
  const ofService = (index: number): MetricRollup[] => Array.from({ length: VARIANTS }, (_, seed) => metricsOf(serviceName(index), randomNumbers(index * VARIANTS + seed + 1)));
  const services = Array.from({ length: SIZE.services }, (_, index) => ofService(index));
  return {
    minutes: services.map((variants) => variants.map((rollup) => ({ collection: minutes, service: rollup.service, blob: encodeMetricRollup(rollup) }))),
    hours: services.map((variants) => {
      const hour = sumMetric(Array.from({ length: MINUTES_AN_HOUR }, (_, minute) => variants[minute % VARIANTS]));
      return { collection: hours, service: hour.service, blob: encodeMetricRollup(hour) };
    }),
  };
}

function logBlobs(): { minutes: Blob[][]; hours: Blob[] } {
  const { minutes, hours } = logRollups(1);
  const rollups = Array.from({ length: SIZE.services }, (_, index): LogRollup => ({
    service: serviceName(index),
    severities: [0, 20, 300, 10, 3, 0],
    templates: Array.from({ length: TEMPLATES }, (_, i) => ({ template: `order <n> of customer <id> was handled in step ${i} within <n> ms`, severity: 9, count: 15 })),
    exceptions: [],
  }));
  return {
    minutes: rollups.map((rollup) => Array.from({ length: VARIANTS }, () => ({ collection: minutes, service: rollup.service, blob: encodeLogRollup(rollup) }))),
    hours: rollups.map((rollup) => ({ collection: hours, service: rollup.service, blob: encodeLogRollup(sumLog(Array.from({ length: MINUTES_AN_HOUR }, () => rollup))) })),
  };
}

function metricsOf(service: string, random: () => number): MetricRollup {
  const instances = Array.from({ length: INSTANCES }, (_, i) => `${service}-${i}`);
  const series = instances.flatMap((instance) => [
    ...GAUGES.map((metric): MetricSeriesRollup => {
      const value = random() * 1e8;
      return { ...COMMON, metric, unit: 'By', kind: 'gauge', instance, points: 4, count: 4, sum: 4 * value, min: value, max: value, last: value };
    }),
    ...Array.from({ length: ROUTES }, (_, route): MetricSeriesRollup => {
      const counts = Array.from({ length: BOUNDS.length + 1 }, () => Math.floor(random() * 20));
      const count = counts.reduce((sum, one) => sum + one, 0);
      const attributes = [['http.request.method', 'GET'], ['http.route', `/resource-${route}`]] as const;
      return { ...COMMON, metric: HISTOGRAM, unit: 's', kind: 'histogram', instance, attributes, points: 4, count, sum: count * 0.2, min: NaN, max: NaN, last: 0, buckets: [{ kind: 'explicit', bounds: BOUNDS, counts }] };
    }),
  ]);
  return { service, series };
}

const COMMON = { monotonic: false, attributes: [], lastUs: 0, buckets: [], quantiles: [], exemplars: [] } as const;

function rollup({ collection, service, blob }: Blob, minute: number): Change[] {
  const document = { gridId: GRID, minute, service, stamp: minute };
  return [{ kind: 'put', collection, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: blob } }];
}

function known(running: number): Change[] {
  const document: RollupCatalogDocument = { gridId: GRID, stamp: 1, newestMinute: running, openHours: [hourOf(running)], expiredBefore: 0 };
  return [metricRollups(1), logRollups(1)].map(({ catalogs }) => ({ kind: 'put', collection: catalogs, id: GRID, document }));
}

function put(id: string, chart: NewChart): Change {
  const document: ChartDocument = { ...chart, id, gridId: GRID, createdAt: 0, updatedAt: 0 };
  return { kind: 'put', collection: chartCollections(1).charts, id: definitionId(GRID, id), document };
}

function hourOf(minute: number): number {
  return minute - (minute % MINUTES_AN_HOUR);
}
