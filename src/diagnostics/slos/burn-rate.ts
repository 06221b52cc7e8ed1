import type { Severity } from '../diagnostic-results.js';
import { findAllowedPercent, PERCENT_DIGITS, ROUNDING_ERROR } from './error-budget.js';
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

/**
 * How fast the error budget is used: the share of bad events divided by the share that the objective allows (the
 * workbook, chapter 5). 1 uses up the budget exactly by the end of the window. 0 without events. In this order each step
 * is monotone when rounded: a bad event never lowers the result, a good one never raises it.
 * @param objective percent
 */
export function computeBurnRate({ good, total }: EventCounts, objective: number): number {
  return total === 0 ? 0 : (((total - good) / total) * 100) / findAllowedPercent(objective);
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
