import type { RuleEvaluation } from './alert-rule-model.js';
import { isMoreSevere, type Severity } from '../diagnostic-results.js';

/**
 * Contract §5: after firing for a service, a rule must be clear for this long before it resolves and can fire again.
 */
export const RESOLVE_AFTER_MS = 120_000;

/** State of a rule for one service. */
export type AlertState =
  | { readonly status: 'clear' }
  | {
      readonly status: 'firing';
      /** Highest severity since it fired. */
      readonly severity: Severity;
      /** Since when it is no longer in breach, ms; absent while it is. */
      readonly clearSinceMs?: number;
    };

export const CLEAR_STATE: AlertState = { status: 'clear' };

export interface AlertTransition {
  readonly state: AlertState;
  readonly change?: 'fired' | 'escalated' | 'resolved';
}

/** Next state after an evaluation at `atMs`; undefined means that no data of the service indicates a breach. */
export function advanceAlertState(
  state: AlertState,
  evaluation: Pick<RuleEvaluation, 'breached' | 'severity'> | undefined,
  atMs: number,
): AlertTransition {
  if (evaluation?.breached === true) return advanceBreached(state, evaluation.severity);
  if (state.status === 'clear') return { state };
  const { severity } = state;
  // A clock that was set back starts the time again: it must not keep the alert open until it is where it was.
  const clearSinceMs = Math.min(atMs, state.clearSinceMs ?? atMs);
  if (atMs - clearSinceMs >= RESOLVE_AFTER_MS) return { state: CLEAR_STATE, change: 'resolved' };
  return { state: { status: 'firing', severity, clearSinceMs } };
}

function advanceBreached(state: AlertState, severity: Severity): AlertTransition {
  if (state.status === 'clear') return { state: { status: 'firing', severity }, change: 'fired' };
  if (isMoreSevere(severity, state.severity)) return { state: { status: 'firing', severity }, change: 'escalated' };
  return { state: { status: 'firing', severity: state.severity } };
}
