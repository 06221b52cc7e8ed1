/**
 * In the order of POINT_GAUGE and the following constants (telemetry/columns/metric-batch-columns.ts), which stored
 * rollups use too.
 */
export const METRIC_KINDS = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];
