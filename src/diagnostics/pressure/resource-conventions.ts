export type PressureType = 'connection_pool' | 'thread_pool' | 'queue' | 'event_loop' | 'cpu' | 'memory';

/** Series of these metrics; with `where`, those whose attribute of the first key that they have is one of the values. */
export interface SeriesSelector {
  readonly metrics: readonly string[];
  readonly where?: { readonly keys: readonly string[]; readonly values: readonly string[] };
  /** Series that have one of these attributes do not count. */
  readonly without?: readonly string[];
}

/** What the values of a convention say about a resource. Series of one part add up, but for shares. */
export type ResourceRole = 'used' | 'free' | 'capacity' | 'waiting' | 'share' | 'cpuShare';

/** How one convention tells of resources that can run full. */
export interface ResourceConvention {
  readonly type: PressureType;
  /** What the resource is called where no attribute names it. */
  readonly resource: string;
  /** Attributes that tell one resource from another, the first that is there. */
  readonly namedBy?: readonly string[];
  /** In use, and free (for pools whose capacity is not told). */
  readonly used?: SeriesSelector;
  readonly free?: SeriesSelector;
  readonly capacity?: SeriesSelector;
  /** Requests that wait for the resource. */
  readonly waiting?: SeriesSelector;
  /** In use as a share of all, 0 to 1, or percent where the unit is `%`. Of several series the largest counts. */
  readonly share?: SeriesSelector;
  /** The same by mode and logical CPU: busy modes add up, CPUs are averaged. */
  readonly cpuShare?: SeriesSelector;
}

export const RESOURCE_ROLES: readonly ResourceRole[] = ['used', 'free', 'capacity', 'waiting', 'share', 'cpuShare'];
const anySeriesOf = (...metrics: string[]): SeriesSelector => ({ metrics });
const POOL_STATE = ['db.client.connection.state', 'db.client.connections.state', 'state'];
const POOL_NAME = ['db.client.connection.pool.name', 'db.client.connections.pool.name', 'pool.name'];
const usedConnections = (metric: string): SeriesSelector => ({
  metrics: [metric],
  where: { keys: POOL_STATE, values: ['used'] },
});
const idleConnections = (metric: string): SeriesSelector => ({
  metrics: [metric],
  where: { keys: POOL_STATE, values: ['idle'] },
});

/** `jvm.*` of OpenTelemetry, of its Java agent 1.x, and of Micrometer. */
const JVM_USED = ['jvm.memory.used', 'process.runtime.jvm.memory.usage'];

const JVM_LIMIT = ['jvm.memory.limit', 'process.runtime.jvm.memory.limit', 'jvm.memory.max'];
const JVM_AREA = ['jvm.memory.type', 'type', 'area'];
const heapMemory = (metrics: readonly string[]): SeriesSelector => ({
  metrics,
  where: { keys: JVM_AREA, values: ['heap'] },
});
const nonHeapMemory = (metrics: readonly string[]): SeriesSelector => ({
  metrics,
  where: { keys: JVM_AREA, values: ['non_heap', 'nonheap'] },
});

