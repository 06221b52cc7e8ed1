import type { AlertMetric, AlertMinute, AlertRule, RuleEvaluation } from './alert-rule-model.js';
import { ceilMinute, durationSeconds, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { isConditionMet, severityForValue } from './alert-condition.js';
import { type ServiceWindow, SlidingWindow } from './sliding-windows.js';
import { apdexScore, averageMs, errorRatePercent, percentileMs } from '../request-measures.js';
import { READING_MAX_AGE_MS } from '../pressure/pressure-detection.js';
import { round2, round3 } from '../rounding.js';

/**
 * One rule on its way through time: minutes come in, and at moments of whole minutes, and at last at any moment, it is
 * asked what the rule says. What it says at a moment depends on the minutes of the window and on the answers of the
 * `forMinutes` before.
 */
export class AlertRuleEvaluator {
  private readonly window: SlidingWindow;
  /** Since when the condition holds without a break, by service. */
  private since = new Map<string, number>();

  constructor(private readonly rule: AlertRule) {
    this.window = new SlidingWindow(rule);
  }

  /** In ascending order; all before the end of the window that is asked for next, and none after it. */
  addMinute(minute: AlertMinute): void {
    this.window.addMinute(minute);
  }

  /**
   * What the rule says at `nowMs`, of every service with data in the window; values are exact. Contract §5: the window
   * starts at a whole minute, and ends with the minute that runs.
   */
  evaluate(nowMs: number): RuleEvaluation[] {
    const { rule, window } = this;
    const frame = { fromMs: floorMinute(nowMs - rule.windowMinutes * MINUTE_MS), toMs: ceilMinute(nowMs) };
    window.removeBefore(frame.fromMs / MINUTE_MS);
    const before = this.since;
    this.since = new Map();
    const evaluations: RuleEvaluation[] = [];
    for (const [serviceName, service] of window.services) {
      const value = computeMetricValue(rule, service, frame, nowMs);
      evaluations.push(this.toEvaluation(serviceName, value, before.get(serviceName) ?? nowMs, nowMs));
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

/** How much of the past an evaluation at `nowMs` looks at. */
export function requiredWindow(
  { windowMinutes, forMinutes }: Pick<AlertRule, 'windowMinutes' | 'forMinutes'>,
  nowMs: number,
): TimeWindow {
  return { fromMs: floorMinute(nowMs - (windowMinutes + forMinutes) * MINUTE_MS), toMs: nowMs };
}

/**
 * What a rule says now: of every service with data in its window, or of its own service. The condition must hold at
 * `nowMs` and at every whole minute of the `forMinutes` before, each time over the window that ends then.
 * `minutes` ascend and go back as far as `neededBy` says; those after `nowMs` are passed by.
 */
export function evaluateAlertRule(rule: AlertRule, minutes: readonly AlertMinute[], nowMs: number): RuleEvaluation[] {
  const walk = new AlertRuleEvaluator(rule);
  let next = 0;
  const at = (momentMs: number): RuleEvaluation[] => {
    for (; next < minutes.length && minutes[next].minute * MINUTE_MS < momentMs; next++) walk.addMinute(minutes[next]);
    return walk.evaluate(momentMs);
  };
  const firstMs = rule.forMinutes === 0 ? nowMs : floorMinute(nowMs - rule.forMinutes * MINUTE_MS);
  for (let momentMs = firstMs; momentMs < nowMs; momentMs += MINUTE_MS) at(momentMs);
  return addOwnService(rule, at(nowMs)).map((evaluation) => roundEvaluation(rule, evaluation));
}

/** Compared exactly, told rounded. */
function roundEvaluation({ metric }: AlertRule, evaluation: RuleEvaluation): RuleEvaluation {
  return evaluation.value === undefined
    ? evaluation
    : { ...evaluation, value: roundMetricValue(metric, evaluation.value) };
}

function addOwnService(
  { id: ruleId, serviceName, severity }: AlertRule,
  evaluations: RuleEvaluation[],
): RuleEvaluation[] {
  if (serviceName === undefined || evaluations.length > 0) return evaluations;
  return [{ ruleId, serviceName, value: undefined, breached: false, severity }];
}

type MetricFormula = (window: ServiceWindow, seconds: number) => number;

const METRIC_VALUES: Readonly<Record<Exclude<AlertMetric, 'pressure'>, MetricFormula>> = {
  error_rate: ({ requests }) => errorRatePercent(requests),
  latency_avg: ({ requests }) => averageMs(requests),
  latency_p50: (window) => percentileMs(window, 50),
  latency_p95: (window) => percentileMs(window, 95),
  latency_p99: (window) => percentileMs(window, 99),
  apdex: ({ requests }) => apdexScore(requests),
  request_rate: ({ requests }, seconds) => requests.count / seconds,
};

/**
 * The metric of a rule over one service's window, not rounded. Undefined without ground to judge by: fewer requests than
 * the rule wants, none at all, or for pressure no reading of the last 5 minutes, as /pressure has it. No data is not bad.
 */
function computeMetricValue(
  { metric, minRequests }: Pick<AlertRule, 'metric' | 'minRequests'>,
  window: ServiceWindow,
  frame: TimeWindow,
  nowMs: number,
): number | undefined {
  if (metric === 'pressure') return window.utilization(Math.floor((nowMs - READING_MAX_AGE_MS) / MINUTE_MS));
  return window.requests.count >= Math.max(1, minRequests)
    ? METRIC_VALUES[metric](window, durationSeconds(frame, nowMs))
    : undefined;
}

export function roundMetricValue(metric: AlertMetric, value: number): number {
  return metric === 'apdex' ? round3(value) : round2(value);
}
