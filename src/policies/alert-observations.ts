import type { AlertObservation, ResolveReason } from '../commands/alerts/alert-decider.js';
import type { AlertRule, RuleEvaluation } from '../diagnostics/alerting/alert-rule-model.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from '../diagnostics/alerting/alert-state-machine.js';
import { formatCondition } from '../diagnostics/alerting/alert-condition.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';

/** When open alerts were first observed clear (ms since 1970), by alert id. */
export type ClearSince = ReadonlyMap<string, number>;

/** Input of one poll of a Grid. */
export interface AlertPollInput {
  readonly atMs: number;
  readonly open: readonly AlertDocument[];
  readonly rules: readonly AlertRule[];
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
export function deriveObservations({ atMs, open, rules, evaluations, clearSince }: AlertPollInput): AlertPollOutcome {
  const findings: AlertObservation[] = [];
  const nextClearSince = new Map<string, number>();
  const ruleById = new Map(rules.map((rule) => [rule.id, rule]));
  const candidates = new Map<string, AlertCandidate>();
  for (const alert of open) {
    const reason = findResolveReason(alert, ruleById.get(alert.ruleId));
    if (reason === undefined) candidates.set(alertKey(alert), { alert });
    else findings.push({ kind: 'over', alertId: alert.id, reason });
  }
  for (const evaluation of evaluations) {
    const rule = ruleById.get(evaluation.ruleId);
    const candidate = candidates.get(alertKey(evaluation));
    if (rule?.enabled === true && (evaluation.breached || candidate !== undefined))
      candidates.set(alertKey(evaluation), { ...candidate, rule, evaluation });
  }
  for (const candidate of candidates.values()) {
    const { alert } = candidate;
    const since = alert && clearSince.get(alert.id);
    const { state, change } = advanceAlertState(toAlertState(alert, since), candidate.evaluation, atMs);
    const observation = change && toObservation(change, candidate);
    if (observation !== undefined) findings.push(observation);
    // Kept until the alert is observed to have ended: a failed append is then repeated at once, not after another two
    // minutes.
    const clearTime = change === 'resolved' ? since : state.status === 'firing' ? state.clearSinceMs : undefined;
    if (alert !== undefined && clearTime !== undefined) nextClearSince.set(alert.id, clearTime);
  }
  return { findings, clearSince: nextClearSince };
}

/** The open alert, rule and evaluation for one rule and service. */
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
