import { utcFormat } from 'd3-time-format';
import type { ChartWindow } from '../diagnostics/chart-series/chart-series.js';
import { MINUTE_MS } from '../diagnostics/time-windows.js';
import type { Axis } from './value-axis.js';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** Distance between ticks in minutes; all divide an hour or a day, so that labels are round. */
const STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  180,
  360,
  720,
  DAY_MINUTES,
  2 * DAY_MINUTES,
  4 * DAY_MINUTES,
  7 * DAY_MINUTES,
  14 * DAY_MINUTES,
];

const formatTimeOfDay = utcFormat('%H:%M');
const formatDay = utcFormat('%b %-d');
const formatDayWithYear = utcFormat('%b %-d, %Y');

/**
 * At most about `count` ticks at round UTC times; midnight is labelled with the date. The distance is never less than
 * the chart's step, because chart.js narrows bars to the tick distance.
 */
export function buildTimeAxis({ fromMs, toMs, stepMs }: ChartWindow, count: number): Axis {
  const step =
    MINUTE_MS *
    (STEPS.find((minutes) => minutes * MINUTE_MS >= stepMs && (toMs - fromMs) / (minutes * MINUTE_MS) <= count) ??
      STEPS.at(-1)!);
  const first = Math.ceil(fromMs / step);
  const last = Math.floor(toMs / step);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const value = (first + index) * step;
    const midnight = value % DAY_MS === 0;
    return { value, label: midnight ? formatDay(new Date(value)) : formatTimeOfDay(new Date(value)), strong: midnight };
  });
  return { min: fromMs, max: toMs, ticks };
}

/** `Nov 20, 13:00 – 14:00 UTC`, with the year if it differs from that of the chart's "now". */
export function formatTimeRange({ fromMs, toMs, nowMs }: ChartWindow): string {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const date = [from, to].every((end) => end.getUTCFullYear() === new Date(nowMs).getUTCFullYear())
    ? formatDay
    : formatDayWithYear;
  // The end of a day is midnight of the next day, so whole days are formatted as dates.
  if (fromMs % DAY_MS === 0 && toMs % DAY_MS === 0) return formatWholeDays(date(from), date(new Date(toMs - DAY_MS)));
  const end = date(from) === date(to) ? formatTimeOfDay(to) : `${date(to)}, ${formatTimeOfDay(to)}`;
  return `${date(from)}, ${formatTimeOfDay(from)} – ${end} UTC`;
}

function formatWholeDays(first: string, last: string): string {
  return first === last ? `${first} UTC` : `${first} – ${last} UTC`;
}

/** `1 min`, `30 min`, `2 h`, `1 d`: in the largest unit that yields a whole number. */
export function formatStep(stepMs: number): string {
  const minutes = Math.round(stepMs / MINUTE_MS);
  if (minutes % DAY_MINUTES === 0) return `${minutes / DAY_MINUTES} d`;
  return minutes % HOUR_MINUTES === 0 ? `${minutes / HOUR_MINUTES} h` : `${minutes} min`;
}
