/** What a metric says about how busy its service is. */
export type Resource = 'cpu' | 'memory' | 'pool' | 'queue' | 'threads' | 'event loop' | 'garbage collection' | 'disk';

/**
 * By the names of the OpenTelemetry semantic conventions (process, system, container, k8s, jvm, nodejs, dotnet, db.client)
 * and by what others call the same things. Of several, the first that matches.
 */
const NAMES: readonly (readonly [RegExp, Resource])[] = [
  [/(^|[._])gc([._]|$)|garbage/i, 'garbage collection'],
  [/event.?loop/i, 'event loop'],
  [/connection.*(usage|count|use_time|wait|pending|idle)|pool/i, 'pool'],
  [/queue|backlog|lag$/i, 'queue'],
  [/thread/i, 'threads'],
  [/cpu|load_average|throttl/i, 'cpu'],
  [/mem(ory)?([._]|$)|heap|rss|working.?set/i, 'memory'],
  [/disk|filesystem/i, 'disk'],
];

/** Metrics of the machine speak of all that run on it. */
const OF_THE_MACHINE = /(^|[._])(node|host|system)[._]/i;

const LIMITS = /limit|max|capacity|quota|request$|free|available|idle|minimum/i;

/** Past this many names they are looked at anew each time. */
const MAX_KNOWN = 20_000;
const known = new Map<string, Resource | undefined>();

export function resourceOf(metric: string): Resource | undefined {
  if (known.has(metric)) return known.get(metric);
  const resource = OF_THE_MACHINE.test(metric) || LIMITS.test(metric) ? undefined : NAMES.find(([name]) => name.test(metric))?.[1];
  if (known.size < MAX_KNOWN) known.set(metric, resource);
  return resource;
}
