import { isErrorRule, type RecordAlertRule, type RuleEvaluation } from './alert-rule-model.js';
import { subjectKey, type AlertSubject } from './alert-subject.js';
import { compareText } from '../text-order.js';
import { MINUTE_MS } from '../time-windows.js';
import { isConditionMet, isUpward, severityForValue } from './rule-condition.js';

/**
 * A minute is evaluated so long (ms) after it has ended: SDKs send batches every 5 s. Records that arrive later count in
 * later windows, and in backtests.
 */
export const EVALUATION_DELAY_MS = 10_000;

/** What a rule finds of one group over the window that ends at a moment. */
export interface RuleReading extends AlertSubject {
  /** Records of the group in the window. */
  readonly records: number;
  /** Undefined: there is nothing to aggregate. */
  readonly value: number | undefined;
}

/**
 * Evaluates a rule on records at whole minutes. Live alerting and backtests evaluate the same moments, each from the
 * readings of the preceding `forMinutes` and its own, so that they come to the same results.
 */
export class RecordRuleEvaluator {
  /** By subject: since when the condition holds without interruption, ms. */
  private since = new Map<string, number>();

  constructor(private readonly rule: RecordAlertRule) {}

  /**
   * The groups in breach at a moment, the worst value first: a group without an evaluation is not in breach. Moments MUST
   * be passed minute by minute.
   */
  evaluate(readings: readonly RuleReading[], momentMs: number): BreachedGroup[] {
    const previous = this.since;
    this.since = new Map();
    const direction = isUpward(this.rule.operator) ? -1 : 1;
    return readings
      .flatMap((reading) => this.evaluateGroup(reading, previous, momentMs) ?? [])
      .sort((a, b) => direction * (a.value - b.value) || compareText(this.toKey(a), this.toKey(b)));
  }

  private evaluateGroup(
    { records, value, serviceName, labels }: RuleReading,
    previous: ReadonlyMap<string, number>,
    momentMs: number,
  ): BreachedGroup | undefined {
    const { id: ruleId, operator, threshold, forMinutes, minRequests } = this.rule;
    if (value === undefined || records < minRequests || !isConditionMet(value, operator, threshold)) return undefined;
    const subject = { serviceName, ...(labels !== undefined && { labels }) };
    const key = this.toKey(subject);
    const since = previous.get(key) ?? momentMs;
    this.since.set(key, since);
    if (momentMs - since < forMinutes * MINUTE_MS) return undefined;
    return { ruleId, ...subject, value, breached: true, severity: severityForValue(this.rule, value) };
  }

  private toKey(subject: AlertSubject): string {
    return subjectKey(subject, isErrorRule(this.rule));
  }
}

type BreachedGroup = RuleEvaluation & { readonly value: number };

/** Rounds a value for display: counts stay exact. */
export function roundRecordValue(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.abs(value) >= 1 ? Math.round(value * 1e4) / 1e4 : Number(value.toPrecision(4));
}
