import { HOUR_MS } from '../../diagnostics/chart-series/frame.js';
import { floorMinute, type Timeframe } from '../../diagnostics/timeframe.js';
import type { ChartWhen } from './questions.js';

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
