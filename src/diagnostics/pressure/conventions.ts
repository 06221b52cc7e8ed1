export type PressureType = 'connection_pool' | 'thread_pool' | 'queue' | 'event_loop' | 'cpu' | 'memory';

/** Series of these metrics; with `where`, those whose attribute of the first key that they have is one of the values. */
export interface Part {
  readonly metrics: readonly string[];
  readonly where?: { readonly keys: readonly string[]; readonly values: readonly string[] };
  /** Series that have one of these attributes do not count. */
  readonly without?: readonly string[];
}

/** What the values of a convention say about a resource. Series of one part add up, but for shares. */
export type Role = 'used' | 'free' | 'capacity' | 'waiting' | 'share' | 'cpuShare';

/** How one convention tells of resources that can run full. */
export interface Convention {
  readonly type: PressureType;
  /** What the resource is called where no attribute names it. */
  readonly resource: string;
  /** Attributes that tell one resource from another, the first that is there. */
  readonly namedBy?: readonly string[];
  /** In use, and free (for pools whose capacity is not told). */
  readonly used?: Part;
  readonly free?: Part;
  readonly capacity?: Part;
  /** Requests that wait for the resource. */
  readonly waiting?: Part;
  /** In use as a share of all, 0 to 1, or percent where the unit is `%`. Of several series the largest counts. */
  readonly share?: Part;
  /** The same by mode and logical CPU: busy modes add up, CPUs are averaged. */
  readonly cpuShare?: Part;
}

export const ROLES: readonly Role[] = ['used', 'free', 'capacity', 'waiting', 'share', 'cpuShare'];

const one = (...metrics: string[]): Part => ({ metrics });

const POOL_STATE = ['db.client.connection.state', 'db.client.connections.state', 'state'];
const POOL_NAME = ['db.client.connection.pool.name', 'db.client.connections.pool.name', 'pool.name'];
const used = (metric: string): Part => ({ metrics: [metric], where: { keys: POOL_STATE, values: ['used'] } });
const idle = (metric: string): Part => ({ metrics: [metric], where: { keys: POOL_STATE, values: ['idle'] } });

/** `jvm.*` of OpenTelemetry, of its Java agent 1.x, and of Micrometer. */
const JVM_USED = ['jvm.memory.used', 'process.runtime.jvm.memory.usage'];
const JVM_LIMIT = ['jvm.memory.limit', 'process.runtime.jvm.memory.limit', 'jvm.memory.max'];
const JVM_AREA = ['jvm.memory.type', 'type', 'area'];
const heap = (metrics: readonly string[]): Part => ({ metrics, where: { keys: JVM_AREA, values: ['heap'] } });
const nonHeap = (metrics: readonly string[]): Part => ({ metrics, where: { keys: JVM_AREA, values: ['non_heap', 'nonheap'] } });

/**
 * Who tells of what, one row a convention. Without a word of the source: the OpenTelemetry semantic conventions, with
 * what the names were before; else HikariCP, Tomcat, Jetty and executors by Micrometer, containers by the receivers of the
 * OpenTelemetry collector.
 *
 * The limit of V8 counts only where it is told of the heap as a whole: by heap space, `v8js.memory.heap.limit` is what is
 * allocated at the moment and grows on demand, which is why it is now called `v8js.memory.heap.space.size`.
 */
