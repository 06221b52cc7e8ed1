import { hasFired } from '../alerting/alert-clock.js';
import type { AlertMetric } from '../alerting/alert-metrics.js';
import type { AlertRecord, DiagnosticsInput, DiagnosticsSettings } from '../diagnostics-input.js';
import type { GridRollup, TimeBucket } from '../rollups/rollup-types.js';
import type { AnalysisWindows } from '../time-windows.js';
import { assessRecentRequests, type RecentRequests, type RequestCounts } from './recent-status.js';

/** The latest requests of each service, and its alerts: a service with a firing alert is not healthy. */
export function assessRecentServices(
  { grids, alerts, settings }: Pick<DiagnosticsInput, 'grids' | 'alerts' | 'settings'>,
  windows: AnalysisWindows,
): ReadonlyMap<string, RecentRequests> {
  const recent = new Map(assessRecentRequests(grids, listServices, windows, settings));
  for (const alert of alerts)
    if (isFiring(alert, windows) && recent.get(alert.serviceName) === 'healthy')
      recent.set(alert.serviceName, isAboutJudgedFigures(alert) ? 'recovering' : 'alerting');
  return recent;
}

function isFiring(alert: AlertRecord, { nowMs }: AnalysisWindows): boolean {
  return alert.severity !== 'info' && hasFired(alert, nowMs) && (alert.resolvedAt ?? Infinity) > nowMs;
}

/** Recent requests show when these are healthy again. */
const JUDGED_METRICS: readonly AlertMetric[] = ['error_rate', 'apdex'];

/** Recent requests that are healthy show that what the alert is about has ended. */
function isAboutJudgedFigures({ condition }: AlertRecord): boolean {
  return JUDGED_METRICS.some((metric) => condition.startsWith(`${metric} `));
}

/** The latest calls of a service to each dependency that sends no spans itself: only their errors count. */
export function assessRecentDependencies(
  grids: readonly TimeBucket<GridRollup>[],
  windows: AnalysisWindows,
  settings: DiagnosticsSettings,
  source: string,
): ReadonlyMap<string, RecentRequests> {
  return assessRecentRequests(grids, (grid) => listCalls(grid, source), windows, settings);
}

function listServices({ services }: GridRollup): [string, RequestCounts][] {
  return services.map((counts) => [counts.service, counts]);
}

function listCalls({ edges }: GridRollup, source: string): [string, RequestCounts][] {
  return edges
    .filter((edge) => edge.source === source && edge.virtual)
    .map(({ target, count, errors }) => [target, { count, errors, satisfied: count, tolerating: 0 }]);
}
