export const MINUTE_MS = 60_000;

/** A time window in ms since 1970, from ≤ t < to, both at whole minutes. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Time selection of a client: none, a moment, or a window. */
export type TimeSelection =
  | { readonly asOfMs?: undefined; readonly range?: undefined }
  | { readonly asOfMs: number; readonly range?: undefined }
  | { readonly asOfMs?: undefined; readonly range: TimeWindow };

/** The time windows of one analysis. */
export interface AnalysisWindows {
  /** The moment of the analysis: nothing after it is included. */
  readonly nowMs: number;
  readonly current: TimeWindow;
  /** Window for comparison; it ends where the current one begins. */
  readonly baseline: TimeWindow;
}

/** Lengths of the current window and its baseline. */
export interface WindowLengths {
  readonly currentMinutes: number;
  readonly baselineMinutes: number;
}

/** The last 15 minutes compared with the 60 minutes before. */
export const DEFAULT_WINDOW_LENGTHS: WindowLengths = { currentMinutes: 15, baselineMinutes: 60 };

/** For the timeline and changes. */
export const HISTORY_WINDOW_LENGTHS: WindowLengths = { currentMinutes: 60, baselineMinutes: 60 };

/**
 * Resolves the windows for a time selection (contract §5). Starts are rounded down to whole minutes and ends up, at
 * most to the end of the current minute. A moment before the current minute is rounded down, so that no result includes
 * its future.
 */
export function resolveAnalysisWindows(when: TimeSelection, clockMs: number, lengths: WindowLengths): AnalysisWindows {
  const currentMinuteMs = floorMinute(clockMs);
  if (when.range !== undefined) {
    const toMs = Math.min(ceilMinute(when.range.toMs), currentMinuteMs + MINUTE_MS);
    const fromMs = Math.min(floorMinute(when.range.fromMs), toMs);
    return toAnalysisWindows(Math.min(toMs, clockMs), { fromMs, toMs }, lengths);
  }
  if (when.asOfMs !== undefined && when.asOfMs < currentMinuteMs) {
    const toMs = floorMinute(when.asOfMs);
    return toAnalysisWindows(toMs, { fromMs: toMs - lengths.currentMinutes * MINUTE_MS, toMs }, lengths);
  }
  const nowMs = Math.min(when.asOfMs ?? clockMs, clockMs);
  return toAnalysisWindows(
    nowMs,
    { fromMs: floorMinute(nowMs - lengths.currentMinutes * MINUTE_MS), toMs: ceilMinute(nowMs) },
    lengths,
  );
}

/** Length of a window in seconds up to `nowMs`; at least one, so that rates stay finite. */
export function durationSeconds({ fromMs, toMs }: TimeWindow, nowMs: number): number {
  return Math.max(1, (Math.min(toMs, nowMs) - fromMs) / 1000);
}

function toAnalysisWindows(nowMs: number, current: TimeWindow, { baselineMinutes }: WindowLengths): AnalysisWindows {
  return { nowMs, current, baseline: { fromMs: current.fromMs - baselineMinutes * MINUTE_MS, toMs: current.fromMs } };
}

export function floorMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

export function ceilMinute(ms: number): number {
  return Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
}
