import type { AlertMetric, AlertOperator, AlertRule } from './alert-rule-model.js';
import type { Severity } from '../diagnostic-results.js';

const UNITS: Readonly<Record<AlertMetric, string>> = {
  error_rate: '%',
  latency_avg: 'ms',
  latency_p50: 'ms',
  latency_p95: 'ms',
  latency_p99: 'ms',
  apdex: '',
  request_rate: '/s',
  pressure: '%',
};

/** Formats a condition, such as `error_rate > 5%`. */
export function formatCondition({
  metric,
  operator,
  threshold,
}: Pick<AlertRule, 'metric' | 'operator' | 'threshold'>): string {
  return `${metric} ${operator} ${threshold}${metricUnit(metric)}`;
}

/** Unit suffix of a value; "" for a plain number. */
export function metricUnit(metric: AlertMetric): string {
  return UNITS[metric];
}

export function isConditionMet(value: number, operator: AlertOperator, threshold: number): boolean {
  switch (operator) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
    default:
      return operator satisfies never;
  }
}

/** True if larger values are worse. */
export function isUpward(operator: AlertOperator): boolean {
  return operator === '>' || operator === '>=';
}

/** Severity of a value that breaches the rule. Contract §5: critical from the critical threshold on, inclusive. */
export function severityForValue({ operator, severity, criticalThreshold }: AlertRule, value: number): Severity {
  const isCritical =
    criticalThreshold !== undefined && isConditionMet(value, isUpward(operator) ? '>=' : '<=', criticalThreshold);
  return isCritical ? 'critical' : severity;
}
