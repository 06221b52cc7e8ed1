import {
  ALERT_RULE_BOUNDS,
  isErrorRule,
  isRecordRule,
  type AlertFiring,
  type AlertRule,
  type Backtest,
  type RuleEvaluation,
} from './alert-rule-model.js';
import { subjectKey, type AlertSubject } from './alert-subject.js';
import { compareText } from '../text-order.js';
import type { AlertRecord } from '../diagnostics-input.js';
import { round2 } from '../rounding.js';
import type { TimeWindow } from '../time-windows.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from './alert-lifecycle.js';
import { isUpward } from './rule-condition.js';

const WEEK_MS = 7 * 86_400_000;

interface SubjectProgress {
  readonly subject: AlertSubject;
  readonly state: AlertState;
  /** The current firing, if any. */
  readonly firing: { readonly firedAt: number; readonly peakValue: number } | undefined;
}

/** Records when a rule would have fired, with the lifecycle of live alerts. */
export class BacktestRecorder {
  private readonly progress = new Map<string, SubjectProgress>();
  private readonly firings: AlertFiring[] = [];

  /** `roundValue` rounds a peak for display. */
  constructor(
    private readonly rule: AlertRule,
    private readonly range: TimeWindow,
    private readonly roundValue: (value: number) => number,
  ) {}

  /** Observes all evaluations of one moment; moments ascend. Alerts that are open advance before others fire. */
  observe(evaluations: readonly RuleEvaluation[], atMs: number): void {
    const bySubject = new Map(evaluations.map((evaluation) => [this.toKey(evaluation), evaluation]));
    for (const [key, { subject }] of [...this.progress]) this.advance(key, subject, bySubject.get(key), atMs);
    for (const [key, evaluation] of bySubject)
      if (evaluation.breached && !this.progress.has(key) && this.hasRoom)
        this.advance(key, evaluation, evaluation, atMs);
  }

  /** Completes the recording. `recorded`: alerts open at any time within the range. */
  finish(recorded: readonly AlertRecord[]): Backtest {
    for (const { subject, firing } of this.progress.values()) this.record(subject, firing, null);
    const firings = this.firings.sort((a, b) => a.firedAt - b.firedAt || compareText(this.toKey(a), this.toKey(b)));
    return {
      firings,
      perWeek: firingsPerWeek(firings.length, this.range),
      missed: findMissedAlerts(this.rule, recorded, firings, this.range),
    };
  }

  private toKey(subject: AlertSubject): string {
    return subjectKey(subject, isErrorRule(this.rule));
  }

  private get hasRoom(): boolean {
    return !isRecordRule(this.rule) || this.progress.size < ALERT_RULE_BOUNDS.alertsOfARecordRule;
  }

  private advance(
    key: string,
    { serviceName, labels }: AlertSubject,
    evaluation: RuleEvaluation | undefined,
    atMs: number,
  ): void {
    const subject = { serviceName, ...(labels !== undefined && { labels }) };
    const { state: before, firing } = this.progress.get(key) ?? { state: CLEAR_STATE, firing: undefined };
    const { state, change } = advanceAlertState(before, evaluation, atMs);
    if (change === 'resolved') {
      this.record(subject, firing, atMs);
      this.progress.delete(key);
    } else {
      this.progress.set(key, { subject, state, firing: this.updatePeak(firing, evaluation, atMs) });
    }
  }

  private record(subject: AlertSubject, firing: SubjectProgress['firing'], resolvedAt: number | null): void {
    if (firing === undefined) return;
    this.firings.push({
      ...subject,
      firedAt: firing.firedAt,
      resolvedAt,
      peakValue: this.roundValue(firing.peakValue),
    });
  }

  /** Tracks the worst value while firing. */
  private updatePeak(
    firing: SubjectProgress['firing'],
    evaluation: RuleEvaluation | undefined,
    atMs: number,
  ): SubjectProgress['firing'] {
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

/**
 * A firing that overlaps an alert of the same service counts as the same incident, whichever began first; one without a
 * service, whatever the service of the alert.
 */
function findMissedAlerts(
  rule: AlertRule,
  recorded: readonly AlertRecord[],
  firings: readonly AlertFiring[],
  range: TimeWindow,
): AlertRecord[] {
  return recorded.filter((alert) => {
    const isInScope = rule.serviceName === undefined || rule.serviceName === alert.serviceName;
    if (!isInScope || !isOverlapping(alert, { firedAt: range.fromMs, resolvedAt: range.toMs })) return false;
    return !firings.some(
      (firing) => ['', alert.serviceName].includes(firing.serviceName) && isOverlapping(alert, firing),
    );
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
