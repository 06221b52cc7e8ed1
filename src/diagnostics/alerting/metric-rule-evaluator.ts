import { ALERT_METRIC_DEFINITIONS, type ServiceMetric } from './alert-metrics.js';
import type { AlertMinute, MetricAlertRule, RuleEvaluation } from './alert-rule-model.js';
import { ceilMinute, durationSeconds, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { isConditionMet, severityForValue } from './rule-condition.js';
import { type ServiceWindow, SlidingWindow } from './sliding-windows.js';
import { apdexScore, averageMs, errorRatePercent, percentileMs } from '../request-measures.js';
import { READING_MAX_AGE_MS } from '../pressure/pressure-detection.js';
import { roundTo } from '../rounding.js';

/**
 * Evaluates one rule over time: minutes are added, and the rule is evaluated at whole minutes and finally at any
 * moment. A result depends on the minutes of the window and on the results of the preceding `forMinutes`.
 */
export class MetricRuleEvaluator {
  private readonly window: SlidingWindow;
  /** By service: since when the condition holds without interruption, ms. */
  private since = new Map<string, number>();

  constructor(private readonly rule: MetricAlertRule) {
    this.window = new SlidingWindow(rule);
  }

  /**
   * Adds a minute, ascending. Before `evaluate`, all minutes before the end of its window MUST have been added, and
   * none after it.
   */
  addMinute(minute: AlertMinute): void {
    this.window.addMinute(minute);
  }

  /**
   * Results at `nowMs` for every service with data in the window; values are not rounded. Contract §5: the window
   * starts at a whole minute and ends with the current minute.
   */
  evaluate(nowMs: number): RuleEvaluation[] {
    const { rule, window } = this;
    const range = { fromMs: floorMinute(nowMs - rule.windowMinutes * MINUTE_MS), toMs: ceilMinute(nowMs) };
    window.removeBefore(range.fromMs / MINUTE_MS);
    const previousSince = this.since;
    this.since = new Map();
    const evaluations: RuleEvaluation[] = [];
    for (const [serviceName, service] of window.services) {
      const value = computeMetricValue(rule, service, range, nowMs);
      evaluations.push(this.toEvaluation(serviceName, value, previousSince.get(serviceName) ?? nowMs, nowMs));
    }
    return evaluations;
  }

  private toEvaluation(serviceName: string, value: number | undefined, since: number, nowMs: number): RuleEvaluation {
    const { id: ruleId, operator, threshold, forMinutes, severity } = this.rule;
    if (value === undefined) return { ruleId, serviceName, value, breached: false, severity };
    const isBad = isConditionMet(value, operator, threshold);
    if (isBad) this.since.set(serviceName, since);
    return {
      ruleId,
      serviceName,
      value,
      breached: isBad && nowMs - since >= forMinutes * MINUTE_MS,
      severity: severityForValue(this.rule, value),
    };
  }
}

/** The data that an evaluation at `nowMs` requires. */
export function requiredWindow(
  { windowMinutes, forMinutes }: Pick<MetricAlertRule, 'windowMinutes' | 'forMinutes'>,
  nowMs: number,
): TimeWindow {
  return { fromMs: floorMinute(nowMs - (windowMinutes + forMinutes) * MINUTE_MS), toMs: nowMs };
}

/**
 * Evaluates a rule at `nowMs` for every service with data in its window, or for its own service. The condition must
 * hold at `nowMs` and at every whole minute of the preceding `forMinutes`, each time over the window that ends then.
 * `minutes` ascend and cover `requiredWindow`; those after `nowMs` are ignored.
 */
export function evaluateMetricRule(
  rule: MetricAlertRule,
  minutes: readonly AlertMinute[],
  nowMs: number,
): RuleEvaluation[] {
  const evaluator = new MetricRuleEvaluator(rule);
  let next = 0;
  const evaluateAt = (momentMs: number): RuleEvaluation[] => {
    for (; next < minutes.length && minutes[next].minute * MINUTE_MS < momentMs; next++)
      evaluator.addMinute(minutes[next]);
    return evaluator.evaluate(momentMs);
  };
  const firstMs = rule.forMinutes === 0 ? nowMs : floorMinute(nowMs - rule.forMinutes * MINUTE_MS);
  for (let momentMs = firstMs; momentMs < nowMs; momentMs += MINUTE_MS) evaluateAt(momentMs);
  return addOwnService(rule, evaluateAt(nowMs)).map((evaluation) => roundEvaluation(rule, evaluation));
}

/** Rounds the value for results; comparisons use exact values. */
function roundEvaluation({ metric }: MetricAlertRule, evaluation: RuleEvaluation): RuleEvaluation {
  return evaluation.value === undefined
    ? evaluation
    : { ...evaluation, value: roundMetricValue(metric, evaluation.value) };
}

function addOwnService(
  { id: ruleId, serviceName, severity }: MetricAlertRule,
  evaluations: RuleEvaluation[],
): RuleEvaluation[] {
  if (serviceName === undefined || evaluations.length > 0) return evaluations;
  return [{ ruleId, serviceName, value: undefined, breached: false, severity }];
}

type MetricFormula = (window: ServiceWindow, seconds: number) => number;

/** How each metric is computed; `pressure` comes from readings of resources. */
const METRIC_VALUES: Readonly<Record<Exclude<ServiceMetric, 'pressure'>, MetricFormula>> = {
  error_rate: ({ requests }) => errorRatePercent(requests),
  latency_avg: ({ requests }) => averageMs(requests),
  latency_p50: (window) => percentileMs(window, 50),
  latency_p95: (window) => percentileMs(window, 95),
  latency_p99: (window) => percentileMs(window, 99),
  apdex: ({ requests }) => apdexScore(requests),
  request_rate: ({ requests }, seconds) => requests.count / seconds,
};

/**
 * Value of a rule's metric in one service's window, not rounded. Undefined without sufficient data: fewer requests than
 * the rule requires, none at all, or for pressure no reading within the last 5 minutes, as for /pressure.
 */
function computeMetricValue(
  { metric, minRequests }: Pick<MetricAlertRule, 'metric' | 'minRequests'>,
  window: ServiceWindow,
  range: TimeWindow,
  nowMs: number,
): number | undefined {
  if (metric === 'pressure') return window.utilization(Math.floor((nowMs - READING_MAX_AGE_MS) / MINUTE_MS));
  return window.requests.count >= Math.max(1, minRequests)
    ? METRIC_VALUES[metric](window, durationSeconds(range, nowMs))
    : undefined;
}

export function roundMetricValue(metric: ServiceMetric, value: number): number {
  return roundTo(value, ALERT_METRIC_DEFINITIONS[metric].decimals);
}
