import type { AlertObservation, ResolveReason } from '../commands/alerts/alert-decider.js';
import type { AlertRule, RuleEvaluation } from '../diagnostics/alerting/alert-rule-model.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from '../diagnostics/alerting/alert-state-machine.js';
import { formatCondition } from '../diagnostics/alerting/alert-condition.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';

/** When open alerts were first seen clear (ms), by their ids. */
export type ClearSince = ReadonlyMap<string, number>;

/** One look at a Grid. */
export interface AlertPollInput {
  readonly atMs: number;
  readonly open: readonly AlertDocument[];
  readonly rules: readonly AlertRule[];
  readonly evaluations: readonly RuleEvaluation[];
  /** As the look before left it; nothing after a start: then everything open has been clear for no time yet. */
  readonly clearSince: ClearSince;
}

export interface AlertPollOutcome {
  /** What the log does not say yet; empty most of the time. */
  readonly findings: readonly AlertObservation[];
  readonly clearSince: ClearSince;
}

/** What a look amounts to. Alerts whose rule is gone or says something else end first, and may fire again by the new rule. */
export function deriveObservations({ atMs, open, rules, evaluations, clearSince }: AlertPollInput): AlertPollOutcome {
  const findings: AlertObservation[] = [];
  const remembered = new Map<string, number>();
  const ruleById = new Map(rules.map((rule) => [rule.id, rule]));
  const pairs = new Map<string, AlertCandidate>();
  for (const alert of open) {
    const reason = findResolveReason(alert, ruleById.get(alert.ruleId));
    if (reason === undefined) pairs.set(alertKey(alert), { alert });
    else findings.push({ kind: 'over', alertId: alert.id, reason });
  }
  for (const evaluation of evaluations) {
    const rule = ruleById.get(evaluation.ruleId);
    const pair = pairs.get(alertKey(evaluation));
    if (rule?.enabled === true && (evaluation.breached || pair !== undefined))
      pairs.set(alertKey(evaluation), { ...pair, rule, evaluation });
  }
  for (const pair of pairs.values()) {
    const { alert } = pair;
    const since = alert && clearSince.get(alert.id);
    const { state, change } = advanceAlertState(toAlertState(alert, since), pair.evaluation, atMs);
    const finding = change && toObservation(change, pair);
    if (finding !== undefined) findings.push(finding);
    // Kept until the alert is seen to have ended: an append that fails is repeated, not delayed by another two minutes.
    const kept = change === 'resolved' ? since : state.status === 'firing' ? state.clearSinceMs : undefined;
    if (alert !== undefined && kept !== undefined) remembered.set(alert.id, kept);
  }
  return { findings, clearSince: remembered };
}

/** A rule and a service, with what is known of them. */
interface AlertCandidate {
  readonly alert?: AlertDocument;
  readonly rule?: AlertRule;
  readonly evaluation?: RuleEvaluation;
}

function findResolveReason(alert: AlertDocument, rule: AlertRule | undefined): ResolveReason | undefined {
  if (rule === undefined) return 'rule-deleted';
  if (!rule.enabled) return 'rule-disabled';
  const isSame =
    formatCondition(rule) === alert.condition &&
    (rule.serviceName === undefined || rule.serviceName === alert.serviceName);
  return isSame ? undefined : 'rule-changed';
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
  const { serviceName, severity, value } = evaluation;
  return {
    kind: 'breached',
    ruleId: rule.id,
    ruleName: rule.name,
    serviceName,
    condition: formatCondition(rule),
    severity,
    value,
  };
}

function alertKey({ ruleId, serviceName }: { readonly ruleId: string; readonly serviceName: string }): string {
  return `${ruleId} ${serviceName}`;
}
