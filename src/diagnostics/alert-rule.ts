import type { Severity } from './answers.js';

export const ALERT_METRICS = ['error_rate', 'latency_avg', 'latency_p50', 'latency_p95', 'latency_p99', 'apdex', 'request_rate', 'pressure'] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

export const ALERT_OPERATORS = ['>', '>=', '<', '<='] as const;
export type AlertOperator = (typeof ALERT_OPERATORS)[number];

/** A threshold rule of a Grid (contract §6). */
export interface AlertRule {
  readonly id: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  /** Percent, ms, Apdex, requests a second: the unit of the metric. */
  readonly threshold: number;
  readonly severity: Severity;
  /** From this value on the alert is critical, whatever `severity` says; only the default rules have it. */
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

/** What a rule says of one service at one moment. `value` is undefined where there is nothing to judge by. */
export interface RuleEvaluation {
  readonly ruleId: string;
  readonly serviceName: string;
  readonly value: number | undefined;
  /** The condition holds, and has held for `forMinutes`. */
  readonly breached: boolean;
  readonly severity: Severity;
}

/** When a rule would have fired. `resolvedAt` is null where it still would. Times in ms. */
export interface Firing {
  readonly serviceName: string;
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  readonly peakValue: number;
}

export interface Backtest {
  readonly firings: readonly Firing[];
  readonly perWeek: number;
}
