import { ALERT_METRIC_DEFINITIONS } from '../../diagnostics/alerting/alert-metrics.js';
import {
  isMetricRule,
  type AlertOperator,
  type AlertRule,
  type MetricAlertRule,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { isUpward } from '../../diagnostics/alerting/rule-condition.js';
import type { Severity } from '../../diagnostics/diagnostic-results.js';
import type { Chart } from '../../diagnostics/chart-model.js';
import type { DeploymentMarker, Threshold } from './chart-query-types.js';
import { compareText } from '../../diagnostics/text-order.js';
import type { ChartWindow } from '../../diagnostics/chart-series/chart-series.js';
import { OTHER_NAME, type ServiceCatalog } from '../../diagnostics/rollups/rollup-types.js';

/** With more lines the chart becomes unreadable. */
const MAX_THRESHOLDS = 8;

/**
 * Thresholds of the enabled rules that watch what the chart shows, ascending. Rules apply to services, so a Grid-wide
 * chart shows the thresholds of rules for all services only if it is grouped by service, and charts grouped by
 * operation show none.
 */
export function findThresholds(chart: Chart, rules: readonly AlertRule[]): Threshold[] {
  const watching = rules
    .filter(isMetricRule)
    .filter((rule) => rule.enabled && showsRuleMetric(chart, rule) && watchesSameService(rule, chart));
  const all = watching.flatMap((rule) => ruleThresholds(rule, rule.metric !== chart.metric));
  const distinct = new Map(all.map((threshold) => [JSON.stringify(threshold), threshold]));
  return [...distinct.values()].sort((a, b) => a.value - b.value).slice(0, MAX_THRESHOLDS);
}

/** A chart shows the alert metric of the same name, and all those of which its lines are. */
function showsRuleMetric({ metric }: Chart, rule: MetricAlertRule): boolean {
  if (rule.metric === 'pressure') return false;
  return metric === rule.metric || metric === ALERT_METRIC_DEFINITIONS[rule.metric].chart?.metric;
}

function watchesSameService({ serviceName: ruleService }: AlertRule, { serviceName, groupBy }: Chart): boolean {
  if (groupBy !== '' && groupBy !== 'service') return false;
  return ruleService === undefined ? serviceName !== '' || groupBy === 'service' : ruleService === serviceName;
}

function ruleThresholds(
  { metric, operator, threshold, severity, criticalThreshold }: MetricAlertRule,
  isOneOfMany: boolean,
): Threshold[] {
  const subject = isOneOfMany ? `${metric.replace('latency_', '')} ` : '';
  const thresholdAt = (value: number, from: AlertOperator, level: Severity): Threshold => ({
    value,
    severity: level,
    label: `${subject}${level === 'critical' ? 'critical' : 'alert'} ${from} ${value}${ALERT_METRIC_DEFINITIONS[metric].conditionSuffix}`,
  });
  const first = thresholdAt(threshold, operator, severity);
  return criticalThreshold === undefined
    ? [first]
    : [first, thresholdAt(criticalThreshold, isUpward(operator) ? '>=' : '<=', 'critical')];
}

/** Only the newest are shown. */
const MAX_DEPLOYMENTS = 20;

/**
 * First appearances of versions of the chart's service (or of any service, for Grid-wide charts) within the chart's
 * window, ascending. The first known version of a service is not a deployment: the service may have been running it
 * before it sent telemetry.
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
