import { type Clock, clockOffsetMs, currentClock, currentTimeZone } from './time-zone.js';

/** All times are of the chosen clock, with 24 hours. */
type Format = Intl.DateTimeFormatOptions;

const CLOCK: Format = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const PRECISE: Format = { ...CLOCK, fractionalSecondDigits: 3 };
const DAY: Format = { month: 'short', day: 'numeric' };
const FULL: Format = { ...DAY, ...CLOCK, year: 'numeric' };
const SHORT_CLOCK: Format = { hour: '2-digit', minute: '2-digit' };

/** Creating a formatter costs more than using it. */
const formatters = new Map<Format, Readonly<Partial<Record<Clock, Intl.DateTimeFormat>>>>();

function formatWith(format: Format, moment: number | string): string {
  const known = formatters.get(format) ?? {};
  const clock = currentClock();
  const formatter =
    known[clock] ?? new Intl.DateTimeFormat(undefined, { ...format, hourCycle: 'h23', timeZone: currentTimeZone() });
  if (known[clock] === undefined) formatters.set(format, { ...known, [clock]: formatter });
  return formatter.format(new Date(moment));
}

export function formatDateTime(moment: number | string): string {
  return formatWith(FULL, moment);
}

export function formatClockTime(moment: number | string): string {
  return formatWith(CLOCK, moment);
}

/** Time of day to the minute. */
export function formatShortTime(moment: number | string): string {
  return formatWith(SHORT_CLOCK, moment);
}

/** Time of day with milliseconds, for logs and spans. */
export function formatPreciseTime(moment: number | string): string {
  return formatWith(PRECISE, moment);
}

const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Such as "5 minutes ago". */
export function formatRelativeTime(moment: number | string, now = Date.now()): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1_000);
  if (Math.abs(seconds) < 60) return AGO.format(seconds, 'second');
  if (Math.abs(seconds) < 5_400) return AGO.format(Math.round(seconds / 60), 'minute');
  if (Math.abs(seconds) < 172_800) return AGO.format(Math.round(seconds / 3_600), 'hour');
  return AGO.format(Math.round(seconds / 86_400), 'day');
}

/** Value for an input of type datetime-local: the time of the chosen clock without a zone, to the second. */
export function toDateTimeInput(ms: number): string {
  return new Date(ms + clockOffsetMs(ms)).toISOString().slice(0, 19);
}

export function parseDateTimeInput(text: string): number {
  return new Date(currentClock() === 'utc' ? `${text}Z` : text).getTime();
}

/** From this length on, two ticks of an axis may show the same time of day. */
const SEVERAL_DAYS_MS = 20 * 3_600_000;
const DAY_AND_SHORT_CLOCK: Format = { ...DAY, ...SHORT_CLOCK };

/** Whether the labels of a time axis of this length need a date. */
export const hasSeveralDays = (lengthMs: number): boolean => lengthMs >= SEVERAL_DAYS_MS;

/** A formatter for the labels of a time axis of this length: with the date if it spans several days. */
export function createAxisTimeFormatter(lengthMs: number): (moment: number) => string {
  const format = hasSeveralDays(lengthMs) ? DAY_AND_SHORT_CLOCK : SHORT_CLOCK;
  return (moment) => formatWith(format, moment);
}

const DATE: Format = { ...DAY, year: 'numeric' };
const DAY_AND_PRECISE: Format = { ...DAY, ...PRECISE };

export function isToday(moment: number | string, now = Date.now()): boolean {
  return formatWith(DATE, moment) === formatWith(DATE, now);
}

/** Time with milliseconds for a row of a list, with the date unless it is today. */
export function formatRowTime(moment: number | string, now = Date.now()): string {
  return formatWith(isToday(moment, now) ? PRECISE : DAY_AND_PRECISE, moment);
}

/** A text of the service, which tells times of day in UTC such as "15:49 UTC", with those of the chosen clock. */
export function localizeTimes(text: string, around: number | string): string {
  if (currentClock() === 'utc') return text;
  const day = new Date(around).toISOString().slice(0, 10);
  return text.replaceAll(/\b(\d\d:\d\d) UTC\b/g, (_, time: string) => formatShortTime(`${day}T${time}:00Z`));
}
