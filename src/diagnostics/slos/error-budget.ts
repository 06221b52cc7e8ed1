import type { EventCounts } from './slo-model.js';

/** Relative error of rates and budgets that are computed from a percentage such as 99.9. */
export const ROUNDING_ERROR = 1e-9;
/** Significant digits that survive arithmetic on percentages. */
export const PERCENT_DIGITS = 12;

/** The percentage of bad events that an objective allows, without the error of the subtraction: 0.1 for 99.9. */
export function findAllowedPercent(objective: number): number {
  return Number((100 - objective).toPrecision(PERCENT_DIGITS));
}

export interface ErrorBudget {
  /** Bad events that the objective allows among the events of the window so far; may be fractional. */
  readonly total: number;
  /** Bad events. */
  readonly consumed: number;
  /** Negative if the objective is missed. */
  readonly remaining: number;
  /** Share of `total` that remains; 100 without events. */
  readonly remainingPercent: number;
}

/** Error budget: (1 − objective) × all events of the window (the workbook, chapter 2). */
export function computeErrorBudget({ good, total }: EventCounts, objective: number): ErrorBudget {
  const allowed = (total * findAllowedPercent(objective)) / 100;
  const consumed = total - good;
  const remaining = allowed - consumed;
  return {
    total: allowed,
    consumed,
    remaining,
    remainingPercent: total === 0 ? 100 : (remaining / allowed) * 100,
  };
}

/** Whether no more events are bad than the objective allows; true without events. */
export function isWithinBudget({ total, remaining }: Pick<ErrorBudget, 'total' | 'remaining'>): boolean {
  return remaining >= -ROUNDING_ERROR * total;
}
