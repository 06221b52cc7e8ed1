import type { AlertMetric, AlertRule } from '../alert-rule.js';
import { apdexOf, averageMs, errorRateOf, percentileMs } from '../measures.js';
import { ACTIVE_MS } from '../pressure.js';
import { round2, round3 } from '../rounding.js';
import { MINUTE_MS, secondsOf, type Timeframe } from '../timeframe.js';
import type { ServiceWindow } from './sliding-window.js';

type Value = (window: ServiceWindow, seconds: number) => number;

const VALUES: Readonly<Record<Exclude<AlertMetric, 'pressure'>, Value>> = {
  error_rate: ({ requests }) => errorRateOf(requests),
  latency_avg: ({ requests }) => averageMs(requests),
  latency_p50: (window) => percentileMs(window, 50),
  latency_p95: (window) => percentileMs(window, 95),
  latency_p99: (window) => percentileMs(window, 99),
  apdex: ({ requests }) => apdexOf(requests),
  request_rate: ({ requests }, seconds) => requests.count / seconds,
};

/**
 * The metric of a rule over one service's window, not rounded. Undefined without ground to judge by: fewer requests than
 * the rule wants, none at all, or for pressure no reading of the last 5 minutes, as /pressure has it. No data is not bad.
 */
export function valueOf({ metric, minRequests }: Pick<AlertRule, 'metric' | 'minRequests'>, window: ServiceWindow, frame: Timeframe, nowMs: number): number | undefined {
  if (metric === 'pressure') return window.utilization(Math.floor((nowMs - ACTIVE_MS) / MINUTE_MS));
  return window.requests.count >= Math.max(1, minRequests) ? VALUES[metric](window, secondsOf(frame, nowMs)) : undefined;
}

export function roundedValue(metric: AlertMetric, value: number): number {
  return metric === 'apdex' ? round3(value) : round2(value);
}
