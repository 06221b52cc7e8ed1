import { ALERT_METRIC_DEFINITIONS, isAlertMetric, type AlertMetric } from './alert-metrics.js';

const OPERATORS: Readonly<Record<string, string>> = { '>': 'above', '>=': 'at least', '<': 'below', '<=': 'at most' };
const WINDOW_UNITS: Readonly<Record<string, string>> = { m: 'min', h: 'h', d: 'd' };

/** Such as `latency_p95 > 2000ms`, with the unit at the end. */
const METRIC_CONDITION = /^([a-z]\w*) (>=|>|<=|<) (-?[\d.e+-]+)(.*)$/;
/** Such as `burn_rate > 14.4 over 1h and 5m`. */
const BURN_RATE_CONDITION = /^burn_rate > ([\d.]+) over (\d+)([mhd]) and (\d+)([mhd])$/;

/**
 * The condition of an alert for people: "Latency p95 above 2000 ms" for `latency_p95 > 2000ms`. Conditions on queries and
 * those that a diagnosis states are sentences already and stay as they are.
 */
export function describeCondition(condition: string): string {
  const [, metric, operator = '', threshold, suffix = ''] = METRIC_CONDITION.exec(condition) ?? [];
  if (isAlertMetric(metric) && ['', ALERT_METRIC_DEFINITIONS[metric].conditionSuffix].includes(suffix))
    return `${ALERT_METRIC_DEFINITIONS[metric].title} ${OPERATORS[operator]} ${threshold}${unitAfterValue(metric)}`;
  const burn = BURN_RATE_CONDITION.exec(condition);
  if (burn === null) return condition;
  const [, factor, long, longUnit, short, shortUnit] = burn;
  return `Burn rate above ${factor} over ${long} ${WINDOW_UNITS[longUnit]} and ${short} ${WINDOW_UNITS[shortUnit]}`;
}

/** What is so when an alert has ended. An error group is news for a time only: it may go on. */
export function describeEnd(condition: string): string {
  return isErrorCondition(condition) ? 'is not new any more' : 'has recovered';
}

/** Whether an alert with this condition is one of a rule on new errors. */
export function isErrorCondition(condition: string): boolean {
  return /^new_errors >=? /.test(condition);
}

/** Unit of the values of a condition with a space before it; "" for a plain number. */
export function conditionUnit(condition: string): string {
  const [metric] = condition.split(' ', 1);
  return isAlertMetric(metric) ? unitAfterValue(metric) : '';
}

function unitAfterValue(metric: AlertMetric): string {
  const { unit } = ALERT_METRIC_DEFINITIONS[metric];
  return unit === '' ? '' : ` ${unit}`;
}
