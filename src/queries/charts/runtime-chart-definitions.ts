import type { Aggregation } from '../../diagnostics/chart-model.js';

/** A chart of what a runtime or its surroundings tell of themselves. */
export interface RuntimeChart {
  /** Part of the chart's id: never changes. */
  readonly key: string;
  readonly title: string;
  /** Names by which it is told of, the best first: the chart shows the first that the service sends. */
  readonly metrics: readonly string[];
  /** What its series are told apart by, the best first: the first that a data point has. Series of one group are `aggregation` together. */
  readonly groups: readonly string[];
  readonly aggregation: Aggregation;
}

const CPU_MODES = ['cpu.mode', 'system.cpu.state', 'state'];

/**
 * OpenTelemetry semantic conventions, with what the names were before; containers by the receivers of the OpenTelemetry
 * collector. What is told by mode, heap space or memory pool adds up to that of the instance.
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

/** Of these metrics is remembered which service sends them. */
export const RUNTIME_METRICS: ReadonlySet<string> = new Set(RUNTIME_CHARTS.flatMap(({ metrics }) => metrics));
/** And which of these attributes their data points have. */
export const RUNTIME_ATTRIBUTES: readonly string[] = [
  ...new Set(RUNTIME_CHARTS.flatMap(({ groups }) => groups)),
].filter((group) => group !== 'instance');
