import type { ServiceMap } from '../diagnostic-results.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { averageMs, errorRatePercent, computeServiceCounts, selectContainedValues } from '../request-measures.js';
import { round2 } from '../rounding.js';
import { sumEdgeCounts, type EdgeCounts, type ServiceCounts } from '../rollups/rollup-sums.js';
import type { GridRollup, TimeBucket } from '../rollups/rollup-types.js';
import type { AnalysisWindows, TimeWindow } from '../time-windows.js';

/** Services that sent spans in the window, and who called whom. A virtual node is the target of an edge and nothing else. */
export function buildServiceMap({ grids }: Pick<DiagnosticsInput, 'grids'>, { current }: AnalysisWindows): ServiceMap {
  return {
    services: computeServiceCounts(grids, current).map((totals) => ({
      name: totals.service,
      type: inferServiceType(totals),
      requestCount: totals.count,
      errorRate: round2(errorRatePercent(totals)),
    })),
    edges: computeEdges(grids, current).map((edge) => ({
      source: edge.source,
      target: edge.target,
      requestCount: edge.count,
      errorRate: round2(errorRatePercent(edge)),
      avgLatencyMs: round2(averageMs(edge)),
    })),
  };
}

/**
 * Edges of a window, by source and target ascending. Calls to a service that are still without their server span are
 * found under its name too: one edge, so that nobody counts them apart.
 */
export function computeEdges(
  grids: readonly TimeBucket<GridRollup>[],
  frame: TimeWindow,
  source?: string,
): readonly EdgeCounts[] {
  const lists = selectContainedValues(grids, frame).map(({ edges }) =>
    source === undefined ? edges : edges.filter((edge) => edge.source === source),
  );
  const real = new Set<string>();
  for (const edges of lists) for (const { target, virtual } of edges) if (!virtual) real.add(target);
  return sumEdgeCounts(
    lists.map((edges) =>
      edges.map((edge) => (edge.virtual && real.has(edge.target) ? { ...edge, virtual: false } : edge)),
    ),
  );
}

/** SERVER or CONSUMER, whichever most of its requests are; a service without either only calls, or works for itself. */
function inferServiceType({ kinds, entryKinds }: ServiceCounts): string {
  const [, server, , , consumer] = entryKinds;
  if (server + consumer > 0) return server >= consumer ? 'SERVER' : 'CONSUMER';
  const [, , client, producer] = kinds;
  return client + producer > 0 ? 'CLIENT' : 'INTERNAL';
}
