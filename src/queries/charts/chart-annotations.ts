import type { AlertMetric, AlertOperator, AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { isUpward, metricUnit } from '../../diagnostics/alerting/alert-condition.js';
import type { Severity } from '../../diagnostics/diagnostic-results.js';
import type { Chart } from '../../diagnostics/chart-model.js';
import type { DeploymentMarker, Threshold } from './chart-query-types.js';
import { compareText } from '../../diagnostics/text-order.js';
import type { ChartWindow } from '../../diagnostics/chart-series/chart-series.js';
import { OTHER_NAME, type ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';

/** What a chart shows that a rule can watch; other charts show their own metric alone. Metrics have any name, `constructor` too. */
const ALERT_METRICS_BY_CHART_METRIC: ReadonlyMap<string, readonly AlertMetric[]> = new Map([
  ['latency', ['latency_p50', 'latency_p95', 'latency_p99']],
]);

/** More lines would be a pattern. */
const MAX_THRESHOLDS = 8;

/**
 * Values from which the enabled rules fire that watch what the chart shows, ascending. A rule watches services: a chart of
 * the whole Grid shows those for every service only where it shows services, and a chart of operations shows none.
 */
export function findThresholds(chart: Chart, rules: readonly AlertRule[]): Threshold[] {
  const watching = rules.filter(
    (rule) => rule.enabled && showsRuleMetric(chart, rule) && watchesSameService(rule, chart),
  );
  const all = watching.flatMap((rule) => ruleThresholds(rule, ALERT_METRICS_BY_CHART_METRIC.has(chart.metric)));
  const once = new Map(all.map((threshold) => [JSON.stringify(threshold), threshold]));
  return [...once.values()].sort((a, b) => a.value - b.value).slice(0, MAX_THRESHOLDS);
}

function showsRuleMetric({ metric }: Chart, rule: AlertRule): boolean {
  return (
    rule.metric !== 'pressure' &&
    (ALERT_METRICS_BY_CHART_METRIC.get(metric)?.includes(rule.metric) ?? metric === rule.metric)
  );
}

function watchesSameService({ serviceName: ofRule }: AlertRule, { serviceName, groupBy }: Chart): boolean {
  if (groupBy !== '' && groupBy !== 'service') return false;
  return ofRule === undefined ? serviceName !== '' || groupBy === 'service' : ofRule === serviceName;
}

function ruleThresholds(
  { metric, operator, threshold, severity, criticalThreshold }: AlertRule,
  isOneOfMany: boolean,
): Threshold[] {
  const subject = isOneOfMany ? `${metric.replace('latency_', '')} ` : '';
  const thresholdAt = (value: number, from: AlertOperator, level: Severity): Threshold => ({
    value,
    severity: level,
    label: `${subject}${level === 'critical' ? 'critical' : 'alert'} ${from} ${value}${metricUnit(metric)}`,
  });
  const first = thresholdAt(threshold, operator, severity);
  return criticalThreshold === undefined
    ? [first]
    : [first, thresholdAt(criticalThreshold, isUpward(operator) ? '>=' : '<=', 'critical')];
}

/** The newest are shown. */
const MAX_DEPLOYMENTS = 20;

/**
 * Versions that the chart's service, or any service of the Grid, had for the first time while the chart looks, ascending.
 * The first that a service ever told is none: it was not deployed then, but heard of.
 */
export function findDeployments(
  { serviceName }: Chart,
  { fromMs, toMs, nowMs }: ChartWindow,
  catalogs: readonly ServiceCatalog[],
): DeploymentMarker[] {
  const markers = catalogs
    .filter(({ service }) => service !== OTHER_NAME && (serviceName === '' || service === serviceName))
    .flatMap((catalog) =>
      laterVersions(catalog).map(({ version, firstUs }) => ({
        atMs: Math.floor(firstUs / 1000),
        label: `${catalog.service} ${version}`,
      })),
    )
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs && atMs <= nowMs);
  return markers.sort((a, b) => a.atMs - b.atMs || compareText(a.label, b.label)).slice(-MAX_DEPLOYMENTS);
}

function laterVersions({ versions }: ServiceCatalog): ServiceCatalog['versions'] {
  const named = versions.filter(({ version }) => version !== '' && version !== OTHER_NAME);
  const first = Math.min(...named.map(({ firstUs }) => firstUs));
  return named.filter(({ firstUs }) => firstUs > first);
}
