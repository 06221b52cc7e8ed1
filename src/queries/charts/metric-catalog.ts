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

/** Attribute keys that are listed of one metric: nobody groups by one of more, and a sender may name thousands in each series. */
const MAX_ATTRIBUTE_KEYS = 256;

/** The metrics of a Grid; an unknown one has none. Reads what is remembered of at most ROLLUP_BOUNDS.series series. */
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

/** The same of what is remembered, in whatever order it comes. */
export function buildMetricCatalog(
  sources: readonly MetricSourceDocument[],
  grid: MetricSeriesDocument | undefined,
): MetricCatalog {
  const metrics = new Map<string, MetricGroup>();
  const keysOf = memoizeAttributeKeys();
  for (const source of sources)
    for (const series of source.series) addToMetricGroup(metrics, source, series, keysOf(series.attributes));
  return {
    metrics: [...metrics.values()].map(toListedMetric).sort(compareMetrics),
    seriesCount: sources.reduce((sum, { series }) => sum + series.length, 0),
    seriesLimit: ROLLUP_BOUNDS.series,
    ...(grid?.overflow === undefined
      ? {}
      : { overflow: { firstMs: grid.overflow.firstMinute * MINUTE_MS, lastMs: grid.overflow.lastMinute * MINUTE_MS } }),
  };
}

/** What series of one metric have in common, and what they tell together. */
interface MetricGroup {
  readonly names: Pick<StoredSeries, 'metric' | 'kind' | 'monotonic'>;
  unit: string;
  /** Time of the point that told the unit. */
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
  let gathered = metrics.get(id);
  if (gathered === undefined)
    metrics.set(
      id,
      (gathered = {
        names: { metric, kind, monotonic },
        unit,
        unitUs: -Infinity,
        services: new Set(),
        attributeKeys: new Set(),
        seriesCount: 0,
      }),
    );
  const [newestUs] = times[series.times];
  if (isNewerUnit(newestUs, unit, gathered)) Object.assign(gathered, { unit, unitUs: newestUs });
  gathered.services.add(service);
  for (const key of keys) gathered.attributeKeys.add(key);
  gathered.seriesCount++;
}

/** Of two units that were told at the same time, the first in order counts, whoever is read first. */
function isNewerUnit(timeUs: number, unit: string, { unit: known, unitUs }: MetricGroup): boolean {
  return timeUs > unitUs || (timeUs === unitUs && compareText(unit, known) < 0);
}

/** Most series share their attributes with those of other metrics. */
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

/** Names that are told twice differ in kind, or are sums of which one may fall: that one comes first. */
function compareMetrics(a: ListedMetric, b: ListedMetric): number {
  return (
    compareText(a.name, b.name) ||
    METRIC_KINDS.indexOf(a.type) - METRIC_KINDS.indexOf(b.type) ||
    Number(a.monotonic) - Number(b.monotonic)
  );
}
