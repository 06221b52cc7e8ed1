import {
  ALERT_METRIC_DEFINITIONS,
  ALERT_METRICS,
  NEW_ERRORS,
  type AlertMetricUnit,
} from '../../../../src/diagnostics/alerting/alert-metrics.js';
import {
  type ExploreQuery,
  FIRST_QUERY,
  parseFunction,
  type QuerySignal,
  writeFunction,
} from '../explore/explore-query.js';

/** The query of a rule. */
export interface RuleQuery {
  readonly signal: QuerySignal;
  readonly where?: string;
  readonly groupBy?: readonly string[];
  readonly select?: readonly { readonly fn: string; readonly field?: string; readonly as?: string }[];
}

/** An alert rule, as in forms and tables: on a metric, on new errors or on a query. */
export interface AlertRuleValues {
  readonly name: string;
  readonly metric?: string | undefined;
  readonly query?: RuleQuery | undefined;
  readonly operator: string;
  readonly threshold: number;
  readonly severity: string;
  readonly criticalThreshold?: number;
  readonly serviceName?: string;
  readonly windowMinutes: number;
  readonly forMinutes: number;
  readonly minRequests: number;
  readonly runbookUrl?: string;
}

/** Units as the portal writes them. */
const UNITS: Readonly<Record<AlertMetricUnit, string>> = { '%': '%', ms: 'ms', 'requests/s': 'req/s', '': '' };

/** Metrics that alert rules can watch, with their units. */
export const WATCHABLE_METRICS = ALERT_METRICS.map((metric) => {
  const { title, choiceTitle = title, unit } = ALERT_METRIC_DEFINITIONS[metric];
  return { metric, title: choiceTitle, unit: UNITS[unit] };
});

/** Such as "Error rate > 5 % over 15 minutes, for 5 minutes, critical > 10 %". `createFormatter` returns a formatter of values in a unit. */
export function formatCondition(
  rule: AlertRuleValues,
  createFormatter: (unit: string) => (value: number) => string,
): string {
  const watchedMetric = WATCHABLE_METRICS.find(({ metric }) => metric === rule.metric);
  const formatValue = createFormatter(findRuleUnit(rule));
  const duration = rule.forMinutes === 0 ? '' : `, for ${formatMinutes(rule.forMinutes)}`;
  const critical =
    rule.criticalThreshold === undefined ? '' : `, critical ${rule.operator} ${formatValue(rule.criticalThreshold)}`;
  const subject = rule.query === undefined ? (watchedMetric?.title ?? rule.metric) : describeQuery(rule.query);
  return `${subject} ${rule.operator} ${formatValue(rule.threshold)} over ${formatMinutes(rule.windowMinutes)}${duration}${critical}`;
}

/** Unit of the values that a rule compares; empty if they have none. */
export function findRuleUnit({ metric, query }: Pick<AlertRuleValues, 'metric' | 'query'>): string {
  if (query === undefined) return WATCHABLE_METRICS.find((each) => each.metric === metric)?.unit ?? '';
  const { fn = 'count', field } = query.select?.[0] ?? {};
  if (fn === 'errorRate') return '%';
  return field === 'duration' && !/^count/.test(fn) ? 'ms' : '';
}

/** Such as "count of logs where severity = Error by service". */
function describeQuery({ signal, where = '', groupBy = [], select = [] }: RuleQuery): string {
  const [column = { fn: 'count' }] = select;
  const groups = groupBy.length === 0 ? '' : ` by ${groupBy.join(', ')}`;
  return `${column.as ?? writeFunction(column)} of ${signal}${where.trim() === '' ? '' : ` where ${where}`}${groups}`;
}

/** What an alert is about, such as "checkout (customer.tier = gold)". */
export function describeSubject({
  serviceName,
  labels = {},
}: {
  readonly serviceName: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}): string {
  const group = Object.entries(labels)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  if (serviceName === '') return group || 'Whole Grid';
  return group === '' ? serviceName : `${serviceName} (${group})`;
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
  readonly source: 'metric' | 'query';
  readonly metric: string;
  /** Signal, condition, groups and one function. */
  readonly query: ExploreQuery;
  readonly operator: string;
  readonly threshold: string;
  readonly severity: string;
  readonly criticalThreshold: string;
  readonly serviceName: string;
  readonly windowMinutes: string;
  readonly forMinutes: string;
  readonly minRequests: string;
  readonly runbookUrl: string;
  readonly enabled: boolean;
}

export const NEW_RULE_DRAFT: AlertRuleDraft = {
  name: '',
  source: 'metric',
  metric: 'error_rate',
  query: { ...FIRST_QUERY, signal: 'logs', where: 'severity = Error', groupBy: ['service'], select: ['count'] },
  operator: '>',
  threshold: '5',
  severity: 'warning',
  criticalThreshold: '',
  serviceName: '',
  windowMinutes: '15',
  forMinutes: '0',
  minRequests: '20',
  runbookUrl: '',
  enabled: true,
};

