import type { ToolQueries } from '../tool.js';

/** Names that questions of a Grid may hold. */
export interface Vocabulary {
  /** Of services that sent anything, ascending. */
  readonly services: readonly string[];
  /** Of what services call and no telemetry comes from: databases, queues, others' services. */
  readonly dependencies: readonly string[];
  readonly operations: readonly string[];
}

/**
 * Read to understand a question, not to answer it: names are no source of an answer, and cost no energy. All three are kept
 * as documents.
 */
export async function vocabularyOf({ telemetry, diagnostics }: Pick<ToolQueries, 'telemetry' | 'diagnostics'>, gridId: string): Promise<Vocabulary> {
  const [spans, logs, map] = await Promise.all([telemetry.traceFilterOptions(gridId), telemetry.logFilterOptions(gridId), diagnostics.serviceMap(gridId, {})]);
  const services = new Set([...spans.serviceNames, ...logs.serviceNames, ...map.services.map(({ name }) => name)]);
  const dependencies = new Set(map.edges.map(({ target }) => target).filter((name) => !services.has(name)));
  // Where a name overflowed, the rest is counted under a name of ours.
  services.delete('__other__');
  return { services: [...services].sort(), dependencies: [...dependencies].sort(), operations: spans.operationNames };
}
