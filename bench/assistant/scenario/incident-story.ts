import { MINUTE_MS, type TimeWindow } from '../../../src/diagnostics/time-windows.js';

/** Duration of the telemetry (minutes) before the time of the questions. */
export const HISTORY_MINUTES = 26 * 60;

/** Incidents of the shop as times before the time of the questions: all lists and events are derived from this. */
export interface IncidentStory {
  /** Time of the questions, ms since 1970, a whole minute. */
  readonly nowMs: number;
  readonly fromMs: number;
  /** From then on payment runs version 2.4.0: ten times slower, and one in eight charges times out. */
  readonly paymentDeployedMs: number;
  /** From then on shipping runs 1.9.0, without other effects. */
  readonly shippingDeployedMs: number;
  /** Two in five requests to cart fail; ended after an hour and three quarters. */
  readonly cartBurst: TimeWindow;
  /** From then on cart has four instances instead of two. */
  readonly cartScaledMs: number;
  /** From then on 19 of 20 database connections of checkout are in use. */
  readonly poolPressedMs: number;
  /** From then on product-catalog serves GetReviews. */
  readonly reviewsAddedMs: number;
  /** Yesterday evening: every second recommendation fails. */
  readonly recommendationBurst: TimeWindow;
}

export function createStory(nowMs: number): IncidentStory {
  const ago = (minutes: number): number => nowMs - minutes * MINUTE_MS;
  return {
    nowMs,
    fromMs: ago(HISTORY_MINUTES),
    paymentDeployedMs: ago(40),
    shippingDeployedMs: ago(205),
    cartBurst: { fromMs: ago(120), toMs: ago(108) },
    cartScaledMs: ago(80),
    poolPressedMs: ago(25),
    reviewsAddedMs: ago(30),
    recommendationBurst: { fromMs: ago(1150), toMs: ago(1135) },
  };
}

export function isWithin({ fromMs, toMs }: TimeWindow, atMs: number): boolean {
  return atMs >= fromMs && atMs < toMs;
}
