import type { StoredAlertRule } from './alert-events.js';
import { derivedId } from '../../telemetry/derived-id.js';

const COMMON = { windowMinutes: 15, forMinutes: 0, minRequests: 20, enabled: true } as const;

const DEFAULTS = [
  { name: 'High error rate', metric: 'error_rate', operator: '>', threshold: 5, severity: 'warning', criticalThreshold: 10 },
  { name: 'High latency', metric: 'latency_p95', operator: '>', threshold: 2_000, severity: 'warning', criticalThreshold: 4_000 },
  { name: 'Low Apdex', metric: 'apdex', operator: '<', threshold: 0.7, severity: 'warning' },
  { name: 'Resource under pressure', metric: 'pressure', operator: '>=', threshold: 90, severity: 'critical' },
] as const;

/**
 * Alert rules that a Grid starts with (contract §5): what `GridCreated.v1` means beside its settings. Later events speak of
 * them by their ids, which therefore never change: one rule of a metric is among the defaults.
 */
export function defaultAlertRules(gridId: string): StoredAlertRule[] {
  return DEFAULTS.map((rule) => ({ id: derivedId(`${gridId}/${rule.metric}`), ...rule, ...COMMON }));
}
