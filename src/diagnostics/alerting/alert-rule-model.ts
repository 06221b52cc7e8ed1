import { NEW_ERRORS, type ServiceMetric } from './alert-metrics.js';
import type { Severity } from '../diagnostic-results.js';
import type { AlertSubject } from './alert-subject.js';
import type { AlertRecord } from '../diagnostics-input.js';
import type { ServiceTotals } from '../rollups/rollup-types.js';

export const ALERT_OPERATORS = ['>', '>=', '<', '<='] as const;
export type AlertOperator = (typeof ALERT_OPERATORS)[number];

/**
 * Limits of rules. A window is at most an hour, and so is the time for which a condition must hold: rules are evaluated
 * up to once a second over all minutes of both.
 */
export const ALERT_RULE_BOUNDS = {
  nameLength: 200,
  serviceNameLength: 1_024,
  windowMinutes: { min: 1, max: 60 },
  forMinutes: { min: 0, max: 60 },
  minRequests: { min: 0, max: 1_000_000_000 },
  rulesOfAGrid: 200,
  /** Rules on records: each is a query a minute. */
  recordRulesOfAGrid: 50,
  /**
   * Open alerts of one rule on records: further groups fire when one of them has ended, if they are in breach then. Error
   * groups seldom are, because they are new for one window.
   */
  alertsOfARecordRule: 100,
} as const;

/** Defaults for fields that the author omits (contract §6). */
export const ALERT_RULE_DEFAULTS = { windowMinutes: 15, forMinutes: 0, minRequests: 20, enabled: true };

/** Minimum number of records by default for rules on records: no records may be what a rule is about. */
export const DEFAULT_MIN_RECORDS = 0;

/** What a rule on a query computes for each group. Empty texts stand for what the author leaves out. */
export interface AlertQuery {
  readonly signal: string;
  readonly where: string;
  readonly groupBy: readonly string[];
  /** One function. */
  readonly select: readonly { readonly fn: string; readonly field: string; readonly as: string }[];
}

/** A threshold rule of a Grid (contract §6): on a metric of each service, on error groups, or on a query. */
export type AlertRule = MetricAlertRule | RecordAlertRule;

/** A rule that is evaluated at whole minutes from stored records, not from rollups. */
export type RecordAlertRule = ErrorAlertRule | QueryAlertRule;

export interface MetricAlertRule extends CommonAlertRule {
  readonly metric: ServiceMetric;
  readonly query?: undefined;
}

export interface ErrorAlertRule extends CommonAlertRule {
  readonly metric: typeof NEW_ERRORS;
  readonly query?: undefined;
}

export interface QueryAlertRule extends CommonAlertRule {
  readonly query: AlertQuery;
  readonly metric?: undefined;
}

interface CommonAlertRule {
  readonly id: string;
  readonly name: string;
  readonly operator: AlertOperator;
  /** In the unit of the metric, or of the column of the query. */
  readonly threshold: number;
  readonly severity: Severity;
  /** From this value on, in the direction of the operator, the alert is critical regardless of `severity`. */
  readonly criticalThreshold?: number;
  /** Absent: all services. */
  readonly serviceName?: string;
  readonly windowMinutes: number;
  /** How long the condition must hold before the rule fires; 0: immediately. */
  readonly forMinutes: number;
  /** With fewer requests, or records of a group, in the window the rule is not evaluated. */
  readonly minRequests: number;
  readonly enabled: boolean;
  /** What to do about its alerts. http or https; shown in notifications. */
  readonly runbookUrl?: string;
}

export function isMetricRule(rule: AlertRule): rule is MetricAlertRule {
  return rule.query === undefined && rule.metric !== NEW_ERRORS;
}

export function isErrorRule(rule: AlertRule): rule is ErrorAlertRule {
  return rule.metric === NEW_ERRORS;
}

export function isQueryRule(rule: AlertRule): rule is QueryAlertRule {
  return rule.query !== undefined;
}

export function isRecordRule(rule: AlertRule): rule is RecordAlertRule {
  return isErrorRule(rule) || isQueryRule(rule);
}

const COUNTING_FUNCTIONS: ReadonlySet<string> = new Set(['count', 'rate', 'countDistinct']);

/** Whether the absence of records makes the rule fire: it looks for too few. */
export function firesOnAbsence({ operator, query }: RecordAlertRule): boolean {
  return (operator === '<' || operator === '<=') && query !== undefined && COUNTING_FUNCTIONS.has(query.select[0].fn);
}

/**
 * Result of a rule for one subject at one moment. `value`, rounded for display, is undefined without sufficient data. A
 * subject without an evaluation is not in breach either.
 */
export interface RuleEvaluation extends AlertSubject {
  readonly ruleId: string;
  readonly value: number | undefined;
  /** The condition holds now and held for `forMinutes`. */
  readonly breached: boolean;
  readonly severity: Severity;
}

/** When a rule would have fired. Times in ms; `resolvedAt` is null if it would still fire. */
export interface AlertFiring extends AlertSubject {
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  readonly peakValue: number;
}

export interface Backtest {
  readonly firings: readonly AlertFiring[];
  /** Average number of firings per week of the range. */
  readonly perWeek: number;
  /** Recorded alerts, of any rule, for services in the scope of this rule, during which it would not have fired. */
  readonly missed: readonly AlertRecord[];
}

/** Utilization of a resource of a service, percent. */
export interface Utilization {
  readonly service: string;
  /** Identifies the resource within the service. */
  readonly resource: string;
  readonly utilization: number;
}

/** Data of one minute of a Grid that rules use. */
export interface AlertMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly services: readonly ServiceTotals[];
  readonly utilizations: readonly Utilization[];
}
