/** What is to be known of a rule to draw it. */
export interface ThresholdRule {
  readonly name: string;
  readonly metric: string;
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

/** Lines of one rule. */
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

/** Lines of all rules that watch what a chart of a service shows. Rules judge services, so that a chart of the whole Grid has none. */
export function findChartThresholds(
  rules: readonly ThresholdRule[],
  chart: { readonly metric: string; readonly serviceName: string },
): RuleThreshold[] {
  if (chart.serviceName === '') return [];
  const shows = (metric: string): boolean =>
    metric === chart.metric || (chart.metric === 'latency' && /^latency_p\d+$/.test(metric));
  return rules
    .filter(
      ({ enabled, metric, serviceName }) =>
        enabled && shows(metric) && (serviceName === undefined || serviceName === chart.serviceName),
    )
    .flatMap(toThresholds);
}
