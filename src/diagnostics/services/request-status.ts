import type { ServiceStatus } from '../diagnostic-results.js';
import type { DiagnosticsSettings } from '../diagnostics-input.js';
import { apdexScore, errorRatePercent } from '../request-measures.js';
import type { Measures } from '../rollups/rollup-types.js';

/** Status of requests by the thresholds of the Grid (contract §5); healthy without requests, whatever the settings. */
export function assessRequests(
  totals: Pick<Measures, 'count' | 'errors' | 'satisfied' | 'tolerating'>,
  settings: DiagnosticsSettings,
): ServiceStatus {
  if (totals.count === 0) return 'healthy';
  const degraded =
    errorRatePercent(totals) >= settings.errorRateThreshold || apdexScore(totals) < settings.apdexHealthThreshold;
  return degraded ? 'degraded' : 'healthy';
}
