export type PressureType = 'connection_pool' | 'thread_pool' | 'queue' | 'event_loop' | 'cpu' | 'memory';

/**
 * Selects series of these metrics; with `where`, only those whose value of the first key present is one of `values`.
 */
export interface SeriesSelector {
  readonly metrics: readonly string[];
  readonly where?: { readonly keys: readonly string[]; readonly values: readonly string[] };
  /** Series with any of these attributes are excluded. */
  readonly without?: readonly string[];
}

/** Meaning of a metric's values for a resource. Values of one role are added up, except for shares. */
export type ResourceRole = 'used' | 'free' | 'capacity' | 'waiting' | 'share' | 'cpuShare';

/** How one metric naming convention describes resources that can become full. */
export interface ResourceConvention {
  readonly type: PressureType;
  /** Name of the resource if no attribute provides one. */
  readonly resource: string;
  /** Attributes that distinguish resources of this type; the first one present is used. */
  readonly namedBy?: readonly string[];
  /** Units in use, and free units (for pools without a capacity metric). */
  readonly used?: SeriesSelector;
  readonly free?: SeriesSelector;
  readonly capacity?: SeriesSelector;
  /** Requests waiting for the resource. */
  readonly waiting?: SeriesSelector;
  /** Fraction in use, 0 to 1, or percent if the unit is `%`. The largest of several series is used. */
  readonly share?: SeriesSelector;
  /** Fraction by mode and logical CPU: busy modes are added up, CPUs are averaged. */
  readonly cpuShare?: SeriesSelector;
}

export const RESOURCE_ROLES: readonly ResourceRole[] = ['used', 'free', 'capacity', 'waiting', 'share', 'cpuShare'];
const selectAnySeries = (...metrics: string[]): SeriesSelector => ({ metrics });
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

