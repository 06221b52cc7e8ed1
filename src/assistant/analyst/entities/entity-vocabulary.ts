import type { ToolQueries } from '../../tool.js';

/** Names that questions of a Grid may hold. */
export interface EntityVocabulary {
  /** Of services that sent anything, ascending. */
  readonly services: readonly string[];
  /** Of what services call and no telemetry comes from: databases, queues, others' services. */
  readonly dependencies: readonly string[];
  readonly operations: readonly string[];
  /** OTLP metrics, and titles of the Grid's own charts. */
  readonly measured: readonly string[];
}

/**
 * Read to understand a question, not to answer it: names are no source of an answer, and cost no energy.
 */
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
  // Where a name overflowed, the rest is counted under a name of ours.
  services.delete('__other__');
  return {
    services: [...services].sort(),
    dependencies: [...dependencies].sort(),
    operations: spans.operationNames,
    measured,
  };
}
