import type { TimeWindow } from '../time-windows.js';
import type { Slo } from './slo-model.js';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_PER_WEEK = 7;
const SUNDAY_TO_MONDAY = 6;

export function floorHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/**
 * The window of an objective at `nowMs`, from ≤ t < to. A rolling one starts at the whole hour that many days before, so
 * that hourly counts suffice; a calendar one with the Monday or the first of the month, at midnight UTC.
 */
export function findSloWindow(
  { windowDays, calendar }: Pick<Slo, 'windowDays' | 'calendar'>,
  nowMs: number,
): TimeWindow {
  if (!calendar) return { fromMs: floorHour(nowMs - windowDays * DAY_MS), toMs: nowMs };
  return { fromMs: windowDays === DAYS_PER_WEEK ? findMonday(nowMs) : findFirstOfMonth(nowMs), toMs: nowMs };
}

function findMonday(nowMs: number): number {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return today - ((new Date(today).getUTCDay() + SUNDAY_TO_MONDAY) % DAYS_PER_WEEK) * DAY_MS;
}

function findFirstOfMonth(nowMs: number): number {
  const date = new Date(nowMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