/** `jvm.*` metrics of OpenTelemetry, of its Java agent 1.x, and of Micrometer. */
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
 * Conventions in this table: OpenTelemetry semantic conventions including deprecated names, HikariCP, Tomcat, Jetty and
 * executors as reported by Micrometer, containers as reported by receivers of the OpenTelemetry Collector.
 *
 * The V8 limit is only used if reported for the heap as a whole: per heap space, `v8js.memory.heap.limit` is the
 * currently allocated size, which grows on demand and is therefore now called `v8js.memory.heap.space.size`.
 */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = [
  {
    type: 'connection_pool',
    resource: 'database connections',
    namedBy: POOL_NAME,
    used: usedConnections('db.client.connection.count'),
    free: idleConnections('db.client.connection.count'),
    capacity: selectAnySeries('db.client.connection.max'),
    waiting: selectAnySeries('db.client.connection.pending_requests'),
  },
  {
    type: 'connection_pool',
    resource: 'database connections',
    namedBy: POOL_NAME,
    used: usedConnections('db.client.connections.usage'),
    free: idleConnections('db.client.connections.usage'),
    capacity: selectAnySeries('db.client.connections.max'),
    waiting: selectAnySeries('db.client.connections.pending_requests'),
  },
  {
    type: 'connection_pool',
    resource: 'HikariCP',
    namedBy: ['pool'],
    used: selectAnySeries('hikaricp.connections.active'),
    free: selectAnySeries('hikaricp.connections.idle'),
    capacity: selectAnySeries('hikaricp.connections.max'),
    waiting: selectAnySeries('hikaricp.connections.pending'),
  },
  {
    type: 'connection_pool',
    resource: 'JDBC connections',
    namedBy: ['name'],
    used: selectAnySeries('jdbc.connections.active'),
    free: selectAnySeries('jdbc.connections.idle'),
    capacity: selectAnySeries('jdbc.connections.max'),
  },
  {
    type: 'thread_pool',
    resource: '.NET thread pool',
    capacity: selectAnySeries('dotnet.thread_pool.thread.count', 'process.runtime.dotnet.thread_pool.threads.count'),
    waiting: selectAnySeries('dotnet.thread_pool.queue.length', 'process.runtime.dotnet.thread_pool.queue.length'),
  },
  {
    type: 'thread_pool',
    resource: 'executor',
    namedBy: ['name'],
    used: selectAnySeries('executor.active'),
    capacity: selectAnySeries('executor.pool.max'),
    waiting: selectAnySeries('executor.queued'),
  },
  {
    type: 'thread_pool',
    resource: 'Tomcat threads',
    namedBy: ['name'],
    used: selectAnySeries('tomcat.threads.busy'),
    capacity: selectAnySeries('tomcat.threads.config.max'),
  },
  {
    type: 'thread_pool',
    resource: 'Tomcat threads',
    namedBy: ['tomcat.thread.pool.name'],
    used: selectAnySeries('tomcat.thread.busy.count'),
    capacity: selectAnySeries('tomcat.thread.limit'),
  },
  {
    type: 'thread_pool',
    resource: 'Jetty threads',
    used: selectAnySeries('jetty.threads.busy'),
    capacity: selectAnySeries('jetty.threads.config.max'),
    waiting: selectAnySeries('jetty.threads.jobs'),
  },
  {
    type: 'queue',
    resource: 'span processor queue',
    namedBy: ['otel.component.name'],
    used: selectAnySeries('otel.sdk.processor.span.queue.size'),
    capacity: selectAnySeries('otel.sdk.processor.span.queue.capacity'),
  },
  {
    type: 'queue',
    resource: 'log processor queue',
    namedBy: ['otel.component.name'],
    used: selectAnySeries('otel.sdk.processor.log.queue.size'),
    capacity: selectAnySeries('otel.sdk.processor.log.queue.capacity'),
  },
  {
    type: 'queue',
    resource: 'exporter queue',
    namedBy: ['exporter'],
    used: selectAnySeries('otelcol_exporter_queue_size'),
    capacity: selectAnySeries('otelcol_exporter_queue_capacity'),
  },
  { type: 'event_loop', resource: 'event loop', share: selectAnySeries('nodejs.eventloop.utilization') },
  { type: 'cpu', resource: 'process CPU', cpuShare: selectAnySeries('process.cpu.utilization') },
  {
    type: 'cpu',
    resource: 'JVM CPU',
    share: selectAnySeries('jvm.cpu.recent_utilization', 'process.runtime.jvm.cpu.utilization', 'process.cpu.usage'),
  },
  { type: 'cpu', resource: 'system CPU', cpuShare: selectAnySeries('system.cpu.utilization') },
  { type: 'cpu', resource: 'container CPU', share: selectAnySeries('container.cpu.utilization') },
  {
    type: 'cpu',
    resource: 'container CPU limit',
    share: selectAnySeries(
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
    used: { ...selectAnySeries('v8js.memory.heap.used'), without: ['v8js.heap.space.name'] },
    capacity: { ...selectAnySeries('v8js.memory.heap.limit'), without: ['v8js.heap.space.name'] },
  },
  {
    type: 'memory',
    resource: 'Go memory',
    used: selectAnySeries('go.memory.used'),
    capacity: selectAnySeries('go.memory.limit'),
  },
  { type: 'memory', resource: 'process memory', share: selectAnySeries('process.memory.utilization') },
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
    used: selectAnySeries('container.memory.usage', 'container.memory.usage.total'),
    capacity: selectAnySeries(
      'container.memory.limit',
      'container.memory.usage.limit',
      'k8s.container.memory.limit',
      'k8s.container.memory.limit.desired',
    ),
  },
  {
    type: 'memory',
    resource: 'container memory limit',
    share: selectAnySeries(
      'k8s.container.memory.limit.utilization',
      'k8s.container.memory.limit_utilization',
      'k8s.container.memory_limit_utilization',
    ),
  },
];

/** Modes in which a CPU is idle. */
export const IDLE_MODES: ReadonlySet<string> = new Set(['idle', 'iowait', 'wait']);

export const CPU_MODE_KEYS: readonly string[] = ['cpu.mode', 'system.cpu.state', 'process.cpu.state', 'state'];
export const CPU_NUMBER_KEYS: readonly string[] = ['cpu.logical_number', 'system.cpu.logical_number', 'cpu'];

/**
 * Resources recognised only by the form of the metric name; the part before the suffix is their name. Used only if no
 * convention above matches the name. A single metric is not enough for a reading: a queue without a capacity cannot be
 * full.
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
