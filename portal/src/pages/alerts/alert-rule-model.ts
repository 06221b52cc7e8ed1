/** An alert rule, as in forms and tables. */
export interface AlertRuleValues {
  readonly name: string;
  readonly metric: string;
  readonly operator: string;
  readonly threshold: number;
  readonly severity: string;
  readonly criticalThreshold?: number;
  readonly serviceName?: string;
  readonly windowMinutes: number;
  readonly forMinutes: number;
  readonly minRequests: number;
}

/** Metrics that alert rules can watch, with their units. */
export const WATCHABLE_METRICS = [
  { metric: 'error_rate', title: 'Error rate', unit: '%' },
  { metric: 'latency_avg', title: 'Average latency', unit: 'ms' },
  { metric: 'latency_p50', title: 'Latency p50', unit: 'ms' },
  { metric: 'latency_p95', title: 'Latency p95', unit: 'ms' },
  { metric: 'latency_p99', title: 'Latency p99', unit: 'ms' },
  { metric: 'apdex', title: 'Apdex', unit: '' },
  { metric: 'request_rate', title: 'Requests per second', unit: 'req/s' },
  { metric: 'pressure', title: 'Resource pressure', unit: '%' },
] as const;

/** Such as "Error rate > 5 % over 15 minutes, for 5 minutes, critical > 10 %". `createFormatter` returns a formatter of values in a unit. */
export function formatCondition(
  rule: AlertRuleValues,
  createFormatter: (unit: string) => (value: number) => string,
): string {
  const watchedMetric = WATCHABLE_METRICS.find(({ metric }) => metric === rule.metric);
  const formatValue = createFormatter(watchedMetric?.unit ?? '');
  const duration = rule.forMinutes === 0 ? '' : `, for ${formatMinutes(rule.forMinutes)}`;
  const critical =
    rule.criticalThreshold === undefined ? '' : `, critical ${rule.operator} ${formatValue(rule.criticalThreshold)}`;
  return `${watchedMetric?.title ?? rule.metric} ${rule.operator} ${formatValue(rule.threshold)} over ${formatMinutes(rule.windowMinutes)}${duration}${critical}`;
}

/** Parses the condition of an alert, such as `latency_p95 > 2000ms`; undefined if it has another form. */
export function parseCondition(condition: string):
  | {
      readonly watchedMetric: (typeof WATCHABLE_METRICS)[number];
      readonly operator: string;
      readonly threshold: number;
    }
  | undefined {
  const [, metric, operator, figure] = /^(\w+) ([<>]=?) (-?[\d.]+)/.exec(condition) ?? [];
  const watchedMetric = WATCHABLE_METRICS.find((each) => each.metric === metric);
  return watchedMetric === undefined || operator === undefined
    ? undefined
    : { watchedMetric, operator, threshold: Number(figure) };
}

const formatMinutes = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

/** A rule while it is edited: numbers are text, and may be incomplete or invalid. */
export interface AlertRuleDraft {
  readonly name: string;
  readonly metric: string;
  readonly operator: string;
  readonly threshold: string;
  readonly severity: string;
  readonly criticalThreshold: string;
  readonly serviceName: string;
  readonly windowMinutes: string;
  readonly forMinutes: string;
  readonly minRequests: string;
  readonly enabled: boolean;
}

export const NEW_RULE_DRAFT: AlertRuleDraft = {
  name: '',
  metric: 'error_rate',
  operator: '>',
  threshold: '5',
  severity: 'warning',
  criticalThreshold: '',
  serviceName: '',
  windowMinutes: '15',
  forMinutes: '0',
  minRequests: '20',
  enabled: true,
};

export function toRuleDraft(rule: AlertRuleValues & { readonly enabled: boolean }): AlertRuleDraft {
  return {
    name: rule.name,
    metric: rule.metric,
    operator: rule.operator,
    threshold: String(rule.threshold),
    severity: rule.severity,
    criticalThreshold: rule.criticalThreshold === undefined ? '' : String(rule.criticalThreshold),
    serviceName: rule.serviceName ?? '',
    windowMinutes: String(rule.windowMinutes),
    forMinutes: String(rule.forMinutes),
    minRequests: String(rule.minRequests),
    enabled: rule.enabled,
  };
}

/** The request body. Leaves out empty optional fields, and sends invalid numbers as typed, so that the service reports them by field. */
export function toRuleBody(draft: AlertRuleDraft) {
  const { name, metric, operator, severity, enabled } = draft;
  return {
    name,
    metric,
    operator,
    severity,
    enabled,
    threshold: parseNumericField(draft.threshold),
    ...(draft.criticalThreshold.trim() !== '' && { criticalThreshold: parseNumericField(draft.criticalThreshold) }),
    ...(draft.serviceName.trim() !== '' && { serviceName: draft.serviceName.trim() }),
    windowMinutes: parseNumericField(draft.windowMinutes),
    forMinutes: parseNumericField(draft.forMinutes),
    minRequests: parseNumericField(draft.minRequests),
  };
}

function parseNumericField(text: string): number | string | null {
  const figure = Number(text);
  return text.trim() === '' ? null : Number.isNaN(figure) ? text : figure;
}
