import type { Health, OverallStatus, ServiceHealth } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { apdexScore, averageMs, computeServiceCounts, errorRatePercent } from '../request-measures.js';
import { round2, round3 } from '../rounding.js';
import type { ServiceCatalog } from '../rollups/rollup-types.js';
import { type AnalysisWindows, MINUTE_MS } from '../time-windows.js';
import {
  assessCurrentState,
  type Cause,
  findWorstRecentStatus,
  isLikely,
  type Judged,
  type KnownStates,
} from './recent-status.js';
import { assessRequests } from './request-status.js';
import { assessRecentServices } from './recent-services.js';

const DAY_MS = 1440 * MINUTE_MS;
const US_PER_MS = 1000;

/**
 * Health of the services with spans in the window or seen in the 24 hours before; the overall status is the worst of
 * them, `unknown` without any. Without causes: `nameHealthCauses` adds them.
 */
export function computeHealth(
  { grids, catalogs, alerts, settings }: Pick<DiagnosticsInput, 'grids' | 'catalogs' | 'alerts' | 'settings'>,
  windows: AnalysisWindows,
): Judged<Health> {
  const { nowMs, current } = windows;
  const totals = computeServiceCounts(grids, current);
  const recent = assessRecentServices({ grids, alerts, settings }, windows);
  const active = totals.map((total): ServiceHealth => ({
    serviceName: total.service,
    status: assessRequests(total, settings),
    recentStatus: 'unknown',
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
  const overallStatus = assessOverallStatus(services);
  return nameHealthCauses(
    { overallStatus, recentStatus: 'unknown', timestamp: nowMs, services, recentRequests: [...recent] },
    [],
  );
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
  return {
    serviceName,
    status: 'healthy',
    recentStatus: 'unknown',
    errorRate: 0,
    apdex: 1,
    requestCount: 0,
    avgLatencyMs: 0,
  };
}

/**
 * The health with what a diagnosis of that time says about each service, instead of an earlier one. A dependency that is
 * a likely cause is not listed, but degrades the whole.
 */
export function nameHealthCauses(health: Judged<Health>, causes: readonly Cause[]): Judged<Health> {
  const recent = new Map(health.recentRequests);
  const services = health.services.map(({ causeOf: _, ...service }): ServiceHealth => ({
    ...service,
    ...assessCurrentState(service.serviceName, service.status, recent.get(service.serviceName) ?? 'unknown', causes),
  }));
  const isDegraded = causes.some((cause) => cause.serviceName !== null && isLikely(cause));
  return { ...health, recentStatus: isDegraded ? 'degraded' : findWorstRecentStatus(services), services };
}

/** What health says about each service, for other answers that must agree with it. */
export function toKnownStates({ services, recentRequests }: Judged<Health>): KnownStates {
  const recent = new Map(recentRequests);
  return {
    services: new Map(services.map((service) => [service.serviceName, service])),
    recentRequests: new Map(services.map(({ serviceName }) => [serviceName, recent.get(serviceName) ?? 'unknown'])),
  };
}