/**
 * Who tells of what, one row a convention. Without a word of the source: the OpenTelemetry semantic conventions, with
 * what the names were before; else HikariCP, Tomcat, Jetty and executors by Micrometer, containers by the receivers of the
 * OpenTelemetry collector.
 *
 * The limit of V8 counts only where it is told of the heap as a whole: by heap space, `v8js.memory.heap.limit` is what is
 * allocated at the moment and grows on demand, which is why it is now called `v8js.memory.heap.space.size`.
 */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = [
  {
    type: 'connection_pool',
    resource: 'database connections',
    namedBy: POOL_NAME,
    used: usedConnections('db.client.connection.count'),
    free: idleConnections('db.client.connection.count'),
    capacity: anySeriesOf('db.client.connection.max'),
    waiting: anySeriesOf('db.client.connection.pending_requests'),
  },
  {
    type: 'connection_pool',
    resource: 'database connections',
    namedBy: POOL_NAME,
    used: usedConnections('db.client.connections.usage'),
    free: idleConnections('db.client.connections.usage'),
    capacity: anySeriesOf('db.client.connections.max'),
    waiting: anySeriesOf('db.client.connections.pending_requests'),
  },
  {
    type: 'connection_pool',
    resource: 'HikariCP',
    namedBy: ['pool'],
    used: anySeriesOf('hikaricp.connections.active'),
    free: anySeriesOf('hikaricp.connections.idle'),
    capacity: anySeriesOf('hikaricp.connections.max'),
    waiting: anySeriesOf('hikaricp.connections.pending'),
  },
  {
    type: 'connection_pool',
    resource: 'JDBC connections',
    namedBy: ['name'],
    used: anySeriesOf('jdbc.connections.active'),
    free: anySeriesOf('jdbc.connections.idle'),
    capacity: anySeriesOf('jdbc.connections.max'),
  },
  {
    type: 'thread_pool',
    resource: '.NET thread pool',
    capacity: anySeriesOf('dotnet.thread_pool.thread.count', 'process.runtime.dotnet.thread_pool.threads.count'),
    waiting: anySeriesOf('dotnet.thread_pool.queue.length', 'process.runtime.dotnet.thread_pool.queue.length'),
  },
  {
    type: 'thread_pool',
    resource: 'executor',
    namedBy: ['name'],
    used: anySeriesOf('executor.active'),
    capacity: anySeriesOf('executor.pool.max'),
    waiting: anySeriesOf('executor.queued'),
  },
  {
    type: 'thread_pool',
    resource: 'Tomcat threads',
    namedBy: ['name'],
    used: anySeriesOf('tomcat.threads.busy'),
    capacity: anySeriesOf('tomcat.threads.config.max'),
  },
  {
    type: 'thread_pool',
    resource: 'Tomcat threads',
    namedBy: ['tomcat.thread.pool.name'],
    used: anySeriesOf('tomcat.thread.busy.count'),
    capacity: anySeriesOf('tomcat.thread.limit'),
  },
  {
    type: 'thread_pool',
    resource: 'Jetty threads',
    used: anySeriesOf('jetty.threads.busy'),
    capacity: anySeriesOf('jetty.threads.config.max'),
    waiting: anySeriesOf('jetty.threads.jobs'),
  },
  {
    type: 'queue',
    resource: 'span processor queue',
    namedBy: ['otel.component.name'],
    used: anySeriesOf('otel.sdk.processor.span.queue.size'),
    capacity: anySeriesOf('otel.sdk.processor.span.queue.capacity'),
  },
  {
    type: 'queue',
    resource: 'log processor queue',
    namedBy: ['otel.component.name'],
    used: anySeriesOf('otel.sdk.processor.log.queue.size'),
    capacity: anySeriesOf('otel.sdk.processor.log.queue.capacity'),
  },
  {
    type: 'queue',
    resource: 'exporter queue',
    namedBy: ['exporter'],
    used: anySeriesOf('otelcol_exporter_queue_size'),
    capacity: anySeriesOf('otelcol_exporter_queue_capacity'),
  },
  { type: 'event_loop', resource: 'event loop', share: anySeriesOf('nodejs.eventloop.utilization') },
  { type: 'cpu', resource: 'process CPU', cpuShare: anySeriesOf('process.cpu.utilization') },
  {
    type: 'cpu',
    resource: 'JVM CPU',
    share: anySeriesOf('jvm.cpu.recent_utilization', 'process.runtime.jvm.cpu.utilization', 'process.cpu.usage'),
  },
  { type: 'cpu', resource: 'system CPU', cpuShare: anySeriesOf('system.cpu.utilization') },
  { type: 'cpu', resource: 'container CPU', share: anySeriesOf('container.cpu.utilization') },
  {
    type: 'cpu',
    resource: 'container CPU limit',
    share: anySeriesOf(
      'k8s.container.cpu.limit.utilization',
      'k8s.container.cpu.limit_utilization',
      'k8s.container.cpu_limit_utilization',
    ),
  },
  { type: 'memory', resource: 'JVM heap', used: heapMemory(JVM_USED), capacity: heapMemory(JVM_LIMIT) },
  {
    type: 'memory',
    resource: 'JVM non-heap',
    namedBy: ['jvm.memory.pool.name', 'pool', 'id'],
    used: nonHeapMemory(JVM_USED),
    capacity: nonHeapMemory(JVM_LIMIT),
  },
  {
    type: 'memory',
    resource: 'V8 heap',
    used: { ...anySeriesOf('v8js.memory.heap.used'), without: ['v8js.heap.space.name'] },
    capacity: { ...anySeriesOf('v8js.memory.heap.limit'), without: ['v8js.heap.space.name'] },
  },
  {
    type: 'memory',
    resource: 'Go memory',
    used: anySeriesOf('go.memory.used'),
    capacity: anySeriesOf('go.memory.limit'),
  },
  { type: 'memory', resource: 'process memory', share: anySeriesOf('process.memory.utilization') },
  {
    type: 'memory',
    resource: 'system memory',
    share: {
      metrics: ['system.memory.utilization'],
      where: { keys: ['system.memory.state', 'state'], values: ['used'] },
    },
  },
  {
    type: 'memory',
    resource: 'container memory',
    used: anySeriesOf('container.memory.usage', 'container.memory.usage.total'),
    capacity: anySeriesOf(
      'container.memory.limit',
      'container.memory.usage.limit',
      'k8s.container.memory.limit',
      'k8s.container.memory.limit.desired',
    ),
  },
  {
    type: 'memory',
    resource: 'container memory limit',
    share: anySeriesOf(
      'k8s.container.memory.limit.utilization',
      'k8s.container.memory.limit_utilization',
      'k8s.container.memory_limit_utilization',
    ),
  },
];

