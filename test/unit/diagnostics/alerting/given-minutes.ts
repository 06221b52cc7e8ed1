import type { AlertMinute, MetricAlertRule, Backtest } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { BacktestRun } from '../../../../src/diagnostics/alerting/metric-rule-backtest.js';
import type { AlertRecord } from '../../../../src/diagnostics/diagnostics-input.js';
import type { ServiceTotals } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { MINUTE_MS, type TimeWindow } from '../../../../src/diagnostics/time-windows.js';

/** A whole minute. */
export const T0 = Date.UTC(2026, 10, 20, 12);

const KINDS = [0, 0, 0, 0, 0] as const;

/** What rules see of requests: T = 500 ms. */
export interface Requests {
  readonly service?: string;
  /** One duration (ms) a request. */
  readonly ms: readonly number[];
  readonly errors?: number;
}

export function totals({ service = 'shop', ms, errors = 0 }: Requests): ServiceTotals {
  const latency = new Sketch();
  for (const each of ms) latency.add(each * 1e6);
  const satisfied = ms.filter((each) => each <= 500).length;
  const tolerating = ms.filter((each) => each > 500 && each <= 2_000).length;
  const durationNs = ms.reduce((sum, each) => sum + each * 1e6, 0);
  return {
    service,
    count: ms.length,
    errors,
    durationNs,
    satisfied: Math.max(0, satisfied - errors),
    tolerating,
    latency,
    kinds: KINDS,
    entryKinds: KINDS,
  };
}

/** `at` counts minutes from T0. */
export function minute(
  at: number,
  requests: readonly Requests[],
  pressure: Readonly<Record<string, number>> = {},
): AlertMinute {
  const utilizations = Object.entries(pressure).map(([resource, utilization]) => ({
    service: 'shop',
    resource,
    utilization,
  }));
  return { minute: T0 / MINUTE_MS + at, services: requests.map(totals), utilizations };
}

/** 20 requests of which so many fail. */
export function failing(at: number, errors: number, service = 'shop'): AlertMinute {
  return minute(at, [{ service, ms: Array<number>(20).fill(100), errors }]);
}

export function rule(changes: Partial<MetricAlertRule> = {}): MetricAlertRule {
  return {
    id: 'r',
    name: 'High error rate',
    metric: 'error_rate',
    operator: '>',
    threshold: 5,
    severity: 'warning',
    windowMinutes: 15,
    forMinutes: 0,
    minRequests: 20,
    enabled: true,
    ...changes,
  };
}

export function after(minutes: number): number {
  return T0 + minutes * MINUTE_MS;
}

/** A backtest over minutes that are all at hand. */
export function backtest(
  rule: MetricAlertRule,
  minutes: Iterable<AlertMinute>,
  range: TimeWindow,
  nowMs: number,
  recorded: readonly AlertRecord[] = [],
): Backtest {
  const run = new BacktestRun(rule, range, nowMs);
  for (const minute of minutes) run.add(minute);
  return run.finish(recorded);
}
