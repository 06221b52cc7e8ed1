import { ALERT_METRIC_DEFINITIONS } from './alert-metrics.js';
import type {
  AlertOperator,
  AlertQuery,
  AlertRule,
  ErrorAlertRule,
  MetricAlertRule,
  QueryAlertRule,
} from './alert-rule-model.js';
import type { Severity } from '../diagnostic-results.js';

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
  if (query === undefined)
    return `${metric} ${operator} ${threshold}${ALERT_METRIC_DEFINITIONS[metric].conditionSuffix}`;
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