/** A new rule on a query, such as one of the Explore page, of whose functions it watches the first. */
export function createQueryDraft(query: ExploreQuery): AlertRuleDraft {
  const [first = 'count'] = query.select;
  return {
    ...NEW_RULE_DRAFT,
    source: 'query',
    query: { ...query, select: [first] },
    threshold: '',
    windowMinutes: '5',
    minRequests: '0',
  };
}

/** The parts of a draft that change with what the rule watches. */
export function changeSource(draft: AlertRuleDraft, source: AlertRuleDraft['source']): Partial<AlertRuleDraft> {
  return { source, ...changeMinimum(draft, { ...draft, source }) };
}

/** The parts of a draft that change with its metric: with new errors, the first exception of a group is news. */
export function changeMetric(draft: AlertRuleDraft, metric: string): Partial<AlertRuleDraft> {
  const before = findDefaultCondition(draft.metric);
  const isUnchanged = draft.operator === before.operator && draft.threshold === before.threshold;
  const isImpossible = metric === NEW_ERRORS && draft.operator.startsWith('<');
  return {
    metric,
    ...((isUnchanged || isImpossible) && findDefaultCondition(metric)),
    ...changeMinimum(draft, { ...draft, metric }),
  };
}

/** Whether a rule looks at the exceptions of new error groups. */
export function isOnNewErrors({ source, metric }: Pick<AlertRuleDraft, 'source' | 'metric'>): boolean {
  return source === 'metric' && metric === NEW_ERRORS;
}

function findDefaultCondition(metric: string): Pick<AlertRuleDraft, 'operator' | 'threshold'> {
  const { operator, threshold } = NEW_RULE_DRAFT;
  return metric === NEW_ERRORS ? { operator: '>=', threshold: '1' } : { operator, threshold };
}

/** The minimum is that of the new draft unless somebody has set another one. */
function changeMinimum(before: AlertRuleDraft, after: AlertRuleDraft): Partial<AlertRuleDraft> {
  return before.minRequests === findDefaultMinimum(before) ? { minRequests: findDefaultMinimum(after) } : {};
}

function findDefaultMinimum(draft: AlertRuleDraft): string {
  return draft.source === 'query' || isOnNewErrors(draft) ? '0' : '20';
}

export function toRuleDraft(rule: AlertRuleValues & { readonly enabled: boolean }): AlertRuleDraft {
  return {
    name: rule.name,
    source: rule.query === undefined ? 'metric' : 'query',
    metric: rule.metric ?? NEW_RULE_DRAFT.metric,
    query: rule.query === undefined ? NEW_RULE_DRAFT.query : openRuleQuery(rule.query),
    operator: rule.operator,
    threshold: String(rule.threshold),
    severity: rule.severity,
    criticalThreshold: rule.criticalThreshold === undefined ? '' : String(rule.criticalThreshold),
    serviceName: rule.serviceName ?? '',
    windowMinutes: String(rule.windowMinutes),
    forMinutes: String(rule.forMinutes),
    minRequests: String(rule.minRequests),
    runbookUrl: rule.runbookUrl ?? '',
    enabled: rule.enabled,
  };
}

/** The query of a rule as that of the Explore page. */
export function openRuleQuery({ signal, where = '', groupBy = [], select = [] }: RuleQuery): ExploreQuery {
  return { ...FIRST_QUERY, signal, where, groupBy, select: select.map(writeFunction), show: 'series' };
}

/** The request body. Leaves out empty optional fields, and sends invalid numbers as typed, so that the service reports them by field. */
export function toRuleBody(draft: AlertRuleDraft) {
  const { name, source, metric, query, operator, severity, enabled } = draft;
  const { signal, where, groupBy, select } = query;
  return {
    name,
    ...(source === 'metric'
      ? { metric }
      : { query: { signal, where, groupBy: [...groupBy], select: select.map(parseFunction) } }),
    operator,
    severity,
    enabled,
    threshold: parseNumericField(draft.threshold),
    ...(draft.criticalThreshold.trim() !== '' && { criticalThreshold: parseNumericField(draft.criticalThreshold) }),
    ...(draft.serviceName.trim() !== '' && { serviceName: draft.serviceName.trim() }),
    windowMinutes: parseNumericField(draft.windowMinutes),
    forMinutes: parseNumericField(draft.forMinutes),
    minRequests: parseNumericField(draft.minRequests),
    ...(draft.runbookUrl.trim() !== '' && { runbookUrl: draft.runbookUrl.trim() }),
  };
}

function parseNumericField(text: string): number | string | null {
  const figure = Number(text);
  return text.trim() === '' ? null : Number.isNaN(figure) ? text : figure;
}
