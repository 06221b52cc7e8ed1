import type { AlertObservation, ResolveReason } from '../commands/alerts/alert-decider.js';
import { advanceAlertState, CLEAR_STATE } from '../diagnostics/alerting/alert-lifecycle.js';
import { formatBurnRateCondition } from '../diagnostics/slos/burn-rate.js';
import type { SloAssessment } from '../diagnostics/slos/slo-assessment.js';
import type { Slo } from '../diagnostics/slos/slo-model.js';
import { round2 } from '../diagnostics/rounding.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';

/** Input of one evaluation of an objective. */
export interface BurnRateInput {
  readonly atMs: number;
  /** Open alerts of the objective. */
  readonly open: readonly AlertDocument[];
  readonly slo: Slo;
  /** Undefined if the objective could not be counted: its alert stays as it is, and is not clear. */
  readonly assessment: SloAssessment | undefined;
  /** When open alerts were first observed clear (ms since 1970), by alert id; updated. */
  readonly clearSince: Map<string, number>;
}

/**
 * Derives the observations of one evaluation that are not in the log yet. An objective has one alert at a time: a ticket
 * that becomes a page changes its severity. It ends when no rule has been exceeded for two minutes, which is soon after the
 * short window is clear, or when the alerts of the objective were switched off, or it concerns another service.
 */
export function deriveBurnRateObservations({
  atMs,
  open,
  slo,
  assessment,
  clearSince,
}: BurnRateInput): AlertObservation[] {
  const findings: AlertObservation[] = [];
  let lasting: AlertDocument | undefined;
  for (const alert of open) {
    const reason = findEndReason(alert, slo);
    if (reason === undefined) lasting = alert;
    else findings.push({ kind: 'over', alertId: alert.id, reason });
  }
  if (assessment === undefined && lasting !== undefined) clearSince.delete(lasting.id);
  const finding = assessment && slo.alerts ? observe(assessment, lasting, atMs, clearSince) : undefined;
  return finding === undefined ? findings : [...findings, finding];
}

function findEndReason({ serviceName }: AlertDocument, slo: Slo): ResolveReason | undefined {
  if (!slo.alerts) return 'rule-disabled';
  return serviceName === slo.indicator.serviceName ? undefined : 'rule-changed';
}

function observe(
  { slo, breach }: SloAssessment,
  alert: AlertDocument | undefined,
  atMs: number,
  clearSince: Map<string, number>,
): AlertObservation | undefined {
  const since = alert && clearSince.get(alert.id);
  const before =
    alert === undefined
      ? CLEAR_STATE
      : ({ status: 'firing', severity: alert.severity, ...(since !== undefined && { clearSinceMs: since }) } as const);
  const evaluation = breach && { breached: true, severity: breach.rule.severity };
  const { state, change } = advanceAlertState(before, evaluation, atMs);
  if (alert !== undefined) {
    if (state.status === 'firing' && state.clearSinceMs !== undefined) clearSince.set(alert.id, state.clearSinceMs);
    else if (change !== 'resolved') clearSince.delete(alert.id);
  }
  if (change === undefined) return undefined;
  if (change === 'resolved') return alert && { kind: 'over', alertId: alert.id, reason: 'cleared' };
  return (
    breach && {
      kind: 'breached',
      ruleId: slo.id,
      ruleName: slo.name,
      // Empty for a query: no service in particular.
      serviceName: slo.indicator.serviceName,
      condition: formatBurnRateCondition(breach.rule),
      severity: breach.rule.severity,
      value: round2(breach.burnRate),
    }
  );
}
