import { BURN_WINDOWS, type BurnCounts, type BurnWindow } from '../../diagnostics/slos/burn-rate.js';
import { NO_MAINTENANCE, type MaintenanceMinutes } from '../../diagnostics/slos/maintenance-minutes.js';
import type { MinuteCounts } from '../../diagnostics/slos/minute-counts.js';
import type { SloCounts } from '../../diagnostics/slos/slo-assessment.js';
import { addCounts, type EventCounts, NO_EVENTS, type Slo } from '../../diagnostics/slos/slo-model.js';
import { findSloWindow, floorHour, HOUR_MS } from '../../diagnostics/slos/slo-window.js';
import { ceilMinute, floorMinute, MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { RecordedCounts } from '../../read-models/documents/slo-documents.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { ALL_TIME, type EventCounter } from './event-counter.js';

const MINUTES_PER_HOUR = 60;
/** Windows from this length on start at a whole hour, so that they are read from hourly counts. */
const HOURLY_FROM_MINUTES = 1_440;

/** Events by hour, ascending, with hours since 1970. */
export type HourCounts = ReadonlyMap<number, EventCounts>;

/** What was counted for an objective, in the parts that it is computed from. */
export interface SloReading {
  readonly counts: SloCounts;
  /** Hours of the window, the current one up to the moment. */
  readonly hours: HourCounts;
}

/** What to count for an objective. */
export interface CountingRequest {
  readonly gridId: string;
  readonly slo: Slo;
  readonly recorded: RecordedCounts;
  /** Maintenance that does not count; absent: all events count. */
  readonly excluded?: MaintenanceMinutes | undefined;
  readonly nowMs: number;
}

/** The moment of a result: now, or the start of a past minute, so that no result includes its future. */
export function resolveMoment(asOfMs: number | undefined, clockMs: number): number {
  if (asOfMs === undefined) return clockMs;
  return asOfMs < floorMinute(clockMs) ? floorMinute(asOfMs) : Math.min(asOfMs, clockMs);
}

/**
 * Counts the events of an objective: whole hours from its record and from telemetry that is not recorded yet, the current
 * hour and short windows from telemetry by the minute.
 */
export async function readSloCounts(
  counter: EventCounter,
  { gridId, slo, recorded, excluded = NO_MAINTENANCE, nowMs }: CountingRequest,
  timeSlice: TimeSlice,
): Promise<SloReading> {
  const { indicator } = slo;
  const endMs = ceilMinute(nowMs);
  const hourMs = floorHour(nowMs);
  const recentFromMs = Math.min(hourMs, floorMinute(nowMs - BURN_WINDOWS['6h'] * MINUTE_MS));
  const { minutes: unrecorded } = await counter.count(
    { gridId, indicator, window: ALL_TIME, after: recorded.through },
    timeSlice,
  );
  const { minutes: recent } = await counter.count(
    { gridId, indicator, window: { fromMs: recentFromMs, toMs: endMs }, after: -1 },
    timeSlice,
  );
  const isExcluded = (minute: number): boolean => excluded.includes(minute);
  const counted = recent.select((minute) => !isExcluded(minute));
  const sumHour = (minutes: MinuteCounts): EventCounts => minutes.sum(hourMs / MINUTE_MS, endMs / MINUTE_MS);
  const all = mergeHours(recorded.hours, unrecorded);
  const left =
    excluded === NO_MAINTENANCE ? NO_HOURS : mergeHours(recorded.maintenance ?? [], unrecorded.select(isExcluded));
  const window = findSloWindow(slo, nowMs);
  const select = (hours: HourCounts, fromMs: number, current: EventCounts): HourCounts =>
    selectHours(hours, { fromMs, toMs: hourMs }, current);
  const remaining = subtractHours(all, left);
  const hours = select(remaining, window.fromMs, sumHour(counted));
  const covered = select(all, window.fromMs, sumHour(recent));
  const longMs = floorHour(nowMs - BURN_WINDOWS['3d'] * MINUTE_MS);
  return {
    hours,
    counts: {
      window,
      events: sumHours(hours),
      excluded: sumHours(select(left, window.fromMs, sumHour(recent.select(isExcluded)))),
      burn: countBurn(nowMs, endMs, counted, sumHours(select(remaining, longMs, sumHour(counted)))),
      coveredFromMs: covered.size === 0 ? undefined : covered.keys().next().value! * HOUR_MS,
    },
  };
}

const NO_HOURS: HourCounts = new Map();

/** Hours of which nothing remains are left out. */
function subtractHours(all: HourCounts, left: HourCounts): HourCounts {
  if (left.size === 0) return all;
  const remaining = new Map<number, EventCounts>();
  for (const [hour, { good, total }] of all) {
    const { good: goodLeft, total: totalLeft } = left.get(hour) ?? NO_EVENTS;
    if (total > totalLeft) remaining.set(hour, { good: good - goodLeft, total: total - totalLeft });
  }
  return remaining;
}

/** Hours of a month with events, without those that are excluded. */
export interface CountedHours {
  readonly hours: HourCounts;
  readonly excluded: EventCounts;
  /** Start of the first hour with events, excluded ones included; undefined without any. */
  readonly coveredFromMs: number | undefined;
}

/** Counts the events of an objective in a window of whole hours, the last of which may be cut to whole minutes. */
export async function readSloHours(
  counter: EventCounter,
  {
    gridId,
    slo: { indicator },
    recorded,
    excluded = NO_MAINTENANCE,
    window,
  }: Omit<CountingRequest, 'nowMs'> & { readonly window: TimeWindow },
  timeSlice: TimeSlice,
): Promise<CountedHours> {
  const hourMs = floorHour(window.toMs);
  const cut = { fromMs: Math.max(hourMs, window.fromMs), toMs: ceilMinute(window.toMs) };
  const { minutes: unrecorded } = await counter.count(
    { gridId, indicator, window: ALL_TIME, after: recorded.through },
    timeSlice,
  );
  const { minutes: current } = await counter.count({ gridId, indicator, window: cut, after: -1 }, timeSlice);
  const isExcluded = (minute: number): boolean => excluded.includes(minute);
  const sum = (minutes: MinuteCounts): EventCounts => minutes.sum(-Infinity, Infinity);
  const all = mergeHours(recorded.hours, unrecorded);
  const left =
    excluded === NO_MAINTENANCE ? NO_HOURS : mergeHours(recorded.maintenance ?? [], unrecorded.select(isExcluded));
  const range = { fromMs: window.fromMs, toMs: hourMs };
  const covered = selectHours(all, range, sum(current));
  return {
    hours: selectHours(subtractHours(all, left), range, sum(current.select((minute) => !isExcluded(minute)))),
    excluded: sumHours(selectHours(left, range, sum(current.select(isExcluded)))),
    coveredFromMs: covered.size === 0 ? undefined : covered.keys().next().value! * HOUR_MS,
  };
}

function countBurn(nowMs: number, endMs: number, recent: MinuteCounts, long: EventCounts): BurnCounts {
  const names = Object.keys(BURN_WINDOWS) as BurnWindow[];
  return Object.fromEntries(
    names.map((name) => {
      const minutes = BURN_WINDOWS[name];
      const from = floorMinute(nowMs - minutes * MINUTE_MS) / MINUTE_MS;
      return [name, minutes >= HOURLY_FROM_MINUTES ? long : recent.sum(from, endMs / MINUTE_MS)];
    }),
  ) as Record<BurnWindow, EventCounts>;
}

/** Events by hour of what is recorded and what is not. */
function mergeHours(recorded: RecordedCounts['hours'], unrecorded: MinuteCounts): HourCounts {
  const hours = new Map<number, EventCounts>(recorded.map(([hour, good, total]) => [hour, { good, total }]));
  for (const [hour, counts] of sumByHour(unrecorded)) {
    const before = hours.get(hour);
    hours.set(hour, before === undefined ? counts : addCounts(before, counts));
  }
  return hours;
}

export function sumByHour(minutes: MinuteCounts): HourCounts {
  const hours = new Map<number, EventCounts>();
  for (const [minute, counts] of minutes.entries) {
    const hour = Math.floor(minute / MINUTES_PER_HOUR);
    const before = hours.get(hour);
    hours.set(hour, before === undefined ? counts : addCounts(before, counts));
  }
  return hours;
}

/** Whole hours of a window, ascending, and the part of the current one that follows. */
function selectHours(
  hours: HourCounts,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  current: EventCounts,
): HourCounts {
  const selected = [...hours].filter(([hour]) => hour * HOUR_MS >= fromMs && hour * HOUR_MS < toMs);
  selected.sort(([a], [b]) => a - b);
  return new Map(current.total === 0 ? selected : [...selected, [toMs / HOUR_MS, current]]);
}

function sumHours(hours: HourCounts): EventCounts {
  let [good, total] = [0, 0];
  for (const counts of hours.values()) {
    good += counts.good;
    total += counts.total;
  }
  return { good, total };
}
