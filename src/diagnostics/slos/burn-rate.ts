import type { Severity } from '../diagnostic-results.js';
import type { EventCounts, Slo } from './slo-model.js';

/** Windows of burn rates, in minutes. */
export const BURN_WINDOWS = { '5m': 5, '30m': 30, '1h': 60, '6h': 360, '3d': 4_320 } as const;
export type BurnWindow = keyof typeof BURN_WINDOWS;
/** Events by window, up to one moment. */
export type BurnCounts = Readonly<Record<BurnWindow, EventCounts>>;

/** Fires when the burn rate exceeds the factor over the long window and still does over the short one. */
export interface BurnRateRule {
  readonly severity: Severity;
  readonly factor: number;
  readonly long: BurnWindow;
  readonly short: BurnWindow;
}

const MINUTES_PER_DAY = 1_440;

/** When an alert fires, as percent of the budget that is spent within the long window. Most urgent first. */
const SPENT_BUDGETS = [
  { severity: 'critical', percent: 2, long: '1h', short: '5m' },
  { severity: 'critical', percent: 5, long: '6h', short: '30m' },
  { severity: 'warning', percent: 10, long: '3d', short: '6h' },
] as const;

/**
 * Multiwindow, multi-burn-rate alerts with the parameters that The Site Reliability Workbook (Google, 2018, chapter 5,
 * tables 5-4 and 5-8) recommends: page when 2 % of the budget is used within an hour, or 5 % within six hours; ticket when
 * 10 % is used within three days. Of 30 days these are the factors 14.4, 6 and 1; those of shorter windows are lower,
 * since an hour is more of them. None is below 1: at 1 the budget lasts, which is nothing to report. The short window, a
 * twelfth of the long one, ends the alert soon after the errors end. Most urgent first.
 * @param windowDays length of the window of the objective
 */
export function findBurnRateRules(windowDays: number): readonly BurnRateRule[] {
  return SPENT_BUDGETS.map(({ percent, severity, long, short }) => {
    const factor = (percent * windowDays * MINUTES_PER_DAY) / BURN_WINDOWS[long] / 100;
    return { severity, factor: Math.max(1, Number(factor.toPrecision(PERCENT_DIGITS))), long, short };
  });
}

/**
 * With fewer events in the long window a rule does not fire: one failure of a few requests would exceed any factor (the
 * workbook, chapter 5, “Low-Traffic Services”). As many as an alert rule needs by default.
 */
export const MIN_BURN_EVENTS = 20;

/** Relative error of rates and budgets that are computed from a percentage such as 99.9. */
const ROUNDING_ERROR = 1e-9;
const PERCENT_DIGITS = 12;

/** The percentage of bad events that an objective allows, without the error of the subtraction: 0.1 for 99.9. */
function findAllowedPercent(objective: number): number {
  return Number((100 - objective).toPrecision(PERCENT_DIGITS));
}

/**
 * How fast the error budget is used: the share of bad events divided by the share that the objective allows (the
 * workbook, chapter 5). 1 uses up the budget exactly by the end of the window. 0 without events. In this order each step
 * is monotone when rounded: a bad event never lowers the result, a good one never raises it.
 * @param objective percent
 */
export function computeBurnRate({ good, total }: EventCounts, objective: number): number {
  return total === 0 ? 0 : (((total - good) / total) * 100) / findAllowedPercent(objective);
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

/** A rule that is exceeded, with the burn rate over its long window. */
export interface BurnRateBreach {
  readonly rule: BurnRateRule;
  readonly burnRate: number;
}

/** The most urgent rule that is exceeded. */
export function findBurnRateBreach(
  counts: BurnCounts,
  { objective, windowDays }: Pick<Slo, 'objective' | 'windowDays'>,
): BurnRateBreach | undefined {
  for (const rule of findBurnRateRules(windowDays)) {
    const burnRate = computeBurnRate(counts[rule.long], objective);
    const limit = rule.factor * (1 + ROUNDING_ERROR);
    const isExceeded = burnRate > limit && computeBurnRate(counts[rule.short], objective) > limit;
    if (isExceeded && counts[rule.long].total >= MIN_BURN_EVENTS) return { rule, burnRate };
  }
  return undefined;
}

const CONDITION_START = 'burn_rate > ';

/** Condition of an alert, such as `burn_rate > 14.4 over 1h and 5m`. */
export function formatBurnRateCondition({ factor, long, short }: BurnRateRule): string {
  return `${CONDITION_START}${factor} over ${long} and ${short}`;
}

/** Whether an alert with this condition was raised by an objective and not by an alert rule. */
export function isBurnRateCondition(condition: string): boolean {
  return condition.startsWith(CONDITION_START);
}
