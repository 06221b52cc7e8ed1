import type {
  AlertMetric,
  AlertOperator,
  AlertQuery,
  AlertRule,
  ErrorAlertRule,
  MetricAlertRule,
  QueryAlertRule,
} from './alert-rule-model.js';
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
  new_errors: '',
};

const FUNCTION_UNITS: Readonly<Record<string, string>> = { errorRate: '%', rate: '/s', count: '', countDistinct: '' };
/** Characters of a condition that are shown of a rule's query. */
const WHERE_LENGTH = 200;

type Condition = 'metric' | 'query' | 'operator' | 'threshold';

/** Formats a condition, such as `error_rate > 5%` or `count of logs > 10 where severity = Error`. */
export function formatCondition({
  metric,
  query,
  operator,
  threshold,
}: Pick<MetricAlertRule | ErrorAlertRule, Condition> | Pick<QueryAlertRule, Condition>): string {
  if (query === undefined) return `${metric} ${operator} ${threshold}${metricUnit(metric)}`;
  const { where, signal } = query;
  const column = `${nameColumn(query)} of ${signal}`;
  const filter = where.length > WHERE_LENGTH ? `${where.slice(0, WHERE_LENGTH)}…` : where;
  return `${column} ${operator} ${threshold}${queryUnit(query)}${filter.trim() === '' ? '' : ` where ${filter}`}`;
}

/** Such as `p99(duration)`. */
function nameColumn({ select: [{ fn, field }] }: AlertQuery): string {
  return field === '' ? fn : `${fn}(${field})`;
}

function queryUnit({ select: [{ fn, field }] }: AlertQuery): string {
  return FUNCTION_UNITS[fn] ?? (field === 'duration' ? 'ms' : '');
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
