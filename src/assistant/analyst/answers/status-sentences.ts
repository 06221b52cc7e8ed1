import type { CurrentState } from '../../../diagnostics/diagnostic-results.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { describeWindow, isPast, toWindowAround } from '../time/window-resolver.js';
import type { Slots } from '../understanding/slots.js';

/** Status of a service or dependency as the tools give it. */
export type ReportedState = IsoTimestamped<Pick<CurrentState, 'status' | 'recentStatus'>>;

/**
 * The status that a question asks for: without a time that of the recent minutes, else that of its window, degraded also
 * where its end is.
 */
export function selectStatus({ status, recentStatus }: ReportedState, { time }: Pick<Slots, 'time'>): string {
  if (time === undefined) return recentStatus;
  return recentStatus === 'degraded' ? recentStatus : status;
}

/** The predicate of a sentence, such as `is degraded in the last 15 minutes`, `was healthy from 15:19 to 15:34 UTC`. */
export function describeStatus(state: ReportedState, slots: Pick<Slots, 'time'>, nowMs: number): string {
  const window = describeWindow(slots.time, nowMs);
  const isOver = isPast(slots.time, nowMs);
  const status = selectStatus(state, slots);
  if (status === 'unknown' && isOver) return `had no requests${window}, so its status was unknown`;
  if (status === 'unknown') return 'has had no requests in the last 5 minutes, so its status is unknown';
  if (isOver) return status === 'recovering' ? `was recovering${window}` : `was ${status}${window}`;
  return status === 'recovering' ? `is recovering, but was degraded${window}` : `is ${status}${window}`;
}

/** The slots of a question about a state: a moment becomes the window around it. */
export function withWindowAround(slots: Slots, nowMs: number): Slots {
  const time = toWindowAround(slots.time, nowMs);
  return time === undefined ? slots : { ...slots, time };
}
