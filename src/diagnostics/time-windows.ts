export const MINUTE_MS = 60_000;

/** A window of time in ms since 1970, from ≤ t < to, both on whole minutes. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a client may say about time: nothing, a moment, or a window. */
export type TimeSelection =
  | { readonly asOfMs?: undefined; readonly range?: undefined }
  | { readonly asOfMs: number; readonly range?: undefined }
  | { readonly asOfMs?: undefined; readonly range: TimeWindow };

/** The windows of one answer. */
export interface AnalysisWindows {
  /** The moment that the answer is about: nothing after it may show. */
  readonly nowMs: number;
  readonly current: TimeWindow;
  /** What the current window is compared with: it ends where that begins. */
  readonly baseline: TimeWindow;
}

export interface WindowLengths {
  readonly currentMinutes: number;
  readonly baselineMinutes: number;
}

/** The last 15 minutes against the 60 before them. */
export const DEFAULT_WINDOW_LENGTHS: WindowLengths = { currentMinutes: 15, baselineMinutes: 60 };

/** Timeline and changes. */
export const HISTORY_WINDOW_LENGTHS: WindowLengths = { currentMinutes: 60, baselineMinutes: 60 };

/**
 * The windows that a question means (contract §5). Starts round down to whole minutes, ends up, but not past the minute
 * that runs now; a moment before the running minute rounds down, so that no answer knows its future.
 */
export function resolveAnalysisWindows(when: TimeSelection, clockMs: number, lengths: WindowLengths): AnalysisWindows {
  const running = floorMinute(clockMs);
  if (when.range !== undefined) {
    const toMs = Math.min(ceilMinute(when.range.toMs), running + MINUTE_MS);
    const fromMs = Math.min(floorMinute(when.range.fromMs), toMs);
    return toAnalysisWindows(Math.min(toMs, clockMs), { fromMs, toMs }, lengths);
  }
  if (when.asOfMs !== undefined && when.asOfMs < running) {
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

/** Length of a window in seconds, as far as it lies before `nowMs`; at least one, so that rates stay finite. */
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
