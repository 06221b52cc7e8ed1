import type { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import type { ThreadMemory } from '../thread-memory.js';
import type { MemoryPlan } from './engines/memory-plan.js';

/** Shows the memory budget and its parts in `/metrics`, and what caches and threads use of it. */
export function registerMemoryMetrics(
  metrics: Pick<PrometheusMetrics, 'registerReadings'>,
  { limitBytes, programBytes, projectorBytes, requestBytes, queryBytes, caches }: MemoryPlan,
  readThreads: () => ReadonlyMap<string, ThreadMemory>,
): void {
  const perThread = (read: (memory: ThreadMemory) => number) => (): Record<string, number> =>
    Object.fromEntries([...readThreads()].map(([name, memory]) => [name, read(memory)]));
  metrics.registerReadings('memory_budget_bytes', 'MEMORY_LIMIT (part: limit) and its parts.', 'part', () => ({
    limit: limitBytes,
    program: programBytes,
    projector: projectorBytes,
    requests: requestBytes,
    queries: queryBytes,
    ...caches,
  }));
  metrics.registerReadings('cache_bytes', 'Approximate size of each cache.', 'part', () =>
    Object.fromEntries([...readThreads().values()].flatMap(({ caches: used }) => Object.entries(used))),
  );
  metrics.registerReadings(
    'thread_heap_bytes',
    'Heap of each thread, garbage included.',
    'thread',
    perThread(({ heapBytes }) => heapBytes),
  );
  metrics.registerReadings(
    'thread_external_bytes',
    'Buffers of each thread outside its heap.',
    'thread',
    perThread(({ externalBytes }) => externalBytes),
  );
}
