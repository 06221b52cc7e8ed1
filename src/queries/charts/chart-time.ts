import { HOUR_MS } from '../../diagnostics/chart-series/frame.js';
import { floorMinute, type Timeframe } from '../../diagnostics/timeframe.js';
import type { Turn } from '../giving-way.js';
import type { ChartWhen } from './questions.js';

/** One question about what charts of a Grid show: when, by a clock (ms since 1970) that is read once for all of them. */
export interface ChartQuestion {
  readonly gridId: string;
  readonly when: ChartWhen;
  readonly clockMs: number;
  readonly turn: Turn;
}

export interface ChartTime {
  readonly range: Timeframe;
  /** Nothing after it shows. */
  readonly nowMs: number;
}

/** What a client's words about time mean. A moment before the running minute rounds down, so that no chart knows its future. */
export function chartTime({ fromMs, toMs, asOfMs }: ChartWhen, clockMs: number): ChartTime {
  const isPast = asOfMs !== undefined && asOfMs < floorMinute(clockMs);
  const nowMs = isPast ? floorMinute(asOfMs) : Math.min(asOfMs ?? clockMs, clockMs);
  const endMs = toMs ?? nowMs;
  return { range: { fromMs: fromMs ?? endMs - HOUR_MS, toMs: endMs }, nowMs };
}
