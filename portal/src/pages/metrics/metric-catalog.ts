/** A metric that charts can show: derived from traces and logs, or sent by services. */
export interface CatalogMetric {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly type: string;
  readonly isDerived: boolean;
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
}

interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly type: string;
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
}

const createDerivedMetric = (name: string, title: string, unit: string, from: string): CatalogMetric => ({
  name,
  title,
  unit,
  type: from,
  isDerived: true,
  services: [],
  attributeKeys: [],
});

/** Metrics that Hindsight derives from traces and logs. */
export const DERIVED_CATALOG_METRICS: readonly CatalogMetric[] = [
  createDerivedMetric('request_rate', 'Requests', 'req/s', 'from traces'),
  createDerivedMetric('error_rate', 'Error rate', '%', 'from traces'),
  createDerivedMetric('latency', 'Latency p50, p95 and p99', 'ms', 'from traces'),
  createDerivedMetric('latency_avg', 'Average latency', 'ms', 'from traces'),
  createDerivedMetric('latency_p50', 'Latency p50', 'ms', 'from traces'),
  createDerivedMetric('latency_p95', 'Latency p95', 'ms', 'from traces'),
  createDerivedMetric('latency_p99', 'Latency p99', 'ms', 'from traces'),
  createDerivedMetric('apdex', 'Apdex', '', 'from traces'),
  createDerivedMetric('log_rate', 'Logs', 'logs/s', 'from logs'),
  createDerivedMetric('error_log_rate', 'Error logs', 'logs/s', 'from logs'),
];

/** Derived metrics first, then received ones by name. */
export function buildCatalog(sent: readonly ReceivedMetric[]): CatalogMetric[] {
  const shown = sent.map((metric): CatalogMetric => ({
    ...metric,
    title: metric.name,
    type: metric.type.replaceAll('_', ' '),
    isDerived: false,
  }));
  return [...DERIVED_CATALOG_METRICS, ...shown.sort((a, b) => a.name.localeCompare(b.name))];
}

/** Metrics whose name, title or type contains every word, and which the service sends; derived metrics exist for all services. */
export function filterMetrics(all: readonly CatalogMetric[], words: string, service: string): CatalogMetric[] {
  const terms = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter(({ name, title, type, isDerived, services }) => {
    const text = `${name} ${title} ${type}`.toLowerCase();
    return terms.every((word) => text.includes(word)) && (service === '' || isDerived || services.includes(service));
  });
}

/** Possible groupings of a metric. */
export function listGroupings({ name, isDerived, attributeKeys }: CatalogMetric): readonly string[] {
  if (!isDerived)
    return ['service', 'instance', ...attributeKeys.filter((key) => key !== 'service' && key !== 'instance')];
  if (name === 'latency') return [];
  return name.endsWith('log_rate') ? ['service', 'severity'] : ['service', 'operation'];
}
