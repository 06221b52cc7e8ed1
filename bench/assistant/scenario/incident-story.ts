import { MINUTE_MS, type TimeWindow } from '../../../src/diagnostics/time-windows.js';

/** Before the moment of the questions, in minutes: how much telemetry there is. */
export const HISTORY_MINUTES = 26 * 60;

/** What happened to the shop, as times before the moment of the questions: lists and events are made from this alone. */
export interface IncidentStory {
  /** ms since 1970: the moment of the questions, a whole minute. */
  readonly nowMs: number;
  readonly fromMs: number;
  /** Payment runs version 2.4.0 from then on, takes ten times as long, and one charge in eight times out. */
  readonly paymentDeployedMs: number;
  /** Shipping runs 1.9.0 from then on: nothing else changes. */
  readonly shippingDeployedMs: number;
  /** Two requests in five to cart fail: over for an hour and three quarters. */
  readonly cartBurst: TimeWindow;
  /** Cart has four instances from then on instead of two. */
  readonly cartScaledMs: number;
  /** The pool of checkout's database connections is 19 of 20 in use from then on. */
  readonly poolPressedMs: number;
  /** Product-catalog serves GetReviews from then on. */
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
