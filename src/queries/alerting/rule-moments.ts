import type { RecordAlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import type { RuleReading } from '../../diagnostics/alerting/record-rule-evaluator.js';

/** Moments at which a rule is evaluated. */
export interface RuleMoments<Rule extends RecordAlertRule> {
  readonly gridId: string;
  readonly rule: Rule;
  /** Whole minutes, both included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The moments are past, and the rule may be none of the Grid: nothing is kept for the next evaluation. */
  readonly isBacktest?: boolean;
}

/** Receives what a rule finds at a moment. */
export type VisitMoment = (readings: readonly RuleReading[], atMs: number) => void;
