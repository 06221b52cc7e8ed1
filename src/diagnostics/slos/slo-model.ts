/** Lengths of the window of an objective, in days. */
export const SLO_WINDOW_DAYS = [7, 28, 30] as const;
/** Windows that a calendar has: weeks that begin on Monday, and months. */
export const CALENDAR_WINDOW_DAYS: readonly number[] = [7, 30];
export const INDICATOR_TYPES = ['availability', 'latency', 'query'] as const;
export type IndicatorType = (typeof INDICATOR_TYPES)[number];
/** Signals whose records are events: points of metrics are not. */
export const INDICATOR_SIGNALS = ['spans', 'logs'] as const;
export type IndicatorSignal = (typeof INDICATOR_SIGNALS)[number];

export const SLO_BOUNDS = {
  nameLength: 200,
  serviceNameLength: 1_024,
  operationLength: 1_024,
  thresholdMs: 86_400_000,
  whereLength: 4_096,
  slosOfAGrid: 50,
  /** Longest range of a backtest. */
  backtestDays: { min: 1, max: 28 },
} as const;

/**
 * Which events count, and which of them are good. Empty texts and 0 stand for what the type does not have.
 *
 * - `availability`: entry spans of a service (and operation); good are those whose status is not ERROR.
 * - `latency`: the same spans; good are those that took less than `thresholdMs`, whatever their status.
 * - `query`: records of `signal` that meet the condition `all`; good are those that also meet `good`.
 */
export interface Indicator {
  readonly type: IndicatorType;
  readonly serviceName: string;
  readonly operation: string;
  readonly thresholdMs: number;
  readonly signal: IndicatorSignal | '';
  readonly good: string;
  readonly all: string;
}

/** A service level objective of a Grid. */
export interface Slo {
  readonly id: string;
  readonly name: string;
  readonly indicator: Indicator;
  /** Percentage of events that must be good, above 0 and below 100. */
  readonly objective: number;
  readonly windowDays: number;
  /** True: the window begins with the week or month (UTC). False: it ends now. */
  readonly calendar: boolean;
  /** Whether burn rates raise alerts. */
  readonly alerts: boolean;
  /** Whether events in planned maintenance count neither as good nor as bad. Absent: false. */
  readonly excludesMaintenance?: boolean;
}

/** Events that an indicator counted. */
export interface EventCounts {
  readonly good: number;
  readonly total: number;
}

export const NO_EVENTS: EventCounts = { good: 0, total: 0 };

export function addCounts(a: EventCounts, b: EventCounts): EventCounts {
  return { good: a.good + b.good, total: a.total + b.total };
}

/** The same text for indicators that count the same. */
export function formatIndicator({ type, serviceName, operation, thresholdMs, signal, good, all }: Indicator): string {
  return JSON.stringify([type, serviceName, operation, thresholdMs, signal, good, all]);
}
