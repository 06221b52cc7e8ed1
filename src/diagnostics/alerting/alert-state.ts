import type { RuleEvaluation } from '../alert-rule.js';
import type { Severity } from '../answers.js';
import { isWorse } from '../severity.js';

/** Contract §5: a rule fires once for a service until it has been clear for so long. */
export const CLEAR_MS = 120_000;

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

export const CLEAR: AlertState = { status: 'clear' };

export interface Step {
  readonly state: AlertState;
  readonly change?: 'fired' | 'escalated' | 'resolved';
}

/** What becomes of it when this is seen at `atMs`. No evaluation: nothing bad is known of the service. */
export function step(state: AlertState, evaluation: Pick<RuleEvaluation, 'breached' | 'severity'> | undefined, atMs: number): Step {
  if (evaluation?.breached === true) return breached(state, evaluation.severity);
  if (state.status === 'clear') return { state };
  const { severity, clearSinceMs = atMs } = state;
  if (atMs - clearSinceMs >= CLEAR_MS) return { state: CLEAR, change: 'resolved' };
  return { state: { status: 'firing', severity, clearSinceMs } };
}

function breached(state: AlertState, severity: Severity): Step {
  if (state.status === 'clear') return { state: { status: 'firing', severity }, change: 'fired' };
  if (isWorse(severity, state.severity)) return { state: { status: 'firing', severity }, change: 'escalated' };
  return { state: { status: 'firing', severity: state.severity } };
}
