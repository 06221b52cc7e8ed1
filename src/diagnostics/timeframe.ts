export const MINUTE_MS = 60_000;

/** A window of time in ms since 1970, from ≤ t < to, both on whole minutes. */
export interface Timeframe {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a client may say about time: nothing, a moment, or a window. */
export type When = { readonly asOfMs?: undefined; readonly range?: undefined } | { readonly asOfMs: number; readonly range?: undefined } | { readonly asOfMs?: undefined; readonly range: Timeframe };

/** The windows of one answer. */
export interface Frames {
  /** The moment that the answer is about: nothing after it may show. */
  readonly nowMs: number;
  readonly current: Timeframe;
  /** What the current window is compared with: it ends where that begins. */
  readonly baseline: Timeframe;
}

export interface FrameLengths {
  readonly currentMinutes: number;
  readonly baselineMinutes: number;
}

/** The last 15 minutes against the 60 before them. */
export const USUAL_LENGTHS: FrameLengths = { currentMinutes: 15, baselineMinutes: 60 };

/** Timeline and changes. */
export const HISTORY_LENGTHS: FrameLengths = { currentMinutes: 60, baselineMinutes: 60 };

/**
 * The windows that a question means (contract §5). Starts round down to whole minutes, ends up, but not past the minute
 * that runs now; a moment before the running minute rounds down, so that no answer knows its future.
 */
export function framesOf(when: When, clockMs: number, lengths: FrameLengths): Frames {
  const running = floorMinute(clockMs);
  if (when.range !== undefined) {
    const toMs = Math.min(ceilMinute(when.range.toMs), running + MINUTE_MS);
    const fromMs = Math.min(floorMinute(when.range.fromMs), toMs);
    return framesAt(Math.min(toMs, clockMs), { fromMs, toMs }, lengths);
  }
  if (when.asOfMs !== undefined && when.asOfMs < running) {
    const toMs = floorMinute(when.asOfMs);
    return framesAt(toMs, { fromMs: toMs - lengths.currentMinutes * MINUTE_MS, toMs }, lengths);
  }
  const nowMs = Math.min(when.asOfMs ?? clockMs, clockMs);
  return framesAt(nowMs, { fromMs: floorMinute(nowMs - lengths.currentMinutes * MINUTE_MS), toMs: ceilMinute(nowMs) }, lengths);
}

/** Length of a window in seconds, as far as it lies before `nowMs`; at least one, so that rates stay finite. */
export function secondsOf({ fromMs, toMs }: Timeframe, nowMs: number): number {
  return Math.max(1, (Math.min(toMs, nowMs) - fromMs) / 1000);
}

function framesAt(nowMs: number, current: Timeframe, { baselineMinutes }: FrameLengths): Frames {
  return { nowMs, current, baseline: { fromMs: current.fromMs - baselineMinutes * MINUTE_MS, toMs: current.fromMs } };
}

export function floorMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

export function ceilMinute(ms: number): number {
  return Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
}
