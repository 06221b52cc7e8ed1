import type { Severity } from '../diagnostic-results.js';
import type { AlertRecord } from '../diagnostics-input.js';
import type { ServiceTotals } from '../rollups/rollup-types.js';

export const ALERT_METRICS = [
  'error_rate',
  'latency_avg',
  'latency_p50',
  'latency_p95',
  'latency_p99',
  'apdex',
  'request_rate',
  'pressure',
] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];
export const ALERT_OPERATORS = ['>', '>=', '<', '<='] as const;
export type AlertOperator = (typeof ALERT_OPERATORS)[number];

/**
 * What rules may ask for. A window is an hour at most, and so is the time for which a condition must hold: rules are
 * evaluated up to once a second, and look at all minutes of both.
 */
export const ALERT_RULE_BOUNDS = {
  nameLength: 200,
  serviceNameLength: 1_024,
  windowMinutes: { min: 1, max: 60 },
  forMinutes: { min: 0, max: 60 },
  minRequests: { min: 0, max: 1_000_000_000 },
  rulesOfAGrid: 200,
} as const;

/** What a rule is like where its author does not say (contract §6). */
export const ALERT_RULE_DEFAULTS = { windowMinutes: 15, forMinutes: 0, minRequests: 20, enabled: true };

/** Greatest thresholds that mean anything, in the unit of the metric; the least is 0. */
export const MAX_THRESHOLD: Readonly<Record<AlertMetric, number>> = {
  error_rate: 100,
  latency_avg: 86_400_000,
  latency_p50: 86_400_000,
  latency_p95: 86_400_000,
  latency_p99: 86_400_000,
  apdex: 1,
  request_rate: 1_000_000_000,
  pressure: 1_000,
};

/** A threshold rule of a Grid (contract §6). */
export interface AlertRule {
  readonly id: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  /** Percent, ms, Apdex, requests a second: the unit of the metric. */
  readonly threshold: number;
  readonly severity: Severity;
  /** From this value on, in the direction of the operator, the alert is critical, whatever `severity` says. */
  readonly criticalThreshold?: number;
  /** Absent: every service. */
  readonly serviceName?: string;
  readonly windowMinutes: number;
  /** How long the condition must hold before it fires; 0: at once. */
  readonly forMinutes: number;
  /** Fewer requests in the window are no ground to judge. */
  readonly minRequests: number;
  readonly enabled: boolean;
}

/**
 * What a rule says of one service at one moment. `value`, rounded as answers are, is undefined where there is nothing to
 * judge by. A service that no evaluation speaks of is not breached either.
 */
export interface RuleEvaluation {
  readonly ruleId: string;
  readonly serviceName: string;
  readonly value: number | undefined;
  /** The condition holds, and has held for `forMinutes`. */
  readonly breached: boolean;
  readonly severity: Severity;
}

/** When a rule would have fired. `resolvedAt` is null where it still would. Times in ms. */
export interface AlertFiring {
  readonly serviceName: string;
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  readonly peakValue: number;
}

export interface Backtest {
  readonly firings: readonly AlertFiring[];
  /** As many firings a week as there were in the range. */
  readonly perWeek: number;
  /** Recorded alerts, of whichever rule, of services that this rule is about, during which it would not have fired. */
  readonly missed: readonly AlertRecord[];
}

/** How full a resource of a service was, percent. */
export interface Utilization {
  readonly service: string;
  /** Tells it from other resources of the service. */
  readonly resource: string;
  readonly utilization: number;
}

/** All that rules look at, of one minute of a Grid. */
export interface AlertMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly services: readonly ServiceTotals[];
  readonly utilizations: readonly Utilization[];
}
