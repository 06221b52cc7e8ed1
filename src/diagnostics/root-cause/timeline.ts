import type { Timed } from '../rollups.js';
import { MINUTE_MS, type Frames } from '../timeframe.js';

/**
 * The stretches of time (minutes, seldom hours) of baseline and window from which anything arrived, ascending. Stretches
 * without telemetry are no part of it: silence is neither good nor bad.
 */
export interface Timeline {
  /** Starts in minutes since 1970. */
  readonly starts: readonly number[];
  /** Lengths in minutes. */
  readonly lengths: readonly number[];
  /** First index that belongs to the window; what lies before is its baseline. */
  readonly windowStart: number;
  /** First index that is known to be complete from its start on: telemetry that begins within the baseline may begin within a stretch. */
  readonly firstComplete: number;
  /** How many are over and complete: spans of one trace arrive some seconds apart, parents often before their children. */
  readonly settled: number;
  /** Undefined for a stretch outside baseline and window. */
  indexOf(minute: number): number | undefined;
}

/** Exporters batch for 5 s by default (OTEL_BSP_SCHEDULE_DELAY), and a batch takes its time. */
const SETTLING_MS = 10_000;

export function timelineOf(sources: readonly (readonly Timed<unknown>[])[], { nowMs, baseline, current }: Frames): Timeline {
  const lengthOf = new Map<number, number>();
  for (const source of sources) for (const { minute, minutes } of source) if (isWithin(minute)) lengthOf.set(minute, minutes);
  const starts = [...lengthOf.keys()].sort((a, b) => a - b);
  const indices = new Map(starts.map((minute, index) => [minute, index]));
  const inWindow = starts.findIndex((minute) => minute * MINUTE_MS >= current.fromMs);
  return {
    starts,
    lengths: starts.map((minute) => lengthOf.get(minute)!),
    windowStart: inWindow === -1 ? starts.length : inWindow,
    firstComplete: starts.length > 0 && starts[0] * MINUTE_MS > baseline.fromMs ? 1 : 0,
    settled: starts.filter((minute) => nowMs === current.toMs || (minute + lengthOf.get(minute)!) * MINUTE_MS <= nowMs - SETTLING_MS).length,
    indexOf: (minute) => indices.get(minute),
  };

  function isWithin(minute: number): boolean {
    return minute * MINUTE_MS >= baseline.fromMs && minute * MINUTE_MS < current.toMs;
  }
}
