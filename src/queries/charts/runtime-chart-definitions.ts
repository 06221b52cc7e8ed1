import type { Aggregation } from '../../diagnostics/chart-model.js';

/** Definition of a chart of runtime, container or host metrics. */
export interface RuntimeChart {
  /** Part of the chart's id: must never change. */
  readonly key: string;
  readonly title: string;
  /** Metric names by preference: the chart shows the first one that the service sends. */
  readonly metrics: readonly string[];
  /**
   * Attribute keys to group by, by preference: the first one on the data points is used. Series in one group are
   * combined with `aggregation`.
   */
  readonly groups: readonly string[];
  readonly aggregation: Aggregation;
}

const CPU_MODES = ['cpu.mode', 'system.cpu.state', 'state'];

/**
 * Names from the OpenTelemetry semantic conventions, then their former names; container metrics as sent by the
 * receivers of the OpenTelemetry Collector. Values per mode, heap space or memory pool are summed per instance.
 */
export const RUNTIME_CHARTS: readonly RuntimeChart[] = [
  {
    key: 'process-cpu',
    title: 'Process CPU',
    metrics: [
      'process.cpu.utilization',
      'jvm.cpu.recent_utilization',
      'process.runtime.jvm.cpu.utilization',
      'process.cpu.usage',
    ],
    groups: ['instance'],
    aggregation: 'sum',
  },
  {
    key: 'container-cpu',
    title: 'Container CPU',
    metrics: ['container.cpu.utilization', 'container.cpu.usage', 'k8s.container.cpu.limit_utilization'],
    groups: ['instance'],
    aggregation: 'sum',
  },
  {
    key: 'system-cpu',
    title: 'System CPU',
    metrics: ['system.cpu.utilization'],
    groups: CPU_MODES,
    aggregation: 'avg',
  },
  {
    key: 'event-loop',
    title: 'Event loop',
    metrics: ['nodejs.eventloop.utilization'],
    groups: ['instance'],
    aggregation: 'avg',
  },
  {
    key: 'process-memory',
    title: 'Process memory',
    metrics: ['process.memory.usage', 'dotnet.process.memory.working_set'],
    groups: ['instance'],
    aggregation: 'sum',
  },
  {
    key: 'container-memory',
    title: 'Container memory',
    metrics: ['container.memory.usage', 'container.memory.usage.total', 'container.memory.working_set'],
    groups: ['instance'],
    aggregation: 'sum',
  },
  {
    key: 'v8-heap',
    title: 'V8 heap',
    metrics: ['v8js.memory.heap.used'],
    groups: ['v8js.heap.space.name', 'instance'],
    aggregation: 'sum',
  },
  {
    key: 'jvm-memory',
    title: 'JVM memory',
    metrics: ['jvm.memory.used', 'process.runtime.jvm.memory.usage'],
    groups: ['jvm.memory.type', 'type', 'area', 'instance'],
    aggregation: 'sum',
  },
  {
    key: 'go-memory',
    title: 'Go memory',
    metrics: ['go.memory.used'],
    groups: ['go.memory.type', 'instance'],
    aggregation: 'sum',
  },
  {
    key: 'dotnet-heap',
    title: '.NET heap',
    metrics: ['dotnet.gc.last_collection.heap.size', 'process.runtime.dotnet.gc.heap.size'],
    groups: ['gc.heap.generation', 'dotnet.gc.heap.generation', 'generation', 'instance'],
    aggregation: 'sum',
  },
  {
    key: 'python-memory',
    title: 'Python memory',
    metrics: ['process.runtime.cpython.memory'],
    groups: ['type', 'instance'],
    aggregation: 'sum',
  },
  {
    key: 'system-memory',
    title: 'System memory',
    metrics: ['system.memory.usage'],
    groups: ['system.memory.state', 'state'],
    aggregation: 'avg',
  },
];

/** For these metrics the read model stores which services send them. */
export const RUNTIME_METRICS: ReadonlySet<string> = new Set(RUNTIME_CHARTS.flatMap(({ metrics }) => metrics));
/** For these attributes the read model stores whether data points of RUNTIME_METRICS have them. */
export const RUNTIME_ATTRIBUTES: readonly string[] = [
  ...new Set(RUNTIME_CHARTS.flatMap(({ groups }) => groups)),
].filter((group) => group !== 'instance');
