import type { TimeInterval, Slots, TimeReference } from '../understanding/slots.js';
import { clipToMaxWindow, resolveCurrentInterval, lastMinutes } from './window-resolver.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Maximum length of the current window if the question gives none. */
const MAX_CURRENT_MINUTES = 15;

/**
 * The two windows of a comparison. Missing parts are completed: the current window defaults to the last hour, the
 * baseline to the window before it. A shorter window is compared with the same hours of a longer one, so that nights
 * are not compared with days.
 */
export function resolveComparedWindows(slots: Pick<Slots, 'time' | 'baseline'>, nowMs: number): ComparedWindows {
  const { current, baseline } = chooseWindows(slots, nowMs);
  return { current: clipToMaxWindow(current), baseline: clipToMaxWindow(separateBaseline(baseline, current)) };
}

export interface ComparedWindows {
  readonly current: TimeInterval;
  readonly baseline: TimeInterval;
}

/**
 * Diagnostics use whole minutes. A baseline that ends where the current window begins must end a minute earlier;
 * otherwise that minute would count in both, and answers would name a window that was not requested.
 */
export function separateBaseline(baseline: TimeInterval, current: TimeInterval): TimeInterval {
  if (baseline.fromMs >= current.fromMs || baseline.toMs > current.fromMs) return baseline;
  const minute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  const toMs = minute(baseline.toMs);
  return { ...baseline, fromMs: Math.min(minute(baseline.fromMs), toMs - MINUTE_MS), toMs };
}

function chooseWindows({ time, baseline }: Pick<Slots, 'time' | 'baseline'>, nowMs: number): ComparedWindows {
  if (
    time === undefined &&
    baseline?.kind === 'range' &&
    baseline.last !== undefined &&
    baseline.toMs - baseline.fromMs < DAY_MS
  )
    return splitNewestPart(baseline, nowMs);
  if (time === undefined && baseline?.kind === 'moment') return windowsBesideMoment(baseline.atMs, nowMs);
  const current = currentWindow(time, nowMs);
  if (baseline === undefined) return { current, baseline: shiftEarlier(current, current.toMs - current.fromMs) };
  if (baseline.kind === 'earlier') return { current, baseline: shiftEarlier(current, baseline.shiftMs) };
  if (baseline.kind === 'preceding')
    return {
      current,
      baseline: {
        kind: 'range',
        fromMs: current.fromMs - (baseline.lengthMs || current.toMs - current.fromMs),
        toMs: current.fromMs,
      },
    };
  return { current, baseline: alignBaseline(current, currentWindow(baseline, nowMs)) };
}

/**
 * "Slower than the last hour" compares the newest quarter of that hour (at most 15 minutes) with the rest, so that a
 * window is never compared with itself.
 */
function splitNewestPart({ fromMs, toMs }: TimeInterval, nowMs: number): ComparedWindows {
  const minutes = Math.min(MAX_CURRENT_MINUTES, Math.max(2, Math.floor((toMs - fromMs) / (4 * MINUTE_MS))));
  const current = lastMinutes(minutes, nowMs);
  return {
    current,
    baseline: { kind: 'range', fromMs: Math.min(fromMs, current.fromMs - MINUTE_MS), toMs: current.fromMs },
  };
}

/**
 * "Slower than 5 minutes ago" compares the last 5 minutes with the 5 minutes before; longer windows would overlap and
 * hide the change.
 */
function windowsBesideMoment(atMs: number, nowMs: number): ComparedWindows {
  const current = lastMinutes(
    Math.min(MAX_CURRENT_MINUTES, Math.max(1, Math.floor((nowMs - atMs) / MINUTE_MS))),
    nowMs,
  );
  return { current, baseline: { kind: 'range', fromMs: atMs - (current.toMs - current.fromMs), toMs: atMs } };
}

/** "Slower than yesterday" is about the last hour. */
function currentWindow(time: TimeReference | undefined, nowMs: number): TimeInterval {
  return time === undefined
    ? { kind: 'range', fromMs: nowMs - HOUR_MS, toMs: nowMs, last: 'hour' }
    : resolveCurrentInterval(time, nowMs);
}

function shiftEarlier({ fromMs, toMs }: TimeInterval, shiftMs: number): TimeInterval {
  return { kind: 'range', fromMs: fromMs - shiftMs, toMs: toMs - shiftMs };
}

function alignBaseline(current: TimeInterval, baseline: TimeInterval): TimeInterval {
  const [length, other] = [current.toMs - current.fromMs, baseline.toMs - baseline.fromMs];
  // "Than last week": the same window a week ago.
  if (baseline.last !== undefined && other >= DAY_MS && length < other) return shiftEarlier(current, other);
  const isDay = other === DAY_MS && baseline.fromMs % DAY_MS === 0;
  if (!isDay || length >= DAY_MS) return baseline;
  const days = Math.round((Math.floor(current.fromMs / DAY_MS) * DAY_MS - baseline.fromMs) / DAY_MS);
  return days <= 0 ? baseline : shiftEarlier(current, days * DAY_MS);
}
