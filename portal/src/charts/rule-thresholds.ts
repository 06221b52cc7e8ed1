import { ALERT_METRIC_DEFINITIONS, isAlertMetric } from '../../../src/diagnostics/alerting/alert-metrics.js';

/** The parts of an alert rule that charts need. */
export interface ThresholdRule {
  readonly name: string;
  /** Absent: the rule watches a query. */
  readonly metric?: string;
  readonly operator: string;
  readonly threshold: number;
  readonly criticalThreshold?: number;
  readonly severity: string;
  readonly serviceName?: string;
  readonly enabled: boolean;
}

export interface RuleThreshold {
  readonly value: number;
  readonly label: string;
  readonly level: 'warning' | 'critical';
}

/** Threshold lines of a rule: its threshold and, if it has one, its critical threshold. */
export function toThresholds({
  name,
  operator,
  threshold,
  criticalThreshold,
  severity,
}: Omit<ThresholdRule, 'metric' | 'enabled'>): RuleThreshold[] {
  const first = {
    value: threshold,
    label: `${name} (${operator} ${threshold})`,
    level: severity === 'critical' ? ('critical' as const) : ('warning' as const),
  };
  if (criticalThreshold === undefined || criticalThreshold === threshold) return [first];
  return [
    first,
    { value: criticalThreshold, label: `${name}, critical (${operator} ${criticalThreshold})`, level: 'critical' },
  ];
}

/** Threshold lines of all enabled rules on the metric of a service's chart. Rules apply to services, so charts of the whole Grid have none. */
export function findChartThresholds(
  rules: readonly ThresholdRule[],
  chart: { readonly metric: string; readonly serviceName: string },
): RuleThreshold[] {
  if (chart.serviceName === '') return [];
  const isShownMetric = (metric: string): boolean =>
    metric === chart.metric ||
    (isAlertMetric(metric) && ALERT_METRIC_DEFINITIONS[metric].chart?.metric === chart.metric);
  return rules
    .filter(
      ({ enabled, metric, serviceName }) =>
        enabled &&
        metric !== undefined &&
        isShownMetric(metric) &&
        (serviceName === undefined || serviceName === chart.serviceName),
    )
    .flatMap(toThresholds);
}
