import { byText } from '../../diagnostics/by-text.js';
import { OTHER } from '../../diagnostics/rollups.js';
import { accessCollections } from '../../read-models/access.js';
import { and, eq } from '../../read-models/filter.js';
import { logNames } from '../../read-models/filter-options.js';
import { LOGS_PROJECTION } from '../../read-models/logs.js';
import { metricSeries, type MetricSourceDocument, type StoredSeries } from '../../read-models/metric-series.js';
import { activeVersion } from '../../read-models/projections.js';
import { METRICS_PROJECTION } from '../../read-models/rollups.js';
import type { GridRollups } from '../../read-models/rollups/grid-rollups.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { Turn } from '../giving-way.js';
import { RUNTIME_ATTRIBUTES, RUNTIME_METRICS } from './runtime-metrics.js';

/** Documents of metric sources may be large: so many are read at a time. */
const SOURCES_A_PAGE = 10;

/** A service that has sent anything. */
export interface DiscoveredService {
  readonly serviceName: string;
  /** When it was seen first (ms), as far as that is remembered: of one that sends nothing but logs, when its Grid began. */
  readonly firstMs: number;
  /** Those of RUNTIME_METRICS that it sends, each with those of RUNTIME_ATTRIBUTES that its data points have. */
  readonly runtimeMetrics: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Sighting {
  firstMs: number;
  readonly runtimeMetrics: Map<string, Set<string>>;
}

/** All services of a Grid by name: those with spans, metrics or logs that are remembered. `store` is that of the Grid's share. As of the reader's last look, or later. */
export async function discoveredServices(store: ReadModelReader, rollups: GridRollups, gridId: string, turn: Turn): Promise<readonly DiscoveredService[]> {
  const found = new Map<string, Sighting>();
  for (const { service, firstUs } of await rollups.serviceCatalogs(gridId)) note(found, service, Math.floor(firstUs / 1000));
  for await (const source of metricSources(store, gridId)) {
    const { runtimeMetrics } = note(found, source.service, Math.floor(source.firstUs / 1000));
    for (const series of source.series) if (RUNTIME_METRICS.has(series.metric)) noteMetric(runtimeMetrics, series);
    await turn.giveWay();
  }
  const beganMs = await gridBegan(store, gridId);
  for (const service of await loggingServices(store, gridId)) if (!found.has(service)) note(found, service, beganMs);
  for (const name of [OTHER, '']) found.delete(name); // neither is the name of one service
  return [...found].map(([serviceName, sighting]) => ({ serviceName, ...sighting })).sort((a, b) => byText(a.serviceName, b.serviceName));
}

function note(found: Map<string, Sighting>, service: string, firstMs: number): Sighting {
  const known = found.get(service) ?? { firstMs, runtimeMetrics: new Map<string, Set<string>>() };
  known.firstMs = Math.min(known.firstMs, firstMs);
  found.set(service, known);
  return known;
}

function noteMetric(metrics: Map<string, Set<string>>, { metric, attributes }: StoredSeries): void {
  const known = metrics.get(metric) ?? new Set<string>();
  metrics.set(metric, known);
  const keys = new Set((JSON.parse(attributes) as [string, string][]).map(([key]) => key));
  for (const key of RUNTIME_ATTRIBUTES) if (keys.has(key)) known.add(key);
}

async function* metricSources(store: ReadModelReader, gridId: string): AsyncGenerator<MetricSourceDocument> {
  const version = await activeVersion(store, METRICS_PROJECTION);
  if (version === undefined) return;
  for (let skip = 0; ; skip += SOURCES_A_PAGE) {
    const page = await store.find(metricSeries(version).sources, { filter: eq('gridId', gridId), skip, limit: SOURCES_A_PAGE });
    for (const { document } of page) yield document;
    if (page.length < SOURCES_A_PAGE) return;
  }
}

async function loggingServices(store: ReadModelReader, gridId: string): Promise<string[]> {
  const version = await activeVersion(store, LOGS_PROJECTION);
  const found = version === undefined ? [] : await store.find(logNames(version), { filter: and(eq('gridId', gridId), eq('kind', 'services')) });
  return found.flatMap(({ document }) => document.names.map(([name]) => name));
}

async function gridBegan(store: ReadModelReader, gridId: string): Promise<number> {
  const version = await activeVersion(store, 'access');
  const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
  return grid?.createdAt ?? 0;
}
