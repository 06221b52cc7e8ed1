import type { RuleEvaluation } from './alert-rule-model.js';
import { isMoreSevere, type Severity } from '../diagnostic-results.js';

/** Contract §5: a rule fires once for a service until it has been clear for so long. */
export const RESOLVE_AFTER_MS = 120_000;

/** Where a rule stands with one service. */
export type AlertState =
  | { readonly status: 'clear' }
  | {
      readonly status: 'firing';
      /** The worst since it fired. */
      readonly severity: Severity;
      /** Since when it is not breached; absent while it is. */
      readonly clearSinceMs?: number;
    };

export const CLEAR_STATE: AlertState = { status: 'clear' };

export interface AlertTransition {
  readonly state: AlertState;
  readonly change?: 'fired' | 'escalated' | 'resolved';
}

/** What becomes of it when this is seen at `atMs`. No evaluation: nothing bad is known of the service. */
export function advanceAlertState(
  state: AlertState,
  evaluation: Pick<RuleEvaluation, 'breached' | 'severity'> | undefined,
  atMs: number,
): AlertTransition {
  if (evaluation?.breached === true) return advanceBreached(state, evaluation.severity);
  if (state.status === 'clear') return { state };
  const { severity, clearSinceMs = atMs } = state;
  if (atMs - clearSinceMs >= RESOLVE_AFTER_MS) return { state: CLEAR_STATE, change: 'resolved' };
  return { state: { status: 'firing', severity, clearSinceMs } };
}

function advanceBreached(state: AlertState, severity: Severity): AlertTransition {
  if (state.status === 'clear') return { state: { status: 'firing', severity }, change: 'fired' };
  if (isMoreSevere(severity, state.severity)) return { state: { status: 'firing', severity }, change: 'escalated' };
  return { state: { status: 'firing', severity: state.severity } };
}
