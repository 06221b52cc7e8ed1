import type { AlertMinute, Backtest, MetricAlertRule } from './alert-rule-model.js';
import type { AlertRecord } from '../diagnostics-input.js';
import { ceilMinute, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { MetricRuleEvaluator, requiredWindow, roundMetricValue } from './metric-rule-evaluator.js';
import { BacktestRecorder } from './backtest-recorder.js';

/** A range widened to whole minutes, but not beyond the last completed one before `nowMs`. */
export function widenBacktestRange(range: TimeWindow, nowMs: number): TimeWindow {
  const toMs = Math.min(ceilMinute(range.toMs), floorMinute(nowMs));
  return { fromMs: Math.min(floorMinute(range.fromMs), toMs), toMs };
}

/**
 * Evaluates a rule over past data with the evaluator and the lifecycle of live alerts, at every whole minute of the
 * range, both ends inclusive. Minutes are passed one by one, so that the caller can yield between them; only one rule
 * window of them is kept in memory.
 */
export class BacktestRun {
  /** Window of minutes to pass to `add`. */
  readonly requiredWindow: TimeWindow;
  private readonly range: TimeWindow;
  private readonly evaluator: MetricRuleEvaluator;
  private readonly recorder: BacktestRecorder;
  /** The next moment to evaluate. */
  private momentMs: number;

  constructor(rule: MetricAlertRule, range: TimeWindow, nowMs: number) {
    this.range = widenBacktestRange(range, nowMs);
    this.requiredWindow = { fromMs: requiredWindow(rule, this.range.fromMs).fromMs, toMs: this.range.toMs };
    this.momentMs = this.range.fromMs - rule.forMinutes * MINUTE_MS;
    this.evaluator = new MetricRuleEvaluator(rule);
    this.recorder = new BacktestRecorder(rule, this.range, (value) => roundMetricValue(rule.metric, value));
  }

  /** Adds the next minute, ascending; minutes without telemetry may be omitted. */
  add(minute: AlertMinute): void {
    this.evaluateUntil(minute.minute * MINUTE_MS);
    if (minute.minute * MINUTE_MS < this.range.toMs) this.evaluator.addMinute(minute);
  }

  /** Completes the run. `recorded`: alerts open at any time within the range. */
  finish(recorded: readonly AlertRecord[]): Backtest {
    this.evaluateUntil(this.range.toMs);
    return this.recorder.finish(recorded);
  }

  /** Evaluates all whole minutes up to this one, the end of the last window without the next minute's data. */
  private evaluateUntil(untilMs: number): void {
    for (; this.momentMs <= Math.min(untilMs, this.range.toMs); this.momentMs += MINUTE_MS) {
      const evaluations = this.evaluator.evaluate(this.momentMs);
      if (this.momentMs >= this.range.fromMs) this.recorder.observe(evaluations, this.momentMs);
    }
  }
}
