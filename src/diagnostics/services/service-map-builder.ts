import type { MappedService, ServiceMap } from '../diagnostic-results.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { averageMs, errorRatePercent, computeServiceCounts, selectContainedValues } from '../request-measures.js';
import { round2 } from '../rounding.js';
import { sumEdgeCounts, type EdgeCounts, type ServiceCounts } from '../rollups/rollup-sums.js';
import type { GridRollup, TimeBucket } from '../rollups/rollup-types.js';
import type { AnalysisWindows, TimeWindow } from '../time-windows.js';
import { assessCurrentState, type Cause, type Judged, type KnownStates } from './recent-status.js';
import { assessRecentServices } from './recent-services.js';
import { assessRequests } from './request-status.js';

/**
 * Services that sent spans in the window and the calls between them. A virtual node appears only as the target of an
 * edge. Without causes: `nameMapCauses` adds them.
 */
export function buildServiceMap(
  { grids, alerts, settings }: Pick<DiagnosticsInput, 'grids' | 'alerts' | 'settings'>,
  windows: AnalysisWindows,
): Judged<ServiceMap> {
  const { current } = windows;
  const recent = assessRecentServices({ grids, alerts, settings }, windows);
  const map: Judged<ServiceMap> = {
    recentRequests: [...recent],
    services: computeServiceCounts(grids, current).map((totals): MappedService => ({
      name: totals.service,
      type: inferServiceType(totals),
      requestCount: totals.count,
      errorRate: round2(errorRatePercent(totals)),
      status: assessRequests(totals, settings),
      recentStatus: 'unknown',
    })),
    edges: computeEdges(grids, current).map((edge) => ({
      source: edge.source,
      target: edge.target,
      requestCount: edge.count,
      errorRate: round2(errorRatePercent(edge)),
      avgLatencyMs: round2(averageMs(edge)),
    })),
  };
  return nameMapCauses(map, []);
}

/**
 * The map with states and figures of services that health has told, so that both say the same although they are computed
 * at two moments. Edges keep their own figures.
 */
export function adoptStates(map: Judged<ServiceMap>, { services, recentRequests }: KnownStates): Judged<ServiceMap> {
  return {
    ...map,
    recentRequests: [...new Map([...map.recentRequests, ...recentRequests])],
    services: map.services.map((service) => {
      const { status, requestCount, errorRate } = services.get(service.name) ?? service;
      return { ...service, status, requestCount, errorRate };
    }),
  };
}

/** The map with what a diagnosis of that time says about each service, instead of an earlier one. */
export function nameMapCauses(map: Judged<ServiceMap>, causes: readonly Cause[]): Judged<ServiceMap> {
  const recent = new Map(map.recentRequests);
  return {
    ...map,
    services: map.services.map(({ causeOf: _, ...service }) => ({
      ...service,
      ...assessCurrentState(service.name, service.status, recent.get(service.name) ?? 'unknown', causes),
    })),
  };
}

/**
 * Edges of a window, by source and target ascending. Calls to a service whose server span has not arrived yet are
 * stored as virtual under the same name; they are merged into the same edge.
 */
export function computeEdges(
  grids: readonly TimeBucket<GridRollup>[],
  window: TimeWindow,
  source?: string,
): readonly EdgeCounts[] {
  const lists = selectContainedValues(grids, window).map(({ edges }) =>
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

/**
 * SERVER or CONSUMER, whichever is the majority of its entry spans; without either, CLIENT if it calls others, else
 * INTERNAL.
 */
function inferServiceType({ kinds, entryKinds }: ServiceCounts): string {
  const [, server, , , consumer] = entryKinds;
  if (server + consumer > 0) return server >= consumer ? 'SERVER' : 'CONSUMER';
  const [, , client, producer] = kinds;
  return client + producer > 0 ? 'CLIENT' : 'INTERNAL';
}
