import { compareText } from '../../diagnostics/text-order.js';
import { METRIC_KINDS, ROLLUP_BOUNDS } from '../../diagnostics/rollups/rollup-types.js';
import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import { eq } from '../../read-models/document-filter.js';
import {
  metricSeriesCollections,
  type MetricSeriesDocument,
  type MetricSourceDocument,
  type StoredSeries,
} from '../../read-models/documents/metric-series-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import { METRICS_PROJECTION } from '../../read-models/documents/rollup-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { ListedMetric, MetricCatalog } from './chart-query-types.js';

/** Limit of listed attribute keys per metric: a sender may use thousands of keys in each series. */
const MAX_ATTRIBUTE_KEYS = 256;

/** Metrics of a Grid; empty for an unknown Grid. Reads at most ROLLUP_BOUNDS.series series. */
export async function readMetricCatalog(store: ReadModelReader, gridId: string): Promise<MetricCatalog> {
  const version = await readActiveVersion(store, METRICS_PROJECTION);
  if (version === undefined) return buildMetricCatalog([], undefined);
  const { sources, grids } = metricSeriesCollections(version);
  const found = await store.find(sources, { filter: eq('gridId', gridId) });
  return buildMetricCatalog(
    found.map(({ document }) => document),
    await store.get(grids, gridId),
  );
}

/** Builds the catalogue from stored sources, independent of their order. */
export function buildMetricCatalog(
  sources: readonly MetricSourceDocument[],
  grid: MetricSeriesDocument | undefined,
): MetricCatalog {
  const metrics = new Map<string, MetricGroup>();
  const parseKeys = memoizeAttributeKeys();
  for (const source of sources)
    for (const series of source.series) addToMetricGroup(metrics, source, series, parseKeys(series.attributes));
  return {
    metrics: [...metrics.values()].map(toListedMetric).sort(compareMetrics),
    seriesCount: sources.reduce((sum, { series }) => sum + series.length, 0),
    seriesLimit: ROLLUP_BOUNDS.series,
    ...(grid?.overflow === undefined
      ? {}
      : { overflow: { firstMs: grid.overflow.firstMinute * MINUTE_MS, lastMs: grid.overflow.lastMinute * MINUTE_MS } }),
  };
}

/** Accumulated series of one metric. */
interface MetricGroup {
  readonly names: Pick<StoredSeries, 'metric' | 'kind' | 'monotonic'>;
  unit: string;
  /** Time (µs) of the data point that determined the unit. */
  unitUs: number;
  readonly services: Set<string>;
  readonly attributeKeys: Set<string>;
  seriesCount: number;
}

function addToMetricGroup(
  metrics: Map<string, MetricGroup>,
  { service, times }: MetricSourceDocument,
  series: StoredSeries,
  keys: readonly string[],
): void {
  const { metric, kind, monotonic, unit } = series;
  const id = `${kind}\0${monotonic ? '+' : ''}\0${metric}`;
  let group = metrics.get(id);
  if (group === undefined)
    metrics.set(
      id,
      (group = {
        names: { metric, kind, monotonic },
        unit,
        unitUs: -Infinity,
        services: new Set(),
        attributeKeys: new Set(),
        seriesCount: 0,
      }),
    );
  const [newestUs] = times[series.times];
  if (isNewerUnit(newestUs, unit, group)) Object.assign(group, { unit, unitUs: newestUs });
  group.services.add(service);
  for (const key of keys) group.attributeKeys.add(key);
  group.seriesCount++;
}

/**
 * Of two units with the same time, the smaller one in text order wins, so that the result does not depend on read
 * order.
 */
function isNewerUnit(timeUs: number, unit: string, { unit: known, unitUs }: MetricGroup): boolean {
  return timeUs > unitUs || (timeUs === unitUs && compareText(unit, known) < 0);
}

/** Caches parsed keys: most series have the same attributes as those of other metrics. */
function memoizeAttributeKeys(): (attributes: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (attributes) => {
    let keys = known.get(attributes);
    if (keys === undefined)
      known.set(attributes, (keys = (JSON.parse(attributes) as [string, string][]).map(([key]) => key)));
    return keys;
  };
}

function toListedMetric({
  names: { metric, kind, monotonic },
  unit,
  services,
  attributeKeys,
  seriesCount,
}: MetricGroup): ListedMetric {
  return {
    name: metric,
    unit,
    type: kind,
    monotonic,
    seriesCount,
    services: [...services].sort(compareText),
    attributeKeys: [...attributeKeys].sort(compareText).slice(0, MAX_ATTRIBUTE_KEYS),
  };
}

/** Metrics of the same name differ in kind or in monotonicity; the non-monotonic one comes first. */
function compareMetrics(a: ListedMetric, b: ListedMetric): number {
  return (
    compareText(a.name, b.name) ||
    METRIC_KINDS.indexOf(a.type) - METRIC_KINDS.indexOf(b.type) ||
    Number(a.monotonic) - Number(b.monotonic)
  );
}
