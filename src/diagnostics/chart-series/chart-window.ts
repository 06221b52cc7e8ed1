import { ceilMinute, floorMinute, MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { type ChartWindow, MAX_SERIES_POINTS } from './chart-series.js';
import type { TimeBucket } from '../rollups/rollup-types.js';

/** What a chart may show at most. Whoever takes a range from outside refuses longer ones. */
export const MAX_CHART_DAYS = 31;

export const HOUR_MS = 60 * MINUTE_MS;

/** Windows up to this long, as they were asked for, have steps below an hour, and are read by the minute: so the last 24 hours do at any second. */
export const MAX_MINUTE_RESOLUTION_MS = 24 * HOUR_MS;

/** Minutes. All of them divide an hour or a day, so that steps begin at round times of UTC. */
const MINUTE_STEPS = [1, 2, 3, 5, 10, 15, 20, 30];

const HOUR_STEPS = [60, 120, 180, 360, 720, 1440];

/** A step, as far as it lies within the frame and before its now. */
export interface ChartStep extends TimeWindow {
  /** When the whole step begins: a multiple of the step since 1970 UTC. */
  readonly atMs: number;
}

/**
 * The frame of a chart over a range: its start rounds down to a whole minute, its end up, to that of the running minute
 * at most; a range that begins later is empty. `nowMs` in a minute that is over gives away the rest of that minute:
 * who moves now into the past rounds it down first.
 *
 * The step is the shortest of the ladder that makes no more than MAX_POINTS. Steps begin at multiples of their length
 * since 1970 UTC, steps of whole hours therefore at full hours, while the frame keeps its own ends: the first and the
 * last step count the minutes that lie inside it alone, and rates divide by these. So the hour in which a week began
 * shows with the rate of its part, not with a dip.
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

/** Of the minute or the hour that begins at this minute since 1970, in one step. */
export function createBucketWindow(minute: number, minutes: number): ChartWindow {
  const [fromMs, stepMs] = [minute * MINUTE_MS, minutes * MINUTE_MS];
  return { fromMs, toMs: fromMs + stepMs, stepMs, nowMs: fromMs + stepMs };
}

function chooseStepMs({ fromMs, toMs }: TimeWindow, ladder: readonly number[]): number {
  const minutes =
    ladder.find((each) => countSteps(fromMs, toMs, each * MINUTE_MS) <= MAX_SERIES_POINTS) ?? ladder[ladder.length - 1];
  return minutes * MINUTE_MS;
}

/** The steps of a frame, ascending. */
export function listSteps({ fromMs, toMs, stepMs, nowMs }: ChartWindow): ChartStep[] {
  const first = Math.floor(fromMs / stepMs);
  return Array.from({ length: countSteps(fromMs, toMs, stepMs) }, (_, i) => {
    const atMs = (first + i) * stepMs;
    return { atMs, fromMs: Math.max(atMs, fromMs), toMs: Math.min(atMs + stepMs, toMs, nowMs) };
  });
}

function countSteps(fromMs: number, toMs: number, stepMs: number): number {
  return fromMs >= toMs ? 0 : Math.ceil(toMs / stepMs) - Math.floor(fromMs / stepMs);
}

/** Length of a step, or of another part of a frame, in seconds; at least one, so that rates stay finite. */
export function durationSeconds({ fromMs, toMs }: TimeWindow): number {
  return Math.max(1, (toMs - fromMs) / 1000);
}

/** Which step a moment lies in, counted from 0; -1 outside of the frame. */
export function findStepIndex({ fromMs, toMs, stepMs }: ChartWindow, ms: number): number {
  return ms < fromMs || ms >= toMs ? -1 : Math.floor(ms / stepMs) - Math.floor(fromMs / stepMs);
}

/** Steps are whole hours: hours that lie in the frame whole need not be read by the minute. */
export function usesHourlyRollups({ stepMs }: ChartWindow): boolean {
  return stepMs % HOUR_MS === 0;
}

/** The steps of a frame and how long they are. */
export class StepClock {
  readonly steps: readonly ChartStep[];
  /** Of each step; what rates divide by. */
  readonly seconds: Float64Array;
  /** Of the whole frame up to now. */
  readonly allSeconds: number;

  constructor(readonly frame: ChartWindow) {
    this.steps = listSteps(frame);
    this.seconds = Float64Array.from(this.steps, durationSeconds);
    this.allSeconds = durationSeconds({ fromMs: frame.fromMs, toMs: Math.min(frame.toMs, frame.nowMs) });
  }

  get count(): number {
    return this.steps.length;
  }

  /** Which step a stretch counts in: that in which it begins; -1 outside of the frame. */
  stepIndexFor({ minute }: Pick<TimeBucket<unknown>, 'minute'>): number {
    return findStepIndex(this.frame, minute * MINUTE_MS);
  }
}
