import type { AlertObservation, ResolveReason } from '../commands/alerts/alert-decider.js';
import {
  ALERT_RULE_BOUNDS,
  isErrorRule,
  isRecordRule,
  type AlertRule,
  type RuleEvaluation,
} from '../diagnostics/alerting/alert-rule-model.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from '../diagnostics/alerting/alert-lifecycle.js';
import { subjectKey, type AlertSubject } from '../diagnostics/alerting/alert-subject.js';
import { formatCondition } from '../diagnostics/alerting/rule-condition.js';
import { isErrorCondition } from '../diagnostics/alerting/condition-wording.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';

/** When open alerts were first observed clear (ms since 1970), by alert id. */
export type ClearSince = ReadonlyMap<string, number>;

/** Input of one poll of a Grid. */
export interface AlertPollInput {
  readonly atMs: number;
  readonly open: readonly AlertDocument[];
  /** All rules of the Grid. */
  readonly rules: readonly AlertRule[];
  /** Whether this poll has evaluated a rule; open alerts of other rules stay as they are unless the rule has changed. */
  readonly isEvaluated: (rule: AlertRule) => boolean;
  readonly evaluations: readonly RuleEvaluation[];
  /** Result of the previous poll; empty after a start, so that open alerts count as clear only from now on. */
  readonly clearSince: ClearSince;
}

export interface AlertPollOutcome {
  /** Observations that are not in the log yet; usually empty. */
  readonly findings: readonly AlertObservation[];
  readonly clearSince: ClearSince;
}

/**
 * Derives the observations of one poll. Alerts whose rule was deleted or changed end first, and may fire again under
 * the new rule.
 */
export function deriveObservations({
  atMs,
  open,
  rules,
  isEvaluated,
  evaluations,
  clearSince,
}: AlertPollInput): AlertPollOutcome {
  const findings: AlertObservation[] = [];
  const nextClearSince = new Map<string, number>();
  const ruleById = new Map(rules.map((rule) => [rule.id, rule]));
  const candidates = new Map<string, AlertCandidate>();
  for (const alert of open) {
    const rule = ruleById.get(alert.ruleId);
    const reason = findResolveReason(alert, rule);
    if (reason !== undefined) findings.push({ kind: 'over', alertId: alert.id, reason });
    else if (isEvaluated(rule!)) candidates.set(alertKey(alert), { alert });
  }
  for (const evaluation of evaluations) {
    const rule = ruleById.get(evaluation.ruleId);
    if (rule?.enabled !== true) continue;
    const key = alertKey({ ...evaluation, condition: formatCondition(rule) });
    const candidate = candidates.get(key);
    if (evaluation.breached || candidate !== undefined) candidates.set(key, { ...candidate, rule, evaluation });
  }
  const room = new AlertRoom(candidates.values());
  for (const candidate of candidates.values()) {
    const { alert } = candidate;
    const since = alert && clearSince.get(alert.id);
    const { state, change } = advanceAlertState(toAlertState(alert, since), candidate.evaluation, atMs);
    if (!room.admits(change, candidate)) continue;
    const observation = change && toObservation(change, candidate);
    if (observation !== undefined) findings.push(observation);
    // Kept until the alert is observed to have ended: a failed append is then repeated at once, not after another two
    // minutes.
    const clearTime = change === 'resolved' ? since : state.status === 'firing' ? state.clearSinceMs : undefined;
    if (alert !== undefined && clearTime !== undefined) nextClearSince.set(alert.id, clearTime);
  }
  return { findings, clearSince: nextClearSince };
}

/** The open alert, rule and evaluation for one rule and subject. */
interface AlertCandidate {
  readonly alert?: AlertDocument;
  readonly rule?: AlertRule;
  readonly evaluation?: RuleEvaluation;
}

/** Counts the open alerts of rules on records: at most so many fire, the worst first. Open alerts come before others. */
class AlertRoom {
  private readonly openByRule = new Map<string, number>();

  constructor(candidates: Iterable<AlertCandidate>) {
    for (const { alert } of candidates) if (alert !== undefined) this.count(alert.ruleId, 1);
  }

  /** False if the alert must wait until another one of its rule has ended. */
  admits(change: string | undefined, { alert, rule }: AlertCandidate): boolean {
    if (change === 'resolved' && alert !== undefined) this.count(alert.ruleId, -1);
    if (change !== 'fired' || rule === undefined || !isRecordRule(rule)) return true;
    if ((this.openByRule.get(rule.id) ?? 0) >= ALERT_RULE_BOUNDS.alertsOfARecordRule) return false;
    this.count(rule.id, 1);
    return true;
  }

  private count(ruleId: string, change: number): void {
    this.openByRule.set(ruleId, (this.openByRule.get(ruleId) ?? 0) + change);
  }
}

function findResolveReason(alert: AlertDocument, rule: AlertRule | undefined): ResolveReason | undefined {
  if (rule === undefined) return 'rule-deleted';
  if (!rule.enabled) return 'rule-disabled';
  return formatCondition(rule) === alert.condition && isPossibleSubject(rule, alert) ? undefined : 'rule-changed';
}

/** Whether the rule can have alerts about this subject. */
function isPossibleSubject(rule: AlertRule, alert: AlertSubject): boolean {
  const { serviceName, query } = rule;
  if (serviceName !== undefined && serviceName !== alert.serviceName) return false;
  if (query === undefined) return isErrorRule(rule) === (alert.labels !== undefined);
  const { groupBy } = query;
  if (serviceName === undefined && !groupBy.includes('service') && alert.serviceName !== '') return false;
  return Object.keys(alert.labels ?? {}).every((label) => groupBy.includes(label));
}

function toAlertState(alert: AlertDocument | undefined, clearSinceMs: number | undefined): AlertState {
  if (alert === undefined) return CLEAR_STATE;
  return { status: 'firing', severity: alert.severity, ...(clearSinceMs !== undefined && { clearSinceMs }) };
}

function toObservation(
  change: 'fired' | 'escalated' | 'resolved',
  { alert, rule, evaluation }: AlertCandidate,
): AlertObservation | undefined {
  if (change === 'resolved') return alert && { kind: 'over', alertId: alert.id, reason: 'cleared' };
  if (rule === undefined || evaluation?.value === undefined) return undefined;
  const { serviceName, labels, severity, value } = evaluation;
  return {
    kind: 'breached',
    ruleId: rule.id,
    ruleName: rule.name,
    serviceName,
    ...(labels !== undefined && { labels }),
    condition: formatCondition(rule),
    severity,
    value,
  };
}

function alertKey(alert: AlertSubject & Pick<AlertDocument, 'ruleId' | 'condition'>): string {
  return `${alert.ruleId} ${subjectKey(alert, isErrorCondition(alert.condition))}`;
}
