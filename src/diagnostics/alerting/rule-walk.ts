import type { AlertRule, RuleEvaluation } from '../alert-rule.js';
import { ceilMinute, floorMinute, MINUTE_MS } from '../timeframe.js';
import type { AlertMinute } from './alert-minute.js';
import { holds, severityOf } from './condition.js';
import { valueOf } from './metric-value.js';
import { SlidingWindow } from './sliding-window.js';

/**
 * One rule on its way through time: minutes come in, and at moments of whole minutes, and at last at any moment, it is
 * asked what the rule says. What it says at a moment depends on the minutes of the window and on the answers of the
 * `forMinutes` before.
 */
export class RuleWalk {
  private readonly window: SlidingWindow;
  /** Since when the condition holds without a break, by service. */
  private since = new Map<string, number>();

  constructor(private readonly rule: AlertRule) {
    this.window = new SlidingWindow(rule);
  }

  /** In ascending order; all before the end of the window that is asked for next, and none after it. */
  enter(minute: AlertMinute): void {
    this.window.enter(minute);
  }

  /**
   * What the rule says at `nowMs`, of every service with data in the window; values are exact. Contract §5: the window
   * starts at a whole minute, and ends with the minute that runs.
   */
  evaluate(nowMs: number): RuleEvaluation[] {
    const { rule, window } = this;
    const frame = { fromMs: floorMinute(nowMs - rule.windowMinutes * MINUTE_MS), toMs: ceilMinute(nowMs) };
    window.leaveBefore(frame.fromMs / MINUTE_MS);
    const before = this.since;
    this.since = new Map();
    const evaluations: RuleEvaluation[] = [];
    for (const [serviceName, service] of window.services) {
      const value = valueOf(rule, service, frame, nowMs);
      evaluations.push(this.judge(serviceName, value, before.get(serviceName) ?? nowMs, nowMs));
    }
    return evaluations;
  }

  private judge(serviceName: string, value: number | undefined, since: number, nowMs: number): RuleEvaluation {
    const { id: ruleId, operator, threshold, forMinutes, severity } = this.rule;
    if (value === undefined) return { ruleId, serviceName, value, breached: false, severity };
    const isBad = holds(value, operator, threshold);
    if (isBad) this.since.set(serviceName, since);
    return {
      ruleId,
      serviceName,
      value,
      breached: isBad && nowMs - since >= forMinutes * MINUTE_MS,
      severity: severityOf(this.rule, value),
    };
  }
}
