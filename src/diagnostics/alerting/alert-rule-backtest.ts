import type { AlertFiring, AlertMinute, AlertRule, Backtest, RuleEvaluation } from './alert-rule-model.js';
import { compareText } from '../text-order.js';
import type { AlertRecord } from '../diagnostics-input.js';
import { round2 } from '../rounding.js';
import { ceilMinute, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from './alert-state-machine.js';
import { isUpward } from './alert-condition.js';
import { AlertRuleEvaluator, requiredWindow, roundMetricValue } from './alert-rule-evaluator.js';

const WEEK_MS = 7 * 86_400_000;

interface ServiceProgress {
  state: AlertState;
  /** The current firing, if any. */
  firing: { firedAt: number; peakValue: number } | undefined;
}

/**
 * Evaluates a rule over past data with the evaluator and state machine of live alerting, at every whole minute of the
 * range, both ends inclusive. Minutes are passed one by one, so that the caller can yield between them; only one rule
 * window of them is kept in memory.
 */
export class BacktestRun {
  /** Window of minutes to pass to `add`. */
  readonly requiredWindow: TimeWindow;
  private readonly range: TimeWindow;
  private readonly evaluator: AlertRuleEvaluator;
  private readonly progressByService = new Map<string, ServiceProgress>();
  private readonly firings: AlertFiring[] = [];
  /** The next moment to evaluate. */
  private momentMs: number;

  /** `range` is widened to whole minutes, but not beyond the last completed one before `nowMs`. */
  constructor(
    private readonly rule: AlertRule,
    range: TimeWindow,
    nowMs: number,
  ) {
    const toMs = Math.min(ceilMinute(range.toMs), floorMinute(nowMs));
    this.range = { fromMs: Math.min(floorMinute(range.fromMs), toMs), toMs };
    this.requiredWindow = { fromMs: requiredWindow(rule, this.range.fromMs).fromMs, toMs };
    this.momentMs = this.range.fromMs - rule.forMinutes * MINUTE_MS;
    this.evaluator = new AlertRuleEvaluator(rule);
  }

  /** Adds the next minute, ascending; minutes without telemetry may be omitted. */
  add(minute: AlertMinute): void {
    this.evaluateUntil(minute.minute * MINUTE_MS);
    if (minute.minute * MINUTE_MS < this.range.toMs) this.evaluator.addMinute(minute);
  }

  /** Completes the run. `recorded`: alerts open at any time within the range. */
  finish(recorded: readonly AlertRecord[]): Backtest {
    this.evaluateUntil(this.range.toMs);
    for (const [serviceName, { firing }] of this.progressByService) this.recordFiring(serviceName, firing, null);
    const firings = this.firings.sort((a, b) => a.firedAt - b.firedAt || compareText(a.serviceName, b.serviceName));
    return {
      firings,
      perWeek: firingsPerWeek(firings.length, this.range),
      missed: findMissedAlerts(this.rule, recorded, firings, this.range),
    };
  }

  /** Evaluates all whole minutes up to this one, the end of the last window without the next minute's data. */
  private evaluateUntil(untilMs: number): void {
    for (; this.momentMs <= Math.min(untilMs, this.range.toMs); this.momentMs += MINUTE_MS) {
      const evaluations = this.evaluator.evaluate(this.momentMs);
      if (this.momentMs >= this.range.fromMs) this.observe(evaluations, this.momentMs);
    }
  }

  private observe(evaluations: readonly RuleEvaluation[], atMs: number): void {
    const silent = new Set(this.progressByService.keys());
    for (const evaluation of evaluations) {
      silent.delete(evaluation.serviceName);
      if (evaluation.breached || this.progressByService.has(evaluation.serviceName))
        this.updateService(evaluation.serviceName, evaluation, atMs);
    }
    for (const serviceName of silent) this.updateService(serviceName, undefined, atMs);
  }

  private updateService(serviceName: string, evaluation: RuleEvaluation | undefined, atMs: number): void {
    const progress = this.progressByService.get(serviceName) ?? { state: CLEAR_STATE, firing: undefined };
    const { state, change } = advanceAlertState(progress.state, evaluation, atMs);
    const { firing } = progress;
    if (change === 'resolved') {
      this.recordFiring(serviceName, firing, atMs);
      this.progressByService.delete(serviceName);
    } else {
      this.progressByService.set(serviceName, { state, firing: this.updatePeak(firing, evaluation, atMs) });
    }
  }

  private recordFiring(serviceName: string, firing: ServiceProgress['firing'], resolvedAt: number | null): void {
    if (firing === undefined) return;
    const peakValue = roundMetricValue(this.rule.metric, firing.peakValue);
    this.firings.push({ serviceName, firedAt: firing.firedAt, resolvedAt, peakValue });
  }

  /** Tracks the worst value while firing. */
  private updatePeak(
    firing: ServiceProgress['firing'],
    evaluation: RuleEvaluation | undefined,
    atMs: number,
  ): ServiceProgress['firing'] {
    const value = evaluation?.breached === true ? evaluation.value : undefined;
    if (value === undefined) return firing;
    if (firing === undefined) return { firedAt: atMs, peakValue: value };
    const worst = isUpward(this.rule.operator) ? Math.max(firing.peakValue, value) : Math.min(firing.peakValue, value);
    return { firedAt: firing.firedAt, peakValue: worst };
  }
}

function firingsPerWeek(firings: number, { fromMs, toMs }: TimeWindow): number {
  return toMs === fromMs ? 0 : round2((firings * WEEK_MS) / (toMs - fromMs));
}

/** A firing that overlaps an alert counts as the same incident, whichever began first. */
function findMissedAlerts(
  rule: AlertRule,
  recorded: readonly AlertRecord[],
  firings: readonly AlertFiring[],
  range: TimeWindow,
): AlertRecord[] {
  return recorded.filter((alert) => {
    const isInScope = rule.serviceName === undefined || rule.serviceName === alert.serviceName;
    if (!isInScope || !isOverlapping(alert, { firedAt: range.fromMs, resolvedAt: range.toMs })) return false;
    return !firings.some((firing) => firing.serviceName === alert.serviceName && isOverlapping(alert, firing));
  });
}

interface AlertInterval {
  readonly firedAt: number;
  /** Absent or null: still open. */
  readonly resolvedAt?: number | null;
}

function isOverlapping(a: AlertInterval, b: AlertInterval): boolean {
  return a.firedAt <= (b.resolvedAt ?? Infinity) && b.firedAt <= (a.resolvedAt ?? Infinity);
}
