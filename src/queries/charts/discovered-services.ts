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

/** Documents of metric sources may be large, so only a few are read at a time. */
const SOURCES_PER_PAGE = 10;

/** A service that has sent telemetry. */
export interface DiscoveredService {
  readonly serviceName: string;
  /**
   * First time seen (ms since 1970), as far as retained; for a service that only sends logs, the creation time of its
   * Grid.
   */
  readonly firstMs: number;
  /**
   * The metrics of RUNTIME_METRICS that the service sends, each with the keys of RUNTIME_ATTRIBUTES on its data
   * points.
   */
  readonly runtimeMetrics: ReadonlyMap<string, ReadonlySet<string>>;
}

interface ServiceObservation {
  firstMs: number;
  readonly runtimeMetrics: Map<string, Set<string>>;
}

/**
 * All services of a Grid with retained spans, metrics or logs, sorted by name. `store` reads the Grid's shard. As of
 * the reader's last refresh, or later.
 */
export async function findDiscoveredServices(
  store: ReadModelReader,
  rollups: GridRollupReader,
  gridId: string,
  timeSlice: TimeSlice,
): Promise<readonly DiscoveredService[]> {
  const found = new Map<string, ServiceObservation>();
  for (const { service, firstUs } of await rollups.loadServiceCatalogs(gridId))
    recordService(found, service, Math.floor(firstUs / 1000));
  for await (const source of readMetricSources(store, gridId)) {
    const { runtimeMetrics } = recordService(found, source.service, Math.floor(source.firstUs / 1000));
    for (const series of source.series) if (RUNTIME_METRICS.has(series.metric)) recordMetric(runtimeMetrics, series);
    await timeSlice.yieldIfDue();
  }
  const createdMs = await findGridCreationMs(store, gridId);
  for (const service of await findLoggingServices(store, gridId))
    if (!found.has(service)) recordService(found, service, createdMs);
  for (const name of [OTHER_NAME, '']) found.delete(name); // placeholders, not names of services
  return [...found]
    .map(([serviceName, observation]) => ({ serviceName, ...observation }))
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
