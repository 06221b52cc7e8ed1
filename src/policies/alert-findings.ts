import type { Finding, ResolveReason } from '../commands/alerts/decider.js';
import type { AlertRule, RuleEvaluation } from '../diagnostics/alert-rule.js';
import { CLEAR, step, type AlertState } from '../diagnostics/alerting/alert-state.js';
import { conditionOf } from '../diagnostics/alerting/condition.js';
import type { AlertDocument } from '../read-models/alerts.js';

/** When open alerts were first seen clear (ms), by their ids. */
export type ClearSince = ReadonlyMap<string, number>;

/** One look at a Grid. */
export interface Look {
  readonly atMs: number;
  readonly open: readonly AlertDocument[];
  readonly rules: readonly AlertRule[];
  readonly evaluations: readonly RuleEvaluation[];
  /** As the look before left it; nothing after a start: then everything open has been clear for no time yet. */
  readonly clearSince: ClearSince;
}

export interface Findings {
  /** What the log does not say yet; empty most of the time. */
  readonly findings: readonly Finding[];
  readonly clearSince: ClearSince;
}

/** What a look amounts to. Alerts whose rule is gone or says something else end first, and may fire again by the new rule. */
export function findingsOf({ atMs, open, rules, evaluations, clearSince }: Look): Findings {
  const findings: Finding[] = [];
  const remembered = new Map<string, number>();
  const ruleById = new Map(rules.map((rule) => [rule.id, rule]));
  const pairs = new Map<string, Pair>();
  for (const alert of open) {
    const reason = outdated(alert, ruleById.get(alert.ruleId));
    if (reason === undefined) pairs.set(keyOf(alert), { alert });
    else findings.push({ kind: 'over', alertId: alert.id, reason });
  }
  for (const evaluation of evaluations) {
    const rule = ruleById.get(evaluation.ruleId);
    const pair = pairs.get(keyOf(evaluation));
    if (rule?.enabled === true && (evaluation.breached || pair !== undefined)) pairs.set(keyOf(evaluation), { ...pair, rule, evaluation });
  }
  for (const pair of pairs.values()) {
    const { alert } = pair;
    const since = alert && clearSince.get(alert.id);
    const { state, change } = step(stateOf(alert, since), pair.evaluation, atMs);
    const finding = change && findingOf(change, pair);
    if (finding !== undefined) findings.push(finding);
    // Kept until the alert is seen to have ended: an append that fails is repeated, not delayed by another two minutes.
    const kept = change === 'resolved' ? since : state.status === 'firing' ? state.clearSinceMs : undefined;
    if (alert !== undefined && kept !== undefined) remembered.set(alert.id, kept);
  }
  return { findings, clearSince: remembered };
}

/** A rule and a service, with what is known of them. */
interface Pair {
  readonly alert?: AlertDocument;
  readonly rule?: AlertRule;
  readonly evaluation?: RuleEvaluation;
}

function outdated(alert: AlertDocument, rule: AlertRule | undefined): ResolveReason | undefined {
  if (rule === undefined) return 'rule-deleted';
  if (!rule.enabled) return 'rule-disabled';
  const isSame = conditionOf(rule) === alert.condition && (rule.serviceName === undefined || rule.serviceName === alert.serviceName);
  return isSame ? undefined : 'rule-changed';
}

function stateOf(alert: AlertDocument | undefined, clearSinceMs: number | undefined): AlertState {
  if (alert === undefined) return CLEAR;
  return { status: 'firing', severity: alert.severity, ...(clearSinceMs !== undefined && { clearSinceMs }) };
}

function findingOf(change: 'fired' | 'escalated' | 'resolved', { alert, rule, evaluation }: Pair): Finding | undefined {
  if (change === 'resolved') return alert && { kind: 'over', alertId: alert.id, reason: 'cleared' };
  if (rule === undefined || evaluation?.value === undefined) return undefined;
  const { serviceName, severity, value } = evaluation;
  return { kind: 'breached', ruleId: rule.id, ruleName: rule.name, serviceName, condition: conditionOf(rule), severity, value };
}

function keyOf({ ruleId, serviceName }: { readonly ruleId: string; readonly serviceName: string }): string {
  return `${ruleId} ${serviceName}`;
}
