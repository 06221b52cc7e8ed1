/** Kind of resource whose usage a metric measures. */
type ResourceKind = 'cpu' | 'memory' | 'pool' | 'queue' | 'threads' | 'event loop' | 'garbage collection' | 'disk';

/**
 * Names of the OpenTelemetry semantic conventions (process, system, container, k8s, jvm, nodejs, dotnet, db.client) and
 * common alternatives. The first match applies.
 */
const RESOURCE_NAME_PATTERNS: readonly (readonly [RegExp, ResourceKind])[] = [
  [/(^|[._])gc([._]|$)|garbage/i, 'garbage collection'],
  [/event.?loop/i, 'event loop'],
  [/connection.*(usage|count|use_time|wait|pending|idle)|pool/i, 'pool'],
  [/queue|backlog|lag$/i, 'queue'],
  [/thread/i, 'threads'],
  [/cpu|load_average|throttl/i, 'cpu'],
  [/mem(ory)?([._]|$)|heap|rss|working.?set/i, 'memory'],
  [/disk|filesystem/i, 'disk'],
];

/** Metrics of a machine cover everything that runs on it, not only the service. */
const MACHINE_METRIC = /(^|[._])(node|host|system)[._]/i;

const LIMIT_METRIC = /limit|max|capacity|quota|request$|free|available|idle|minimum/i;

/** Cache limit; further names are classified each time. */
const MAX_CLASSIFIED_METRICS = 20_000;

const classifiedMetrics = new Map<string, ResourceKind | undefined>();

/**
 * Kind of resource whose usage by its service a metric of this name measures; undefined for machine metrics, limits and
 * unknown names. Cached.
 */
export function classifyResource(metric: string): ResourceKind | undefined {
  if (classifiedMetrics.has(metric)) return classifiedMetrics.get(metric);
  const resource =
    MACHINE_METRIC.test(metric) || LIMIT_METRIC.test(metric)
      ? undefined
      : RESOURCE_NAME_PATTERNS.find(([name]) => name.test(metric))?.[1];
  if (classifiedMetrics.size < MAX_CLASSIFIED_METRICS) classifiedMetrics.set(metric, resource);
  return resource;
}
