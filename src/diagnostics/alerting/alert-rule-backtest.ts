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
  /** The firing under way. */
  firing: { firedAt: number; peakValue: number } | undefined;
}

/**
 * A rule over the past, by the evaluator and the states of the live one: at every whole minute of the range, both ends
 * included, it is asked what it says. Minutes are given one after the other, so that who reads them can give way between,
 * and no more than a window of them is kept.
 */
export class BacktestRun {
  /** Of which minutes it wants to know. */
  readonly needs: TimeWindow;
  private readonly range: TimeWindow;
  private readonly walk: AlertRuleEvaluator;
  private readonly courses = new Map<string, ServiceProgress>();
  private readonly firings: AlertFiring[] = [];
  /** The moment to evaluate next. */
  private momentMs: number;

  /** `range` ends now at the latest; it is widened to whole minutes, but not past the last one that is over. */
  constructor(
    private readonly rule: AlertRule,
    range: TimeWindow,
    nowMs: number,
  ) {
    const toMs = Math.min(ceilMinute(range.toMs), floorMinute(nowMs));
    this.range = { fromMs: Math.min(floorMinute(range.fromMs), toMs), toMs };
    this.needs = { fromMs: requiredWindow(rule, this.range.fromMs).fromMs, toMs };
    this.momentMs = this.range.fromMs - rule.forMinutes * MINUTE_MS;
    this.walk = new AlertRuleEvaluator(rule);
  }

  /** Minutes in ascending order; a minute without telemetry may be left out. */
  add(minute: AlertMinute): void {
    this.evaluateUntil(minute.minute * MINUTE_MS);
    if (minute.minute * MINUTE_MS < this.range.toMs) this.walk.addMinute(minute);
  }

  /** `recorded`: alerts that were open at some time of the range. */
  finish(recorded: readonly AlertRecord[]): Backtest {
    this.evaluateUntil(this.range.toMs);
    for (const [serviceName, { firing }] of this.courses) this.recordFiring(serviceName, firing, null);
    const firings = this.firings.sort((a, b) => a.firedAt - b.firedAt || compareText(a.serviceName, b.serviceName));
    return {
      firings,
      perWeek: firingsPerWeek(firings.length, this.range),
      missed: findMissedAlerts(this.rule, recorded, firings, this.range),
    };
  }

  /** Evaluates all whole minutes up to this one: it ends the last window that what comes next has no part in. */
  private evaluateUntil(untilMs: number): void {
    for (; this.momentMs <= Math.min(untilMs, this.range.toMs); this.momentMs += MINUTE_MS) {
      const evaluations = this.walk.evaluate(this.momentMs);
      if (this.momentMs >= this.range.fromMs) this.observe(evaluations, this.momentMs);
    }
  }

  private observe(evaluations: readonly RuleEvaluation[], atMs: number): void {
    const silent = new Set(this.courses.keys());
    for (const evaluation of evaluations) {
      silent.delete(evaluation.serviceName);
      if (evaluation.breached || this.courses.has(evaluation.serviceName))
        this.updateService(evaluation.serviceName, evaluation, atMs);
    }
    for (const serviceName of silent) this.updateService(serviceName, undefined, atMs);
  }

  private updateService(serviceName: string, evaluation: RuleEvaluation | undefined, atMs: number): void {
    const course = this.courses.get(serviceName) ?? { state: CLEAR_STATE, firing: undefined };
    const { state, change } = advanceAlertState(course.state, evaluation, atMs);
    const { firing } = course;
    if (change === 'resolved') {
      this.recordFiring(serviceName, firing, atMs);
      this.courses.delete(serviceName);
    } else {
      this.courses.set(serviceName, { state, firing: this.updatePeak(firing, evaluation, atMs) });
    }
  }

  private recordFiring(serviceName: string, firing: ServiceProgress['firing'], resolvedAt: number | null): void {
    if (firing === undefined) return;
    const peakValue = roundMetricValue(this.rule.metric, firing.peakValue);
    this.firings.push({ serviceName, firedAt: firing.firedAt, resolvedAt, peakValue });
  }

  /** The worst value while it fires. */
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

/** A firing that overlaps an alert tells of the same incident, whichever of the two came first. */
function findMissedAlerts(
  rule: AlertRule,
  recorded: readonly AlertRecord[],
  firings: readonly AlertFiring[],
  range: TimeWindow,
): AlertRecord[] {
  return recorded.filter((alert) => {
    const isConcerned = rule.serviceName === undefined || rule.serviceName === alert.serviceName;
    if (!isConcerned || !isOverlapping(alert, { firedAt: range.fromMs, resolvedAt: range.toMs })) return false;
    return !firings.some((firing) => firing.serviceName === alert.serviceName && isOverlapping(alert, firing));
  });
}

interface AlertInterval {
  readonly firedAt: number;
  /** Absent or null: it goes on. */
  readonly resolvedAt?: number | null;
}

function isOverlapping(a: AlertInterval, b: AlertInterval): boolean {
  return a.firedAt <= (b.resolvedAt ?? Infinity) && b.firedAt <= (a.resolvedAt ?? Infinity);
}
