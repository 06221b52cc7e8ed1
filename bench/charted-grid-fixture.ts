import type { LogRollup, MetricRollup, MetricSeriesRollup } from '../src/diagnostics/rollups/rollup-types.js';
import { sumLog, sumMetric } from '../src/diagnostics/rollups/rollup-sums.js';
import type { NewChart } from '../src/diagnostics/chart-model.js';
import {
  chartCollections,
  chartDefinitionId,
  type ChartDocument,
} from '../src/read-models/documents/chart-documents.js';
import {
  logRollupCollections,
  metricRollupCollections,
  ROLLUP_BLOB,
  rollupId,
  spanRollupCollections,
  type RollupCatalogDocument,
  type RollupCollection,
} from '../src/read-models/documents/rollup-documents.js';
import { encodeGridRollup } from '../src/read-models/rollups/grid-rollup-codec.js';
import { encodeLogRollup } from '../src/read-models/rollups/log-rollup-codec.js';
import { encodeMetricRollup } from '../src/read-models/rollups/metric-rollup-codec.js';
import { encodeServiceRollup } from '../src/read-models/rollups/service-rollup-codec.js';
import type { DocumentChange, ReadModelStore } from '../src/read-models/read-model-store.js';
import { randomNumbers } from '../test/support/random-numbers.js';
import { BusyGridFixture, DAYS, GRID, MINUTES_AN_HOUR, MINUTE_MS, SIZE } from './busy-grid-fixture.js';
import { createMinuteRollups, serviceName } from './rollup-fixture.js';

const VARIANTS = 12;
const MINUTES_A_DAY = 24 * MINUTES_AN_HOUR;

/** Instances per service, each sending runtime metrics and request durations by route. */
const INSTANCES = 3;
const GAUGES = [
  'process.memory.usage',
  'process.cpu.utilization',
  'v8js.memory.heap.used',
  'v8js.memory.heap.limit',
  'nodejs.eventloop.utilization',
  'nodejs.eventloop.delay.p99',
];
export const GAUGE = GAUGES[0];
export const HISTOGRAM = 'http.server.request.duration';
const ROUTES = 4;
/** Seconds, as the semantic conventions advise. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const TEMPLATES = 20;

/** The service whose operations are charted. */
export const SERVICE = serviceName(7);

/**
 * The busy Grid with the data of charts: minutes of a whole day of its totals, of one service, and of all metrics and
 * logs, and hours of these.
 */
export class ChartedGridFixture {
  constructor(private readonly store: ReadModelStore) {}

  /** Commits charts one after the other, each under a new id. */
  async fill(nowMs: number, charts: Readonly<Record<string, NewChart>>): Promise<void> {
    await new BusyGridFixture(this.store).fill(nowMs);
    const running = Math.floor(nowMs / MINUTE_MS);
    await this.store.commit(
      [...buildRollupCatalogs(running), ...Object.entries(charts).map(([id, chart]) => putChart(id, chart))],
      [],
    );
    const [spans, metrics, logs] = [buildSpanBlobs(), buildMetricBlobs(), buildLogBlobs()];
    for (let start = running - MINUTES_A_DAY; start <= running; start += MINUTES_AN_HOUR) {
      const minutes = Array.from({ length: Math.min(MINUTES_AN_HOUR, running + 1 - start) }, (_, i) => start + i);
      await this.store.commit(
        minutes.flatMap((minute) =>
          [...spans, ...metrics.minutes, ...logs.minutes].flatMap((variants) =>
            toRollupChanges(variants[minute % VARIANTS], minute),
          ),
        ),
        [],
      );
    }
    const firstHour = hourStart(running) - DAYS * MINUTES_A_DAY;
    for (let hour = firstHour; hour < hourStart(running); hour += MINUTES_AN_HOUR)
      await this.store.commit(
        [...metrics.hours, ...logs.hours].flatMap((blob) => toRollupChanges(blob, hour)),
        [],
      );
  }
}

interface RollupBlob {
  readonly collection: RollupCollection;
  readonly service: string;
  readonly blob: Uint8Array;
}

function buildSpanBlobs(): RollupBlob[][] {
  const { grids, services } = spanRollupCollections(1);
  const variants = Array.from({ length: VARIANTS }, (_, seed) => createMinuteRollups(SIZE, seed + 1));
  return [
    variants.map(({ grid }) => ({ collection: grids.minutes, service: '', blob: encodeGridRollup(grid) })),
    variants.map((variant) => ({
      collection: services.minutes,
      service: SERVICE,
      blob: encodeServiceRollup(variant.services.find(({ service }) => service === SERVICE)!),
    })),
  ];
}

