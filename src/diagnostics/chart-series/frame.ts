import { ceilMinute, floorMinute, MINUTE_MS, type Timeframe } from '../timeframe.js';
import { MAX_POINTS, type ChartFrame } from './answer.js';

/** What a chart may show at most. Whoever takes a range from outside refuses longer ones. */
export const MAX_CHART_DAYS = 31;

export const HOUR_MS = 60 * MINUTE_MS;

/** Windows up to this long, as they were asked for, have steps below an hour, and are read by the minute: so the last 24 hours do at any second. */
export const FINE_WINDOW = 24 * HOUR_MS;

/** Minutes. All of them divide an hour or a day, so that steps begin at round times of UTC. */
const FINE_STEPS = [1, 2, 3, 5, 10, 15, 20, 30];
const WHOLE_HOURS = [60, 120, 180, 360, 720, 1440];

/** A step, as far as it lies within the frame and before its now. */
export interface ChartStep extends Timeframe {
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
export function chartFrame(range: { readonly fromMs: number; readonly toMs: number }, nowMs: number): ChartFrame {
  const toMs = Math.min(ceilMinute(range.toMs), floorMinute(nowMs) + MINUTE_MS);
  const fromMs = Math.min(floorMinute(range.fromMs), toMs);
  const isLong = Math.min(range.toMs, nowMs) - range.fromMs > FINE_WINDOW;
  return { fromMs, toMs, stepMs: stepOf({ fromMs, toMs }, isLong ? WHOLE_HOURS : FINE_STEPS), nowMs };
}

/** Of the minute or the hour that begins at this minute since 1970, in one step. */
export function frameOfStretch(minute: number, minutes: number): ChartFrame {
  const [fromMs, stepMs] = [minute * MINUTE_MS, minutes * MINUTE_MS];
  return { fromMs, toMs: fromMs + stepMs, stepMs, nowMs: fromMs + stepMs };
}

function stepOf({ fromMs, toMs }: Timeframe, ladder: readonly number[]): number {
  const minutes = ladder.find((each) => stepsBetween(fromMs, toMs, each * MINUTE_MS) <= MAX_POINTS) ?? ladder[ladder.length - 1];
  return minutes * MINUTE_MS;
}

/** The steps of a frame, ascending. */
export function stepsOf({ fromMs, toMs, stepMs, nowMs }: ChartFrame): ChartStep[] {
  const first = Math.floor(fromMs / stepMs);
  return Array.from({ length: stepsBetween(fromMs, toMs, stepMs) }, (_, i) => {
    const atMs = (first + i) * stepMs;
    return { atMs, fromMs: Math.max(atMs, fromMs), toMs: Math.min(atMs + stepMs, toMs, nowMs) };
  });
}

function stepsBetween(fromMs: number, toMs: number, stepMs: number): number {
  return fromMs >= toMs ? 0 : Math.ceil(toMs / stepMs) - Math.floor(fromMs / stepMs);
}

/** Length of a step, or of another part of a frame, in seconds; at least one, so that rates stay finite. */
export function secondsOf({ fromMs, toMs }: Timeframe): number {
  return Math.max(1, (toMs - fromMs) / 1000);
}

/** Which step a moment lies in, counted from 0; -1 outside of the frame. */
export function stepAt({ fromMs, toMs, stepMs }: ChartFrame, ms: number): number {
  return ms < fromMs || ms >= toMs ? -1 : Math.floor(ms / stepMs) - Math.floor(fromMs / stepMs);
}

/** Steps are whole hours: hours that lie in the frame whole need not be read by the minute. */
export function readsHours({ stepMs }: ChartFrame): boolean {
  return stepMs % HOUR_MS === 0;
}
