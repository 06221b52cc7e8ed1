const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const PRECISE = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Date and time in the browser's time zone, as in all functions of this file. */
export function formatDateTime(moment: number | string): string {
  return FULL.format(new Date(moment));
}

export function formatClockTime(moment: number | string): string {
  return CLOCK.format(new Date(moment));
}

/** Time of day with milliseconds, for logs and spans. */
export function formatPreciseTime(moment: number | string): string {
  return PRECISE.format(new Date(moment));
}

/** Such as "5 minutes ago". */
export function formatRelativeTime(moment: number | string, now = Date.now()): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1_000);
  if (Math.abs(seconds) < 60) return AGO.format(seconds, 'second');
  if (Math.abs(seconds) < 5_400) return AGO.format(Math.round(seconds / 60), 'minute');
  if (Math.abs(seconds) < 172_800) return AGO.format(Math.round(seconds / 3_600), 'hour');
  return AGO.format(Math.round(seconds / 86_400), 'day');
}

/** Value for an input of type datetime-local: local time without a zone, to the second. */
export function toDateTimeInput(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

export function parseDateTimeInput(text: string): number {
  return new Date(text).getTime();
}

const SHORT_CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
/** From this length on, two ticks of an axis may show the same time of day. */
const SEVERAL_DAYS_MS = 20 * 3_600_000;

/** Whether the labels of a time axis of this length need a date. */
export const hasSeveralDays = (lengthMs: number): boolean => lengthMs >= SEVERAL_DAYS_MS;

/** A formatter for the labels of a time axis of this length: with the date if it spans several days. */
export function createAxisTimeFormatter(lengthMs: number): (moment: number) => string {
  const format = hasSeveralDays(lengthMs) ? DAY_AND_CLOCK : SHORT_CLOCK;
  return (moment) => format.format(moment);
}

const DAY_AND_PRECISE = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

export function isToday(moment: number | string, now = Date.now()): boolean {
  return new Date(moment).toDateString() === new Date(now).toDateString();
}

/** Time with milliseconds for a row of a list, with the date unless it is today. */
export function formatRowTime(moment: number | string, now = Date.now()): string {
  return (isToday(moment, now) ? PRECISE : DAY_AND_PRECISE).format(new Date(moment));
}
