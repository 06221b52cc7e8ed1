import type { Percentiles, Trends } from './answers.js';
import { changePercent, trendOf } from './change-percent.js';
import type { DiagnosticsInput } from './input.js';
import { errorRateOf, gridTotal, percentileMs } from './measures.js';
import { round2 } from './rounding.js';
import type { Measures } from './rollups.js';
import { secondsOf, type Frames } from './timeframe.js';

/** The window against its baseline, over the entry spans of all services. Latency goes by its p95. */
export function trends({ grids }: Pick<DiagnosticsInput, 'grids'>, { nowMs, current, baseline }: Frames): Trends {
  const now = gridTotal(grids, current);
  const before = gridTotal(grids, baseline);
  const rps = now.count / secondsOf(current, nowMs);
  const rpsBefore = before.count / secondsOf(baseline, nowMs);
  return {
    latency: { ...change(percentileMs(now, 95), percentileMs(before, 95)), current: percentilesOf(now), baseline: percentilesOf(before) },
    errorRate: { ...change(errorRateOf(now), errorRateOf(before)), current: round2(errorRateOf(now)), baseline: round2(errorRateOf(before)) },
    throughput: { ...change(rps, rpsBefore), currentRps: round2(rps), baselineRps: round2(rpsBefore) },
  };
}

function change(current: number, baseline: number): Pick<Trends['latency'], 'trend' | 'changePercent'> {
  const percent = changePercent(current, baseline);
  return { trend: trendOf(percent), changePercent: round2(percent) };
}

function percentilesOf(measures: Measures): Percentiles {
  return { p50: round2(percentileMs(measures, 50)), p95: round2(percentileMs(measures, 95)), p99: round2(percentileMs(measures, 99)) };
}
