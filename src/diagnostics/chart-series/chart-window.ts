import { type ChartType, isOverWholeRange } from '../chart-model.js';
import { ceilMinute, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { type ChartWindow, MAX_SERIES_POINTS } from './chart-series.js';
import type { TimeBucket } from '../rollups/rollup-types.js';

/** Maximum length of a chart window; callers reject longer ranges from clients. */
export const MAX_CHART_DAYS = 31;

export const HOUR_MS = 60 * MINUTE_MS;

/**
 * Requested ranges up to this length have steps below an hour and read minute rollups, so that the last 24 hours do so
 * at any second.
 */
export const MAX_MINUTE_RESOLUTION_MS = 24 * HOUR_MS;

/** In minutes. All divide an hour or a day, so that steps begin at round UTC times. */
const MINUTE_STEPS = [1, 2, 3, 5, 10, 15, 20, 30];

const HOUR_STEPS = [60, 120, 180, 360, 720, 1440];

/** A step, limited to the part within the window and before its `nowMs`. */
export interface ChartStep extends TimeWindow {
  /** Start of the whole step: a multiple of the step since 1970 UTC. */
  readonly atMs: number;
}

/**
 * The window of a chart over a range: its start is rounded down to a whole minute and its end up, at most to the end of
 * the current minute; a range that begins later is empty. If `nowMs` lies within a completed minute, the rest of that
 * minute is excluded: round it down first when moving it into the past.
 *
 * The step is the shortest one that yields at most MAX_SERIES_POINTS. Steps begin at multiples of their length since
 * 1970 UTC, while the window keeps its own ends: the first and the last step count only the minutes inside it, and
 * rates are divided by these. So a partial hour has the rate of its part instead of a dip.
 */
export function createChartWindow(
  range: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): ChartWindow {
  const toMs = Math.min(ceilMinute(range.toMs), floorMinute(nowMs) + MINUTE_MS);
  const fromMs = Math.min(floorMinute(range.fromMs), toMs);
  const isLong = Math.min(range.toMs, nowMs) - range.fromMs > MAX_MINUTE_RESOLUTION_MS;
  return { fromMs, toMs, stepMs: chooseStepMs({ fromMs, toMs }, isLong ? HOUR_STEPS : MINUTE_STEPS), nowMs };
}

/**
 * The window as a chart of this type divides it: into its steps, longer ones for a heatmap, or as a single step. That
 * begins where telemetry is retained, since a rate over a time of which nothing is known would be too low.
 * @param retainedFromMs ms since 1970
 */
export function divideWindow(window: ChartWindow, type: ChartType, retainedFromMs = 0): ChartWindow {
  if (type === 'heatmap') return { ...window, stepMs: chooseStepMs(window, HEATMAP_STEPS, MAX_HEATMAP_COLUMNS) };
  if (!isOverWholeRange(type)) return window;
  const fromMs = Math.min(Math.max(window.fromMs, ceilMinute(retainedFromMs)), window.toMs);
  return { ...window, fromMs, stepMs: Math.max(window.toMs - fromMs, MINUTE_MS), isWhole: true };
}

/** Window of a single bucket, the minute or the hour that begins at this minute since 1970, in one step. */
export function createBucketWindow(minute: number, minutes: number): ChartWindow {
  const [fromMs, stepMs] = [minute * MINUTE_MS, minutes * MINUTE_MS];
  return { fromMs, toMs: fromMs + stepMs, stepMs, nowMs: fromMs + stepMs };
}

const HEATMAP_STEPS = [...MINUTE_STEPS, ...HOUR_STEPS];
/** Of a heatmap, which has many rows too. */
const MAX_HEATMAP_COLUMNS = 100;

function chooseStepMs({ fromMs, toMs }: TimeWindow, ladder: readonly number[], most = MAX_SERIES_POINTS): number {
  const minutes =
    ladder.find((each) => countSteps(fromMs, toMs, each * MINUTE_MS) <= most) ?? ladder[ladder.length - 1];
  return minutes * MINUTE_MS;
}

/** The steps of a window, ascending. */
export function listSteps({ fromMs, toMs, stepMs, nowMs, isWhole }: ChartWindow): ChartStep[] {
  if (isWhole === true) return fromMs < toMs ? [{ atMs: fromMs, fromMs, toMs: Math.min(toMs, nowMs) }] : [];
  const first = Math.floor(fromMs / stepMs);
  return Array.from({ length: countSteps(fromMs, toMs, stepMs) }, (_, i) => {
    const atMs = (first + i) * stepMs;
    return { atMs, fromMs: Math.max(atMs, fromMs), toMs: Math.min(atMs + stepMs, toMs, nowMs) };
  });
}

function countSteps(fromMs: number, toMs: number, stepMs: number): number {
  return fromMs >= toMs ? 0 : Math.ceil(toMs / stepMs) - Math.floor(fromMs / stepMs);
}

/** Length of a step or another part of a window in seconds; at least one, so that rates stay finite. */
export function durationSeconds({ fromMs, toMs }: TimeWindow): number {
  return Math.max(1, (toMs - fromMs) / 1000);
}

/** Index of the step that contains a moment; -1 outside of the window. */
export function findStepIndex({ fromMs, toMs, stepMs, isWhole }: ChartWindow, ms: number): number {
  if (ms < fromMs || ms >= toMs) return -1;
  return isWhole === true ? 0 : Math.floor(ms / stepMs) - Math.floor(fromMs / stepMs);
}

/**
 * True if steps are whole hours, or one step is longer than a day: hours completely inside the window then need not be
 * read by the minute.
 */
export function usesHourlyRollups({ fromMs, toMs, stepMs, nowMs, isWhole }: ChartWindow): boolean {
  if (isWhole !== true) return stepMs % HOUR_MS === 0;
  return Math.min(toMs, nowMs) - fromMs > MAX_MINUTE_RESOLUTION_MS;
}

/** The steps of a window and their durations. */
export class StepClock {
  readonly steps: readonly ChartStep[];
  /** Duration of each step, the divisor of its rates. */
  readonly seconds: Float64Array;
  /** Duration of the whole window up to `nowMs`. */
  readonly allSeconds: number;

  constructor(readonly window: ChartWindow) {
    this.steps = listSteps(window);
    this.seconds = Float64Array.from(this.steps, durationSeconds);
    this.allSeconds = durationSeconds({ fromMs: window.fromMs, toMs: Math.min(window.toMs, window.nowMs) });
  }

  get count(): number {
    return this.steps.length;
  }

  /** Index of the step in which a bucket begins; -1 outside of the window. */
  stepIndexFor({ minute }: Pick<TimeBucket<unknown>, 'minute'>): number {
    return findStepIndex(this.window, minute * MINUTE_MS);
  }
}