function buildMetricBlobs(): { minutes: RollupBlob[][]; hours: RollupBlob[] } {
  const { minutes, hours } = metricRollupCollections(1);
  const ofService = (index: number): MetricRollup[] =>
    Array.from({ length: VARIANTS }, (_, seed) =>
      buildMetricRollup(serviceName(index), randomNumbers(index * VARIANTS + seed + 1)),
    );
  const services = Array.from({ length: SIZE.services }, (_, index) => ofService(index));
  return {
    minutes: services.map((variants) =>
      variants.map((rollup) => ({ collection: minutes, service: rollup.service, blob: encodeMetricRollup(rollup) })),
    ),
    hours: services.map((variants) => {
      const hour = sumMetric(Array.from({ length: MINUTES_AN_HOUR }, (_, minute) => variants[minute % VARIANTS]));
      return { collection: hours, service: hour.service, blob: encodeMetricRollup(hour) };
    }),
  };
}

function buildLogBlobs(): { minutes: RollupBlob[][]; hours: RollupBlob[] } {
  const { minutes, hours } = logRollupCollections(1);
  const rollups = Array.from({ length: SIZE.services }, (_, index): LogRollup => ({
    service: serviceName(index),
    severities: [0, 20, 300, 10, 3, 0],
    templates: Array.from({ length: TEMPLATES }, (_, i) => ({
      template: `order <n> of customer <id> was handled in step ${i} within <n> ms`,
      severity: 9,
      count: 15,
    })),
    exceptions: [],
  }));
  return {
    minutes: rollups.map((rollup) =>
      Array.from({ length: VARIANTS }, () => ({
        collection: minutes,
        service: rollup.service,
        blob: encodeLogRollup(rollup),
      })),
    ),
    hours: rollups.map((rollup) => ({
      collection: hours,
      service: rollup.service,
      blob: encodeLogRollup(sumLog(Array.from({ length: MINUTES_AN_HOUR }, () => rollup))),
    })),
  };
}

function buildMetricRollup(service: string, random: () => number): MetricRollup {
  const instances = Array.from({ length: INSTANCES }, (_, i) => `${service}-${i}`);
  const series = instances.flatMap((instance) => [
    ...GAUGES.map((metric): MetricSeriesRollup => {
      const value = random() * 1e8;
      return {
        ...COMMON,
        metric,
        unit: 'By',
        kind: 'gauge',
        instance,
        points: 4,
        count: 4,
        sum: 4 * value,
        min: value,
        max: value,
        last: value,
      };
    }),
    ...Array.from({ length: ROUTES }, (_, route): MetricSeriesRollup => {
      const counts = Array.from({ length: BOUNDS.length + 1 }, () => Math.floor(random() * 20));
      const count = counts.reduce((sum, one) => sum + one, 0);
      const attributes = [
        ['http.request.method', 'GET'],
        ['http.route', `/resource-${route}`],
      ] as const;
      return {
        ...COMMON,
        metric: HISTOGRAM,
        unit: 's',
        kind: 'histogram',
        instance,
        attributes,
        points: 4,
        count,
        sum: count * 0.2,
        min: NaN,
        max: NaN,
        last: 0,
        buckets: [{ kind: 'explicit', bounds: BOUNDS, counts }],
      };
    }),
  ]);
  return { service, series };
}

const COMMON = { monotonic: false, attributes: [], lastUs: 0, buckets: [], quantiles: [], exemplars: [] } as const;

function toRollupChanges({ collection, service, blob }: RollupBlob, minute: number): DocumentChange[] {
  const document = { gridId: GRID, minute, service, stamp: minute };
  return [{ kind: 'put', collection, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: blob } }];
}

function buildRollupCatalogs(running: number): DocumentChange[] {
  const document: RollupCatalogDocument = {
    gridId: GRID,
    stamp: 1,
    newestMinute: running,
    openHours: [hourStart(running)],
    expiredBefore: 0,
  };
  return [metricRollupCollections(1), logRollupCollections(1)].map(({ catalogs }) => ({
    kind: 'put',
    collection: catalogs,
    id: GRID,
    document,
  }));
}

function putChart(id: string, chart: NewChart): DocumentChange {
  const document: ChartDocument = { ...chart, id, gridId: GRID, createdAt: 0, updatedAt: 0 };
  return { kind: 'put', collection: chartCollections(1).charts, id: chartDefinitionId(GRID, id), document };
}

function hourStart(minute: number): number {
  return minute - (minute % MINUTES_AN_HOUR);
}
