import type { Trend } from './answers.js';

/** Percent from which a change is a trend. */
const TREND_FROM = 5;

/** 100 · (current − baseline) / baseline; 0 when both are 0, 100 when only the baseline is. Without the last digits of the double: a limit of 20 is met by 20. */
export function changePercent(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return Number(((100 * (current - baseline)) / baseline).toPrecision(12));
}

export function trendOf(percent: number): Trend {
  if (Math.abs(percent) < TREND_FROM) return 'stable';
  return percent > 0 ? 'increasing' : 'decreasing';
}
