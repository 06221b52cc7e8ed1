/** Names and units as people read them. */
const METRICS: Readonly<Record<string, { readonly name: string; readonly unit: string }>> = {
  error_rate: { name: 'Error rate', unit: ' %' },
  latency_avg: { name: 'Average latency', unit: ' ms' },
  latency_p50: { name: 'Latency p50', unit: ' ms' },
  latency_p95: { name: 'Latency p95', unit: ' ms' },
  latency_p99: { name: 'Latency p99', unit: ' ms' },
  apdex: { name: 'Apdex', unit: '' },
  request_rate: { name: 'Request rate', unit: ' requests/s' },
  pressure: { name: 'Pressure', unit: ' %' },
  new_errors: { name: 'New errors', unit: '' },
};
const OPERATORS: Readonly<Record<string, string>> = { '>': 'above', '>=': 'at least', '<': 'below', '<=': 'at most' };
const WINDOW_UNITS: Readonly<Record<string, string>> = { m: 'min', h: 'h', d: 'd' };

/** Such as `latency_p95 > 2000ms`. */
const METRIC_CONDITION = /^([a-z]\w*) (>=|>|<=|<) (-?[\d.e+-]+)(?:%|ms|\/s)?$/;
/** Such as `burn_rate > 14.4 over 1h and 5m`. */
const BURN_RATE_CONDITION = /^burn_rate > ([\d.]+) over (\d+)([mhd]) and (\d+)([mhd])$/;

/**
 * The condition of an alert for people: "Latency p95 above 2000 ms" for `latency_p95 > 2000ms`. Conditions on queries and
 * those that a diagnosis states are sentences already and stay as they are.
 */
export function describeCondition(condition: string): string {
  const [, metric = '', operator = '', threshold] = METRIC_CONDITION.exec(condition) ?? [];
  const known = findMetric(metric);
  if (known !== undefined) return `${known.name} ${OPERATORS[operator]} ${threshold}${known.unit}`;
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
  return findMetric(metric)?.unit ?? '';
}

function findMetric(name: string) {
  return Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
}