export const CONVENTIONS: readonly Convention[] = [
  { type: 'connection_pool', resource: 'database connections', namedBy: POOL_NAME, used: used('db.client.connection.count'), free: idle('db.client.connection.count'), capacity: one('db.client.connection.max'), waiting: one('db.client.connection.pending_requests') },
  { type: 'connection_pool', resource: 'database connections', namedBy: POOL_NAME, used: used('db.client.connections.usage'), free: idle('db.client.connections.usage'), capacity: one('db.client.connections.max'), waiting: one('db.client.connections.pending_requests') },
  { type: 'connection_pool', resource: 'HikariCP', namedBy: ['pool'], used: one('hikaricp.connections.active'), free: one('hikaricp.connections.idle'), capacity: one('hikaricp.connections.max'), waiting: one('hikaricp.connections.pending') },
  { type: 'connection_pool', resource: 'JDBC connections', namedBy: ['name'], used: one('jdbc.connections.active'), free: one('jdbc.connections.idle'), capacity: one('jdbc.connections.max') },
  { type: 'thread_pool', resource: '.NET thread pool', capacity: one('dotnet.thread_pool.thread.count', 'process.runtime.dotnet.thread_pool.threads.count'), waiting: one('dotnet.thread_pool.queue.length', 'process.runtime.dotnet.thread_pool.queue.length') },
  { type: 'thread_pool', resource: 'executor', namedBy: ['name'], used: one('executor.active'), capacity: one('executor.pool.max'), waiting: one('executor.queued') },
  { type: 'thread_pool', resource: 'Tomcat threads', namedBy: ['name'], used: one('tomcat.threads.busy'), capacity: one('tomcat.threads.config.max') },
  { type: 'thread_pool', resource: 'Tomcat threads', namedBy: ['tomcat.thread.pool.name'], used: one('tomcat.thread.busy.count'), capacity: one('tomcat.thread.limit') },
  { type: 'thread_pool', resource: 'Jetty threads', used: one('jetty.threads.busy'), capacity: one('jetty.threads.config.max'), waiting: one('jetty.threads.jobs') },
  { type: 'queue', resource: 'span processor queue', namedBy: ['otel.component.name'], used: one('otel.sdk.processor.span.queue.size'), capacity: one('otel.sdk.processor.span.queue.capacity') },
  { type: 'queue', resource: 'log processor queue', namedBy: ['otel.component.name'], used: one('otel.sdk.processor.log.queue.size'), capacity: one('otel.sdk.processor.log.queue.capacity') },
  { type: 'queue', resource: 'exporter queue', namedBy: ['exporter'], used: one('otelcol_exporter_queue_size'), capacity: one('otelcol_exporter_queue_capacity') },
  { type: 'event_loop', resource: 'event loop', share: one('nodejs.eventloop.utilization') },
  { type: 'cpu', resource: 'process CPU', cpuShare: one('process.cpu.utilization') },
  { type: 'cpu', resource: 'JVM CPU', share: one('jvm.cpu.recent_utilization', 'process.runtime.jvm.cpu.utilization', 'process.cpu.usage') },
  { type: 'cpu', resource: 'system CPU', cpuShare: one('system.cpu.utilization') },
  { type: 'cpu', resource: 'container CPU', share: one('container.cpu.utilization') },
  { type: 'cpu', resource: 'container CPU limit', share: one('k8s.container.cpu.limit.utilization', 'k8s.container.cpu.limit_utilization', 'k8s.container.cpu_limit_utilization') },
  { type: 'memory', resource: 'JVM heap', used: heap(JVM_USED), capacity: heap(JVM_LIMIT) },
  { type: 'memory', resource: 'JVM non-heap', namedBy: ['jvm.memory.pool.name', 'pool', 'id'], used: nonHeap(JVM_USED), capacity: nonHeap(JVM_LIMIT) },
  { type: 'memory', resource: 'V8 heap', used: { ...one('v8js.memory.heap.used'), without: ['v8js.heap.space.name'] }, capacity: { ...one('v8js.memory.heap.limit'), without: ['v8js.heap.space.name'] } },
  { type: 'memory', resource: 'Go memory', used: one('go.memory.used'), capacity: one('go.memory.limit') },
  { type: 'memory', resource: 'process memory', share: one('process.memory.utilization') },
  { type: 'memory', resource: 'system memory', share: { metrics: ['system.memory.utilization'], where: { keys: ['system.memory.state', 'state'], values: ['used'] } } },
  { type: 'memory', resource: 'container memory', used: one('container.memory.usage', 'container.memory.usage.total'), capacity: one('container.memory.limit', 'container.memory.usage.limit', 'k8s.container.memory.limit', 'k8s.container.memory.limit.desired') },
  { type: 'memory', resource: 'container memory limit', share: one('k8s.container.memory.limit.utilization', 'k8s.container.memory.limit_utilization', 'k8s.container.memory_limit_utilization') },
];

/** Modes in which a CPU does nothing for anybody. */
export const IDLE_MODES: ReadonlySet<string> = new Set(['idle', 'iowait', 'wait']);
export const CPU_MODE_KEYS: readonly string[] = ['cpu.mode', 'system.cpu.state', 'process.cpu.state', 'state'];
export const CPU_NUMBER_KEYS: readonly string[] = ['cpu.logical_number', 'system.cpu.logical_number', 'cpu'];

/**
 * Resources told of by the form of a name alone: what stands before is what they are called. Only where no convention
 * above claims the name, and no pair of names, no judgement: a queue without a capacity cannot be full.
 */
export const PATTERNS: readonly { readonly type: PressureType; readonly role: Role; readonly pattern: RegExp }[] = [
  { type: 'queue', role: 'used', pattern: /^(.*queue)[._](?:size|length|depth)$/ },
  { type: 'queue', role: 'capacity', pattern: /^(.*queue)[._](?:capacity|limit|max)$/ },
  { type: 'thread_pool', role: 'used', pattern: /^(.*thread_?pool)[._](?:active|busy)$/ },
  { type: 'thread_pool', role: 'capacity', pattern: /^(.*thread_?pool)[._](?:max|limit)$/ },
  { type: 'thread_pool', role: 'waiting', pattern: /^(.*thread_?pool)[._](?:queue|queued)$/ },
];
