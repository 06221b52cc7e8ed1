import type { ServiceStatus } from './answers.js';
import type { DiagnosticsSettings } from './input.js';
import { apdexOf, errorRateOf } from './measures.js';
import type { Measures } from './rollups.js';

/** A service without requests is healthy, whatever the settings: no data is not bad. */
export function statusOf(totals: Pick<Measures, 'count' | 'errors' | 'satisfied' | 'tolerating'>, settings: DiagnosticsSettings): ServiceStatus {
  if (totals.count === 0) return 'healthy';
  const degraded = errorRateOf(totals) >= settings.errorRateThreshold || apdexOf(totals) < settings.apdexHealthThreshold;
  return degraded ? 'degraded' : 'healthy';
}
