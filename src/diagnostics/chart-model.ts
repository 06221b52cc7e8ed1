/**
 * How a chart is drawn. `value`, `top_list` and `table` show one value of each series, over the whole range; `heatmap` how
 * many spans took how long, over time; the others a value for each step.
 */
export const CHART_TYPES = ['line', 'bar', 'area', 'value', 'top_list', 'table', 'heatmap'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

const WHOLE_RANGE_TYPES: ReadonlySet<ChartType> = new Set(['value', 'top_list', 'table']);

/** Whether a chart shows one value of each series, over the whole range. */
export function isOverWholeRange(type: ChartType): boolean {
  return WHOLE_RANGE_TYPES.has(type);
}

/** Whether a chart draws values over time, to which thresholds and deployments belong. */
export function isOverTime(type: ChartType): boolean {
  return type === 'line' || type === 'bar' || type === 'area';
}

/** The field by which the query of a heatmap groups: the lower bound of the bucket of a duration, in ms. */
export const HEATMAP_FIELD = 'durationBucket';

/**
 * Metrics that Hindsight derives from traces and logs. `latency` plots p50, p95 and p99 in one chart. Any other name
 * denotes an OTLP metric.
 */
export const DERIVED_METRICS = [
  'request_rate',
  'error_rate',
  'latency',
  'latency_avg',
  'latency_p50',
  'latency_p95',
  'latency_p99',
  'apdex',
  'log_rate',
  'error_log_rate',
] as const;
export type DerivedMetric = (typeof DERIVED_METRICS)[number];

/** Default units of their values; a chart may override them. */
export const DERIVED_UNITS: Readonly<Record<DerivedMetric, string>> = {
  request_rate: 'req/s',
  error_rate: '%',
  latency: 'ms',
  latency_avg: 'ms',
  latency_p50: 'ms',
  latency_p95: 'ms',
  latency_p99: 'ms',
  apdex: '',
  log_rate: 'logs/s',
  error_log_rate: 'logs/s',
};

export function isDerivedMetric(metric: unknown): metric is DerivedMetric {
  return (DERIVED_METRICS as readonly unknown[]).includes(metric);
}

/**
 * How the data points of an OTLP metric are combined into one value per step; "" selects the default for the kind of
 * the metric. See chart-series/.
 */
export const AGGREGATIONS = ['avg', 'sum', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/**
 * Metric of the charts of service level objectives: the error budget that each has left at the end of the range, in per
 * cent.
 */
export const ERROR_BUDGET_METRIC = 'hindsight.slo.error_budget';

/** Whether the values of a chart come from others than the rollups: a query, or the objectives. */
export function isAnsweredElsewhere(metric: string, hasQuery: boolean): boolean {
  return hasQuery || metric === ERROR_BUDGET_METRIC;
}

/** Metric of the charts of queries. */
export const QUERY_METRIC = 'query';

/** The query of a chart: that of a saved view without step and order. Empty texts and 0 stand for what it leaves out. */
export interface ChartQueryDefinition {
  readonly signal: string;
  readonly where: string;
  readonly groupBy: readonly string[];
  readonly select: readonly { readonly fn: string; readonly field: string; readonly as: string }[];
  /** Number of groups that are drawn; 0: the default. */
  readonly limit: number;
}

/** A chart as its author defines it. */
export interface NewChart {
  readonly title: string;
  readonly chartType: ChartType;
  /** One of DERIVED_METRICS, or the name of an OTLP metric. */
  readonly metric: string;
  /** "": all services of the Grid. */
  readonly serviceName: string;
  /**
   * "": no grouping. Metrics derived from spans: `service`, `operation`. Derived from logs: `service`, `severity`. OTLP
   * metrics: `service`, `instance`, or any other text, the key of a data point attribute.
   */
  readonly groupBy: string;
  /** Always "" for derived metrics. */
  readonly aggregation: Aggregation | '';
  /** "": the default unit of the metric. */
  readonly unit: string;
  /** Only if the metric is QUERY_METRIC. Absent then: an OTLP metric of that name. */
  readonly query?: ChartQueryDefinition;
}

export interface Chart extends NewChart {
  /** UUID. */
  readonly id: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Cells in a grid of DASHBOARD_COLUMNS columns; rows and columns count from 0. */
export interface ChartPosition {
  readonly row: number;
  readonly col: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedChart {
  readonly chartId: string;
  readonly position: ChartPosition;
}

/** A dashboard as its author defines it. */
export interface NewDashboard {
  readonly title: string;
  readonly description: string;
  /** In display order. Positions do not overlap. */
  readonly charts: readonly PlacedChart[];
  /** Fields by whose values a viewer narrows all charts, as queries name them; absent if there are none. */
  readonly variables?: readonly string[];
}

export interface Dashboard extends NewDashboard {
  /** UUID. */
  readonly id: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const DASHBOARD_COLUMNS = 12;

export const CHART_BOUNDS = {
  titleLength: 200,
  descriptionLength: 2_000,
  /** Of metric, service, group and unit. */
  nameLength: 1_024,
  chartsOfAGrid: 1_000,
  dashboardsOfAGrid: 200,
  chartsOfADashboard: 100,
  variablesOfADashboard: 5,
  /** As of the names of fields in queries. */
  variableLength: 256,
  /** Groups that a chart of a query draws. */
  groupsOfAQuery: 20,
  /** Rows of a dashboard: no position extends beyond the last one. */
  rows: 1_000,
} as const;
