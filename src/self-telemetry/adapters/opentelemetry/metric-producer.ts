import type { Attributes, HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricSnapshot } from '../../prometheus-metrics.js';

type Samples = MetricSnapshot['values'];

/** Exposes the Prometheus metrics of `/metrics` to the OpenTelemetry SDK. */
export function createMetricProducer(
  read: () => Promise<readonly MetricSnapshot[]>,
  resource: Resource,
  now: () => number = Date.now,
): MetricProducer {
  const startTime = toHrTime(now());
  return {
    async collect() {
      const times = { startTime, endTime: toHrTime(now()) };
      const metrics = (await read()).flatMap((metric) => toMetricData(metric, times) ?? []);
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'hindsight' }, metrics }] }, errors: [] };
    },
  };
}

interface TimeRange {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Undefined for types that OTLP deprecated, such as summaries. */
function toMetricData({ name, help, type, values }: MetricSnapshot, times: TimeRange): MetricData | undefined {
  const descriptor = {
    name,
    description: help,
    unit: name.includes('_seconds') ? 's' : name.includes('_bytes') ? 'By' : '1',
    valueType: ValueType.DOUBLE,
  };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: toDataPoints(values, times) };
  if (type === 'gauge')
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: toDataPoints(values, times) };
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistogramPoints(values, times) };
  return undefined;
}

function toDataPoints(values: Samples, times: TimeRange): DataPoint<number>[] {
  return values.map(({ value, labels }) => ({ ...times, attributes: toAttributes(labels), value }));
}

function toHistogramPoints(values: Samples, times: TimeRange): DataPoint<Histogram>[] {
  const series = new Map<string, Samples[number][]>();
  for (const sample of values) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return [...series].map(([key, samples]) => ({
    ...times,
    attributes: toAttributes(JSON.parse(key) as Samples[number]['labels']),
    value: toHistogram(samples),
  }));
}

/** Prometheus buckets are cumulative, OTLP buckets are not; the last one has no bound. */
function toHistogram(samples: Samples): Histogram {
  const selectSamples = (ending: string) => samples.filter(({ metricName }) => metricName?.endsWith(ending));
  const cumulative = selectSamples('_bucket')
    .map(({ labels, value }) => ({ bound: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value }))
    .sort((a, b) => a.bound - b.bound);
  return {
    buckets: {
      boundaries: cumulative.map(({ bound }) => bound).filter(Number.isFinite),
      counts: cumulative.map(({ value }, index) => value - (cumulative[index - 1]?.value ?? 0)),
    },
    sum: selectSamples('_sum')[0]?.value ?? 0,
    count: selectSamples('_count')[0]?.value ?? 0,
  };
}

function toAttributes(labels: Samples[number]['labels']): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
