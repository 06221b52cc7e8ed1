import type { ToolQueries } from '../../tool.js';

/** Names that questions about a Grid may contain. */
export interface EntityVocabulary {
  /** Services with telemetry, ascending. */
  readonly services: readonly string[];
  /** Dependencies without telemetry of their own: databases, queues, third-party services. */
  readonly dependencies: readonly string[];
  readonly operations: readonly string[];
  /** OTLP metrics, and titles of the Grid's stored charts. */
  readonly measured: readonly string[];
}

/** Only used to understand the question: not a source of the answer, and costs no energy. */
export async function loadVocabulary(
  { telemetry, diagnostics, charts }: Pick<ToolQueries, 'telemetry' | 'diagnostics' | 'charts'>,
  gridId: string,
): Promise<EntityVocabulary> {
  const [spans, logs, map, own, { metrics }] = await Promise.all([
    telemetry.traceFilterOptions(gridId),
    telemetry.logFilterOptions(gridId),
    diagnostics.serviceMap(gridId, {}),
    charts.charts(gridId),
    charts.metrics(gridId),
  ]);
  const measured = [
    ...metrics.map(({ name }) => name),
    ...own.filter(({ builtIn }) => !builtIn).map(({ title }) => title),
  ];
  const services = new Set([...spans.serviceNames, ...logs.serviceNames, ...map.services.map(({ name }) => name)]);
  const dependencies = new Set(map.edges.map(({ target }) => target).filter((name) => !services.has(name)));
  // Placeholder for names beyond the limit.
  services.delete('__other__');
  return {
    services: [...services].sort(),
    dependencies: [...dependencies].sort(),
    operations: spans.operationNames,
    measured,
  };
}
