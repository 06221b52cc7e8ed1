import type { Health, OverallStatus, ServiceHealth, ServiceStatus } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { DiagnosticsInput, DiagnosticsSettings } from '../diagnostics-input.js';
import { apdexScore, averageMs, computeServiceCounts, errorRatePercent } from '../request-measures.js';
import { round2, round3 } from '../rounding.js';
import type { Measures, ServiceCatalog } from '../rollups/rollup-types.js';
import { type AnalysisWindows, MINUTE_MS } from '../time-windows.js';

const DAY_MS = 1440 * MINUTE_MS;
const US_PER_MS = 1000;

/**
 * Health of the services with spans in the window or seen in the 24 hours before; the overall status is the worst of
 * them, `unknown` without any.
 */
export function computeHealth(
  { grids, catalogs, settings }: Pick<DiagnosticsInput, 'grids' | 'catalogs' | 'settings'>,
  { nowMs, current }: AnalysisWindows,
): Health {
  const totals = computeServiceCounts(grids, current);
  const active = totals.map((total): ServiceHealth => ({
    serviceName: total.service,
    status: assessServiceStatus(total, settings),
    errorRate: round2(errorRatePercent(total)),
    apdex: round3(apdexScore(total)),
    requestCount: total.count,
    avgLatencyMs: round2(averageMs(total)),
  }));
  const listed = new Set(totals.map(({ service }) => service));
  const idle = catalogs
    .filter((catalog) => !listed.has(catalog.service) && wasSeenRecently(catalog, nowMs))
    .map(({ service }) => buildIdleServiceHealth(service));
  const services = [...active, ...idle].sort((a, b) => compareText(a.serviceName, b.serviceName));
  return { overallStatus: assessOverallStatus(services), timestamp: nowMs, services };
}

/** Without any service there is nothing to judge: telemetry without requests says nothing about them. */
function assessOverallStatus(services: readonly ServiceHealth[]): OverallStatus {
  if (services.length === 0) return 'unknown';
  return services.some(({ status }) => status === 'degraded') ? 'degraded' : 'healthy';
}

/**
 * For a moment in the past, a service first seen before and last seen after it counts as recently seen: the catalog
 * stores only the first and the last time.
 */
function wasSeenRecently({ firstUs, lastUs }: ServiceCatalog, nowMs: number): boolean {
  return firstUs <= nowMs * US_PER_MS && lastUs >= (nowMs - DAY_MS) * US_PER_MS;
}

function buildIdleServiceHealth(serviceName: string): ServiceHealth {
  return { serviceName, status: 'healthy', errorRate: 0, apdex: 1, requestCount: 0, avgLatencyMs: 0 };
}

/** A service without requests is healthy, whatever the settings. */
export function assessServiceStatus(
  totals: Pick<Measures, 'count' | 'errors' | 'satisfied' | 'tolerating'>,
  settings: DiagnosticsSettings,
): ServiceStatus {
  if (totals.count === 0) return 'healthy';
  const degraded =
    errorRatePercent(totals) >= settings.errorRateThreshold || apdexScore(totals) < settings.apdexHealthThreshold;
  return degraded ? 'degraded' : 'healthy';
}
