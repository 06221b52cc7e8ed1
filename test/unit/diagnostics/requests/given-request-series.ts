import type { MetricRollup, MetricSeriesRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';

export type Attributes = Readonly<Record<string, string>>;

const NOTHING = { points: 1, min: NaN, max: NaN, last: 0, lastUs: 0, buckets: [], quantiles: [], exemplars: [] };

/** A histogram whose observations all take `each` in its unit. */
export function timedSeries(
  metric: string,
  unit: string,
  attributes: Attributes,
  { count = 10, each = 0.2, more = {} }: { count?: number; each?: number; more?: Partial<MetricSeriesRollup> } = {},
): MetricSeriesRollup {
  return {
    ...NOTHING,
    metric,
    unit,
    kind: 'histogram',
    monotonic: false,
    instance: '',
    attributes: Object.entries(attributes),
    count,
    sum: count * each,
    buckets: [],
    ...more,
  };
}

export function counterSeries(metric: string, attributes: Attributes, count = 10): MetricSeriesRollup {
  return {
    ...NOTHING,
    metric,
    unit: '1',
    kind: 'sum',
    monotonic: true,
    instance: '',
    attributes: Object.entries(attributes),
    count: 1,
    sum: count,
  };
}

export function metricsOf(service: string, ...series: readonly MetricSeriesRollup[]): MetricRollup {
  return { service, series };
}
