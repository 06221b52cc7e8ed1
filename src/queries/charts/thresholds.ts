import type { AlertMetric, AlertOperator, AlertRule } from '../../diagnostics/alert-rule.js';
import { isUpward, unitOf } from '../../diagnostics/alerting/condition.js';
import type { Severity } from '../../diagnostics/answers.js';
import type { Chart } from '../../diagnostics/chart.js';
import type { Threshold } from './questions.js';

/** What a chart shows that a rule can watch; other charts show their own metric alone. Metrics have any name, `constructor` too. */
const SHOWN: ReadonlyMap<string, readonly AlertMetric[]> = new Map([['latency', ['latency_p50', 'latency_p95', 'latency_p99']]]);

/** More lines would be a pattern. */
const MAX_THRESHOLDS = 8;

/**
 * Values from which the enabled rules fire that watch what the chart shows, ascending. A rule watches services: a chart of
 * the whole Grid shows those for every service only where it shows services, and a chart of operations shows none.
 */
export function thresholdsOf(chart: Chart, rules: readonly AlertRule[]): Threshold[] {
  const watching = rules.filter((rule) => rule.enabled && isShown(chart, rule) && watches(rule, chart));
  const all = watching.flatMap((rule) => thresholdsOfRule(rule, SHOWN.has(chart.metric)));
  const once = new Map(all.map((threshold) => [JSON.stringify(threshold), threshold]));
  return [...once.values()].sort((a, b) => a.value - b.value).slice(0, MAX_THRESHOLDS);
}

function isShown({ metric }: Chart, rule: AlertRule): boolean {
  return rule.metric !== 'pressure' && (SHOWN.get(metric)?.includes(rule.metric) ?? metric === rule.metric);
}

function watches({ serviceName: ofRule }: AlertRule, { serviceName, groupBy }: Chart): boolean {
  if (groupBy !== '' && groupBy !== 'service') return false;
  return ofRule === undefined ? serviceName !== '' || groupBy === 'service' : ofRule === serviceName;
}

function thresholdsOfRule({ metric, operator, threshold, severity, criticalThreshold }: AlertRule, isOneOfMany: boolean): Threshold[] {
  const subject = isOneOfMany ? `${metric.replace('latency_', '')} ` : '';
  const thresholdAt = (value: number, from: AlertOperator, level: Severity): Threshold => ({
    value,
    severity: level,
    label: `${subject}${level === 'critical' ? 'critical' : 'alert'} ${from} ${value}${unitOf(metric)}`,
  });
  const first = thresholdAt(threshold, operator, severity);
  return criticalThreshold === undefined ? [first] : [first, thresholdAt(criticalThreshold, isUpward(operator) ? '>=' : '<=', 'critical')];
}
