import { compareText } from '../../diagnostics/text-order.js';
import { OTHER_NAME } from '../../diagnostics/rollups/rollup-types.js';
import { accessCollections } from '../../read-models/documents/access-documents.js';
import { and, eq } from '../../read-models/document-filter.js';
import { logFilterNameCollection } from '../../read-models/documents/filter-option-documents.js';
import { LOGS_PROJECTION } from '../../read-models/documents/block-documents.js';
import {
  metricSeriesCollections,
  type MetricSourceDocument,
  type StoredSeries,
} from '../../read-models/documents/metric-series-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import { METRICS_PROJECTION } from '../../read-models/documents/rollup-documents.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { RUNTIME_ATTRIBUTES, RUNTIME_METRICS } from './runtime-chart-definitions.js';

/** Documents of metric sources may be large: so many are read at a time. */
const SOURCES_PER_PAGE = 10;

/** A service that has sent anything. */
export interface DiscoveredService {
  readonly serviceName: string;
  /** When it was seen first (ms), as far as that is remembered: of one that sends nothing but logs, when its Grid began. */
  readonly firstMs: number;
  /** Those of RUNTIME_METRICS that it sends, each with those of RUNTIME_ATTRIBUTES that its data points have. */
  readonly runtimeMetrics: ReadonlyMap<string, ReadonlySet<string>>;
}

interface ServiceObservation {
  firstMs: number;
  readonly runtimeMetrics: Map<string, Set<string>>;
}

/** All services of a Grid by name: those with spans, metrics or logs that are remembered. `store` is that of the Grid's share. As of the reader's last look, or later. */
export async function findDiscoveredServices(
  store: ReadModelReader,
  rollups: GridRollupReader,
  gridId: string,
  turn: TimeSlice,
): Promise<readonly DiscoveredService[]> {
  const found = new Map<string, ServiceObservation>();
  for (const { service, firstUs } of await rollups.loadServiceCatalogs(gridId))
    recordService(found, service, Math.floor(firstUs / 1000));
  for await (const source of readMetricSources(store, gridId)) {
    const { runtimeMetrics } = recordService(found, source.service, Math.floor(source.firstUs / 1000));
    for (const series of source.series) if (RUNTIME_METRICS.has(series.metric)) recordMetric(runtimeMetrics, series);
    await turn.yieldIfDue();
  }
  const beganMs = await findGridCreationMs(store, gridId);
  for (const service of await findLoggingServices(store, gridId))
    if (!found.has(service)) recordService(found, service, beganMs);
  for (const name of [OTHER_NAME, '']) found.delete(name); // neither is the name of one service
  return [...found]
    .map(([serviceName, sighting]) => ({ serviceName, ...sighting }))
    .sort((a, b) => compareText(a.serviceName, b.serviceName));
}

function recordService(found: Map<string, ServiceObservation>, service: string, firstMs: number): ServiceObservation {
  const known = found.get(service) ?? { firstMs, runtimeMetrics: new Map<string, Set<string>>() };
  known.firstMs = Math.min(known.firstMs, firstMs);
  found.set(service, known);
  return known;
}

function recordMetric(metrics: Map<string, Set<string>>, { metric, attributes }: StoredSeries): void {
  const known = metrics.get(metric) ?? new Set<string>();
  metrics.set(metric, known);
  const keys = new Set((JSON.parse(attributes) as [string, string][]).map(([key]) => key));
  for (const key of RUNTIME_ATTRIBUTES) if (keys.has(key)) known.add(key);
}

async function* readMetricSources(store: ReadModelReader, gridId: string): AsyncGenerator<MetricSourceDocument> {
  const version = await readActiveVersion(store, METRICS_PROJECTION);
  if (version === undefined) return;
  for (let skip = 0; ; skip += SOURCES_PER_PAGE) {
    const page = await store.find(metricSeriesCollections(version).sources, {
      filter: eq('gridId', gridId),
      skip,
      limit: SOURCES_PER_PAGE,
    });
    for (const { document } of page) yield document;
    if (page.length < SOURCES_PER_PAGE) return;
  }
}

async function findLoggingServices(store: ReadModelReader, gridId: string): Promise<string[]> {
  const version = await readActiveVersion(store, LOGS_PROJECTION);
  const found =
    version === undefined
      ? []
      : await store.find(logFilterNameCollection(version), {
          filter: and(eq('gridId', gridId), eq('kind', 'services')),
        });
  return found.flatMap(({ document }) => document.names.map(([name]) => name));
}

async function findGridCreationMs(store: ReadModelReader, gridId: string): Promise<number> {
  const version = await readActiveVersion(store, 'access');
  const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
  return grid?.createdAt ?? 0;
}
