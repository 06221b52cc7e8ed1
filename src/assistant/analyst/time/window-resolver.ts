import { MAX_WINDOW_MS, type WindowArguments } from '../../tools/window-arguments.js';
import type { TimeInterval, TimeReference } from '../understanding/slots.js';

/** Default windows for questions without a time (contract §5), in minutes. */
const DEFAULT_MINUTES = 15;
const HISTORY_MINUTES = 60;
const MINUTE_MS = 60_000;

/**
 * Converts the time of a question into tool arguments. Ranges longer than the maximum diagnostics window lose their
 * start.
 */
export function toWindowArguments(time: TimeReference | undefined): WindowArguments {
  switch (time?.kind) {
    case 'moment':
      return { asOf: toIso(time.atMs) };
    case 'range':
      return toRangeArguments(clipToMaxWindow(time));
    default:
      return {};
  }
}

/** For chronological answers: a window around a moment rather than before it. */
export function toHistoryArguments(time: TimeReference | undefined, nowMs: number): WindowArguments {
  return time?.kind === 'moment' && time.side === 'at'
    ? toRangeArguments(intervalAround(time.atMs, nowMs))
    : toWindowArguments(time);
}

/** Time range of a search. */
export function resolveSearchInterval(time: TimeReference | undefined, nowMs: number): TimeInterval {
  if (time?.kind === 'range')
    return alignToMinute(time.toMs > time.fromMs ? time : { ...time, fromMs: time.toMs - MINUTE_MS });
  if (time?.kind !== 'moment') return alignToMinute(lastMinutes(DEFAULT_MINUTES, nowMs));
  return alignToMinute(
    time.side === 'at'
      ? intervalAround(time.atMs, nowMs)
      : { kind: 'range', fromMs: time.atMs - DEFAULT_MINUTES * MINUTE_MS, toMs: time.atMs },
  );
}

/** Aligned like diagnostics windows, so that searches and counts in one answer cover the same time. */
function alignToMinute(range: TimeInterval): TimeInterval {
  return { ...range, fromMs: Math.floor(range.fromMs / MINUTE_MS) * MINUTE_MS };
}

/** Window of a chart: that of a search, limited to the maximum diagnostics window. */
export function resolveChartInterval(time: TimeReference | undefined, nowMs: number): TimeInterval {
  return clipToMaxWindow(resolveSearchInterval(time, nowMs));
}

export function toRangeArguments({ fromMs, toMs }: Pick<TimeInterval, 'fromMs' | 'toMs'>): {
  readonly rangeStart: string;
  readonly rangeEnd: string;
} {
  return { rangeStart: toIso(fromMs), rangeEnd: toIso(toMs) };
}

export function lastMinutes(minutes: number, nowMs: number): TimeInterval {
  return {
    kind: 'range',
    fromMs: nowMs - minutes * MINUTE_MS,
    toMs: nowMs,
    last: minutes === 1 ? 'minute' : `${minutes} minutes`,
  };
}

/** The window that answers with the default length use for this time. */
export function resolveCurrentInterval(time: TimeReference | undefined, nowMs: number): TimeInterval {
  if (time?.kind === 'range') return clipToMaxWindow(time);
  if (time?.kind === 'moment')
    return { kind: 'range', fromMs: time.atMs - DEFAULT_MINUTES * MINUTE_MS, toMs: time.atMs };
  return lastMinutes(DEFAULT_MINUTES, nowMs);
}

/** True if the time of a question is over, so that sentences about it are in the past tense. */
export function isPast(time: TimeReference | undefined, nowMs: number): boolean {
  return (time?.kind === 'moment' && time.atMs < nowMs) || (time?.kind === 'range' && time.toMs < nowMs);
}

/**
 * A moment as the 15 minutes around it, for answers about a state: a problem that began shortly before is diluted in
 * those before it. Other times stay.
 */
export function toWindowAround(time: TimeReference | undefined, nowMs: number): TimeReference | undefined {
  if (time?.kind !== 'moment' || time.side !== 'at' || time.atMs >= nowMs) return time;
  const minuteMs = Math.floor(time.atMs / MINUTE_MS) * MINUTE_MS;
  const [before, after] = [Math.floor(DEFAULT_MINUTES / 2), Math.ceil(DEFAULT_MINUTES / 2)];
  return {
    kind: 'range',
    fromMs: minuteMs - before * MINUTE_MS,
    toMs: Math.min(nowMs, minuteMs + after * MINUTE_MS),
    aroundMs: time.atMs,
  };
}