/** Modes in which a CPU does nothing for anybody. */
export const IDLE_MODES: ReadonlySet<string> = new Set(['idle', 'iowait', 'wait']);

export const CPU_MODE_KEYS: readonly string[] = ['cpu.mode', 'system.cpu.state', 'process.cpu.state', 'state'];
export const CPU_NUMBER_KEYS: readonly string[] = ['cpu.logical_number', 'system.cpu.logical_number', 'cpu'];

/**
 * Resources told of by the form of a name alone: what stands before is what they are called. Only where no convention
 * above claims the name, and no pair of names, no judgement: a queue without a capacity cannot be full.
 */
export const RESOURCE_PATTERNS: readonly {
  readonly type: PressureType;
  readonly role: ResourceRole;
  readonly pattern: RegExp;
}[] = [
  { type: 'queue', role: 'used', pattern: /^(.*queue)[._](?:size|length|depth)$/ },
  { type: 'queue', role: 'capacity', pattern: /^(.*queue)[._](?:capacity|limit|max)$/ },
  { type: 'thread_pool', role: 'used', pattern: /^(.*thread_?pool)[._](?:active|busy)$/ },
  { type: 'thread_pool', role: 'capacity', pattern: /^(.*thread_?pool)[._](?:max|limit)$/ },
  { type: 'thread_pool', role: 'waiting', pattern: /^(.*thread_?pool)[._](?:queue|queued)$/ },
];

/** What a metric tells by one convention. */
export interface ConventionMatch {
  readonly type: PressureType;
  readonly resource: string;
  readonly namedBy: readonly string[];
  readonly role: ResourceRole;
  readonly part: SeriesSelector;
  /** Of the same number are the values of one resource. */
  readonly convention: number;
}

/** Past this many names that no convention knows they are looked at anew each time. */
const MAX_PATTERN_MATCHES = 20_000;

const MATCHES_BY_METRIC = indexConventions();
const patternMatches = new Map<string, readonly ConventionMatch[]>();

/** What a metric of this name tells of, nothing for most. */
export function matchConventions(metric: string): readonly ConventionMatch[] {
  const known = MATCHES_BY_METRIC.get(metric) ?? patternMatches.get(metric);
  if (known !== undefined) return known;
  const claims = matchPatterns(metric);
  if (patternMatches.size < MAX_PATTERN_MATCHES) patternMatches.set(metric, claims);
  return claims;
}

function indexConventions(): ReadonlyMap<string, readonly ConventionMatch[]> {
  const claims = new Map<string, ConventionMatch[]>();
  RESOURCE_CONVENTIONS.forEach((convention, number) => {
    for (const claim of listMatches(convention, number)) {
      for (const metric of claim.part.metrics) claims.set(metric, [...(claims.get(metric) ?? []), claim]);
    }
  });
  return claims;
}

function listMatches(convention: ResourceConvention, number: number): ConventionMatch[] {
  const { namedBy = [], resource, type } = convention;
  return RESOURCE_ROLES.flatMap((role) => {
    const part = convention[role];
    return part === undefined ? [] : [{ type, resource, namedBy, role, part, convention: number }];
  });
}

function matchPatterns(metric: string): readonly ConventionMatch[] {
  for (const { pattern, role, type } of RESOURCE_PATTERNS) {
    const resource = pattern.exec(metric)?.[1];
    if (resource !== undefined)
      return [
        {
          type,
          resource,
          namedBy: ['messaging.destination.name', 'queue', 'name'],
          role,
          part: { metrics: [metric] },
          convention: RESOURCE_CONVENTIONS.length,
        },
      ];
  }
  return [];
}

/** What a metric says about how busy its service is. */
type ResourceKind = 'cpu' | 'memory' | 'pool' | 'queue' | 'threads' | 'event loop' | 'garbage collection' | 'disk';

/**
 * By the names of the OpenTelemetry semantic conventions (process, system, container, k8s, jvm, nodejs, dotnet, db.client)
 * and by what others call the same things. Of several, the first that matches.
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

/** Metrics of the machine speak of all that run on it. */
const MACHINE_METRIC = /(^|[._])(node|host|system)[._]/i;

const LIMIT_METRIC = /limit|max|capacity|quota|request$|free|available|idle|minimum/i;

/** Past this many names they are looked at anew each time. */
const MAX_CLASSIFIED_METRICS = 20_000;

const classifiedMetrics = new Map<string, ResourceKind | undefined>();

export function classifyResource(metric: string): ResourceKind | undefined {
  if (classifiedMetrics.has(metric)) return classifiedMetrics.get(metric);
  const resource =
    MACHINE_METRIC.test(metric) || LIMIT_METRIC.test(metric)
      ? undefined
      : RESOURCE_NAME_PATTERNS.find(([name]) => name.test(metric))?.[1];
  if (classifiedMetrics.size < MAX_CLASSIFIED_METRICS) classifiedMetrics.set(metric, resource);
  return resource;
}
