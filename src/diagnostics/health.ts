import type { Health, ServiceHealth } from './answers.js';
import { byText } from './by-text.js';
import type { DiagnosticsInput } from './input.js';
import { apdexOf, averageMs, errorRateOf, countsOf } from './measures.js';
import { round2, round3 } from './rounding.js';
import type { ServiceCatalog } from './rollups.js';
import { statusOf } from './service-status.js';
import { MINUTE_MS, type Frames } from './timeframe.js';

const DAY_MS = 1440 * MINUTE_MS;
const US_PER_MS = 1000;

/** Services with spans in the window, and those seen in the 24 hours before; the worst of them is the whole. */
export function health({ grids, catalogs, settings }: Pick<DiagnosticsInput, 'grids' | 'catalogs' | 'settings'>, { nowMs, current }: Frames): Health {
  const totals = countsOf(grids, current);
  const busy = totals.map((one): ServiceHealth => ({
    serviceName: one.service,
    status: statusOf(one, settings),
    errorRate: round2(errorRateOf(one)),
    apdex: round3(apdexOf(one)),
    requestCount: one.count,
    avgLatencyMs: round2(averageMs(one)),
  }));
  const listed = new Set(totals.map(({ service }) => service));
  const quiet = catalogs.filter((catalog) => !listed.has(catalog.service) && seenLately(catalog, nowMs)).map(({ service }) => withoutRequests(service));
  const services = [...busy, ...quiet].sort((a, b) => byText(a.serviceName, b.serviceName));
  return { overallStatus: services.some(({ status }) => status === 'degraded') ? 'degraded' : 'healthy', timestamp: nowMs, services };
}

/**
 * Of a moment in the past the catalog tells only that the service was seen before and after it, which counts as lately:
 * it knows the first and the last sighting alone.
 */
function seenLately({ firstUs, lastUs }: ServiceCatalog, nowMs: number): boolean {
  return firstUs <= nowMs * US_PER_MS && lastUs >= (nowMs - DAY_MS) * US_PER_MS;
}

function withoutRequests(serviceName: string): ServiceHealth {
  return { serviceName, status: 'healthy', errorRate: 0, apdex: 1, requestCount: 0, avgLatencyMs: 0 };
}