/** When a problem of the moment is known that the window lies around: at the end of the minute after it. */
export function resolveKnownMoment(time: TimeReference | undefined): TimeReference | undefined {
  if (time?.kind !== 'range' || time.aroundMs === undefined) return undefined;
  const endMs = (Math.floor(time.aroundMs / MINUTE_MS) + 2) * MINUTE_MS;
  return { kind: 'moment', atMs: Math.min(time.toMs, endMs), side: 'before' };
}

/** Such as ` in the last 15 minutes`, ` between 13:00 and 14:00 UTC`, ` from 13:45 to 14:00 UTC`. */
export function describeWindow(time: TimeReference | undefined, nowMs: number, minutes = DEFAULT_MINUTES): string {
  if (time?.kind === 'moment') {
    const fromMs = time.atMs - minutes * MINUTE_MS;
    return ` from ${formatClock(fromMs, nowMs).replace(' UTC', '')} to ${formatClock(time.atMs, nowMs, fromMs)}`;
  }
  if (time?.kind === 'range') return describeInterval(clipToMaxWindow(time), nowMs);
  return ` in the last ${minutes} minutes`;
}

export function describeHistoryWindow(time: TimeReference | undefined, nowMs: number): string {
  return time?.kind === 'moment' && time.side === 'at'
    ? describeInterval(intervalAround(time.atMs, nowMs), nowMs)
    : describeWindow(time, nowMs, HISTORY_MINUTES);
}

/** Without limit: searches accept ranges of any length. */
export function describeInterval({ fromMs, toMs, last }: TimeInterval, nowMs: number): string {
  if (last !== undefined) return ` in the last ${last}`;
  if (toMs === nowMs) return ` since ${formatClock(fromMs, nowMs)}`;
  return ` between ${formatClock(fromMs, nowMs).replace(' UTC', '')} and ${formatClock(toMs, nowMs, fromMs)}`;
}

/** `now`, or `at 14:00 UTC`: for values that apply to the end of a window only. */
export function describeWindowEnd(time: TimeReference | undefined, nowMs: number): string {
  const endMs = time?.kind === 'range' ? time.toMs : time?.kind === 'moment' ? time.atMs : nowMs;
  return endMs >= nowMs ? 'now' : `at ${formatClock(endMs, nowMs)}`;
}

/** Such as `the last hour`, `13:00 to 14:00 UTC`. */
export function formatInterval(range: TimeInterval, nowMs: number): string {
  return describeInterval(range, nowMs)
    .trim()
    .replace(/^in /, '')
    .replace(/^between (.*) and /, '$1 to ')
    .replace(/^since (.*)/, 'the time since $1');
}

/** `14:03 UTC`; with the date unless it is today, or the date of `beside`. */
export function formatClock(ms: number, nowMs: number, reference = nowMs): string {
  const day = toIso(ms).slice(0, 10);
  const isKnown = day === toIso(reference).slice(0, 10);
  return `${isKnown ? '' : `${day} `}${toIso(ms).slice(11, 16)} UTC`;
}

/** Formats a time from a tool result. */
export function formatIsoClock(isoTime: string, nowMs: number): string {
  return formatClock(Date.parse(isoTime), nowMs);
}

function intervalAround(atMs: number, nowMs: number): TimeInterval {
  const half = DEFAULT_MINUTES * MINUTE_MS;
  return { kind: 'range', fromMs: atMs - half, toMs: Math.max(Math.min(atMs + half, nowMs), atMs - half + MINUTE_MS) };
}

/** True if diagnostics cut off the start of the requested range. */
export function isLongerThanMaxWindow(time: TimeReference | undefined): boolean {
  return time?.kind === 'range' && time.toMs - time.fromMs > MAX_WINDOW_MS;
}

/**
 * Limits a range to the maximum diagnostics window by moving its start; drops `last`, since the question's words no
 * longer describe it.
 */
export function clipToMaxWindow({ last, ...range }: TimeInterval): TimeInterval {
  const toMs = Math.max(range.toMs, range.fromMs + MINUTE_MS);
  const fromMs = Math.max(range.fromMs, range.toMs - MAX_WINDOW_MS);
  return {
    ...range,
    fromMs,
    toMs: range.toMs > range.fromMs ? range.toMs : toMs,
    ...(last !== undefined && fromMs === range.fromMs && { last }),
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
