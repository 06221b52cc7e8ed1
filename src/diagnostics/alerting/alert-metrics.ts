/*
 * What alert rules can watch: a metric is a row here and a formula in the evaluator. Pure data without imports, because the
 * portal imports it as well.
 */

export interface AlertMetricDefinition {
  /** As people read it beside a value: "Request rate above 50 requests/s". */
  readonly title: string;
  /** The title where nothing stands beside it, as in a list to choose from. Absent: `title`. */
  readonly choiceTitle?: string;
  /** Unit of values and thresholds, as people read it; "" for a plain number. */
  readonly unit: AlertMetricUnit;
  /** The unit after the threshold of a condition, such as `error_rate > 5%`. Part of events and API: MUST stay. */
  readonly conditionSuffix: string;
  /** Decimals of values in results; comparisons use exact values. */
  readonly decimals: number;
  /** Largest meaningful threshold, in the unit; the smallest is 0. */
  readonly maxThreshold: number;
  /** The built-in chart of each service that shows the metric, and which of its lines; absent: there is none. */
  readonly chart?: { readonly metric: string; readonly line?: string };
}

export type AlertMetricUnit = '%' | 'ms' | 'requests/s' | '';

/**
 * Exceptions of an error group that occurs for the first time, or again after it was resolved: of each such group. Only while
 * the first exception is in the window: a group that could not fire by then, because that exception arrived late, nothing was
 * evaluated, or too many alerts were open, does not fire later.
 */
export const NEW_ERRORS = 'new_errors';

const DAY_MS = 86_400_000;
const PERCENTAGE = { unit: '%', conditionSuffix: '%', decimals: 2 } as const;
const LATENCY = { unit: 'ms', conditionSuffix: 'ms', decimals: 2, maxThreshold: DAY_MS } as const;

/** In the order in which people choose from them. All but `new_errors` are figures of a service. */
const DEFINITIONS = {
  error_rate: { title: 'Error rate', ...PERCENTAGE, maxThreshold: 100, chart: { metric: 'error_rate' } },
  latency_avg: { title: 'Average latency', ...LATENCY },
  latency_p50: { title: 'Latency p50', ...LATENCY, chart: { metric: 'latency', line: 'p50' } },
  latency_p95: { title: 'Latency p95', ...LATENCY, chart: { metric: 'latency', line: 'p95' } },
  latency_p99: { title: 'Latency p99', ...LATENCY, chart: { metric: 'latency', line: 'p99' } },
  apdex: {
    title: 'Apdex',
    unit: '',
    conditionSuffix: '',
    decimals: 3,
    maxThreshold: 1,
    chart: { metric: 'apdex' },
  },
  request_rate: {
    title: 'Request rate',
    choiceTitle: 'Requests per second',
    unit: 'requests/s',
    conditionSuffix: '/s',
    decimals: 2,
    maxThreshold: 1_000_000_000,
    chart: { metric: 'request_rate' },
  },
  /** Utilization of the fullest resource, which may exceed 100 %. */
  pressure: { title: 'Pressure', choiceTitle: 'Resource pressure', ...PERCENTAGE, maxThreshold: 1_000 },
  [NEW_ERRORS]: { title: 'New errors', unit: '', conditionSuffix: '', decimals: 2, maxThreshold: 1_000_000_000 },
} satisfies Record<string, AlertMetricDefinition>;

export type AlertMetric = keyof typeof DEFINITIONS;
/** Figures of a service that rules compare. */
export type ServiceMetric = Exclude<AlertMetric, typeof NEW_ERRORS>;

export const ALERT_METRIC_DEFINITIONS: Readonly<Record<AlertMetric, AlertMetricDefinition>> = DEFINITIONS;
export const ALERT_METRICS = Object.keys(DEFINITIONS) as readonly AlertMetric[];

export function isAlertMetric(metric: unknown): metric is AlertMetric {
  return (ALERT_METRICS as readonly unknown[]).includes(metric);
}
