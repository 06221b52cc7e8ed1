/** A rule as forms and tables take it. */
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

/** What alert rules can watch: in which words, and in which unit. */
export const WATCHABLE_METRICS = [
  { metric: 'error_rate', title: 'Error rate', unit: '%' },
  { metric: 'latency_avg', title: 'Latency, average', unit: 'ms' },
  { metric: 'latency_p50', title: 'Latency, p50', unit: 'ms' },
  { metric: 'latency_p95', title: 'Latency, p95', unit: 'ms' },
  { metric: 'latency_p99', title: 'Latency, p99', unit: 'ms' },
  { metric: 'apdex', title: 'Apdex', unit: '' },
  { metric: 'request_rate', title: 'Requests a second', unit: 'req/s' },
  { metric: 'pressure', title: 'Pressure on a resource', unit: '%' },
] as const;

const DEFAULT_RULES: readonly Omit<AlertRuleValues, 'windowMinutes' | 'forMinutes' | 'minRequests'>[] = [
  {
    name: 'High error rate',
    metric: 'error_rate',
    operator: '>',
    threshold: 5,
    severity: 'warning',
    criticalThreshold: 10,
  },
  {
    name: 'High latency',
    metric: 'latency_p95',
    operator: '>',
    threshold: 2_000,
    severity: 'warning',
    criticalThreshold: 4_000,
  },
  { name: 'Low Apdex', metric: 'apdex', operator: '<', threshold: 0.7, severity: 'warning' },
  { name: 'Resource under pressure', metric: 'pressure', operator: '>=', threshold: 90, severity: 'critical' },
];

/** Whether the rule is one that every Grid begins with, as it was then. The service does not tell. */
export function isDefaultRule(rule: AlertRuleValues): boolean {
  return (
    DEFAULT_RULES.some(
      (each) =>
        each.name === rule.name &&
        each.metric === rule.metric &&
        each.operator === rule.operator &&
        each.threshold === rule.threshold &&
        each.severity === rule.severity &&
        each.criticalThreshold === rule.criticalThreshold,
    ) &&
    rule.serviceName === undefined &&
    rule.windowMinutes === 15 &&
    rule.forMinutes === 0 &&
    rule.minRequests === 20
  );
}

/** Such as "Error rate > 5 % over 15 minutes, for 5 minutes, critical > 10 %". `write` puts a value in its unit. */
export function formatCondition(rule: AlertRuleValues, write: (unit: string) => (value: number) => string): string {
  const watched = WATCHABLE_METRICS.find(({ metric }) => metric === rule.metric);
  const valueOf = write(watched?.unit ?? '');
  const lasting = rule.forMinutes === 0 ? '' : `, for ${formatMinutes(rule.forMinutes)}`;
  const critical =
    rule.criticalThreshold === undefined ? '' : `, critical ${rule.operator} ${valueOf(rule.criticalThreshold)}`;
  return `${watched?.title ?? rule.metric} ${rule.operator} ${valueOf(rule.threshold)} over ${formatMinutes(rule.windowMinutes)}${lasting}${critical}`;
}

/** What an alert says that its rule watches for, such as `latency_p95 > 2000ms`, in its parts; undefined where it is told otherwise. */
export function parseCondition(
  condition: string,
):
  | { readonly watched: (typeof WATCHABLE_METRICS)[number]; readonly operator: string; readonly threshold: number }
  | undefined {
  const [, metric, operator, figure] = /^(\w+) ([<>]=?) (-?[\d.]+)/.exec(condition) ?? [];
  const watched = WATCHABLE_METRICS.find((each) => each.metric === metric);
  return watched === undefined || operator === undefined ? undefined : { watched, operator, threshold: Number(figure) };
}

const formatMinutes = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

/** A rule while somebody types it: numbers are texts, and may be none yet. */
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

/** As it is sent: a field left empty is left to the service, and what is no number goes as it was typed, so that the service says what is wrong with it. */
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
