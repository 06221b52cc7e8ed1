import fc from 'fast-check';
import { attributes, text, time, type KeyValue } from './otlp-model.js';

/** Metrics requests as plain objects with the names of the .proto files, see otlp-model.ts. */
export interface DataPoint {
  readonly attributes: KeyValue[];
  readonly startTimeUnixNano: bigint;
  readonly timeUnixNano: bigint;
  readonly flags: number;
  readonly asDouble?: number;
  readonly asInt?: bigint;
  readonly count?: bigint;
  readonly sum?: number;
  readonly min?: number;
  readonly max?: number;
  readonly quantileValues?: { readonly quantile: number; readonly value: number }[];
}

export interface MetricData {
  readonly dataPoints: DataPoint[];
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}

/** One of the five kinds is there. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly gauge?: MetricData;
  readonly sum?: MetricData;
  readonly histogram?: MetricData;
  readonly exponentialHistogram?: MetricData;
  readonly summary?: MetricData;
}

export interface MetricRequest {
  readonly resourceMetrics: { readonly resource?: { attributes: KeyValue[] }; readonly scopeMetrics: { readonly metrics: Metric[] }[] }[];
}

const double = fc.oneof(fc.double(), fc.constantFrom(0, 0.25, 1, NaN, Infinity, -Infinity));
const signed = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(0n, -1n, 1n, -(2n ** 63n), 2n ** 53n));
const unsigned = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const optional = fc.option(double, { nil: undefined });

const point = {
  attributes,
  startTimeUnixNano: fc.oneof(fc.constant(0n), time),
  timeUnixNano: time,
  flags: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
};
const number = fc.oneof(
  fc.record({ ...point, asDouble: double }),
  fc.record({ ...point, asInt: signed }),
  fc.record(point),
);
const distribution = fc.record({ ...point, count: unsigned, sum: optional, min: optional, max: optional });
const summary = fc.record({ ...point, count: unsigned, sum: double, quantileValues: fc.array(fc.record({ quantile: fc.constantFrom(0, 0.5, 0.99, 1), value: double }), { maxLength: 3 }) });

const listOf = (points: fc.Arbitrary<DataPoint>): fc.Arbitrary<DataPoint[]> => fc.array(points, { maxLength: 4 });
const aggregationTemporality = fc.integer({ min: 0, max: 3 });
const named = { name: text, unit: text };

export const metric: fc.Arbitrary<Metric> = fc.oneof(
  fc.record({ ...named, gauge: fc.record({ dataPoints: listOf(number) }) }),
  fc.record({ ...named, sum: fc.record({ dataPoints: listOf(number), aggregationTemporality, isMonotonic: fc.boolean() }) }),
  fc.record({ ...named, histogram: fc.record({ dataPoints: listOf(distribution), aggregationTemporality }) }),
  fc.record({ ...named, exponentialHistogram: fc.record({ dataPoints: listOf(distribution), aggregationTemporality }) }),
  fc.record({ ...named, summary: fc.record({ dataPoints: listOf(summary) }) }),
);

const resource = fc.option(fc.record({ attributes }), { nil: undefined });

export const metricRequest: fc.Arbitrary<MetricRequest> = fc.record({
  resourceMetrics: fc.array(
    fc.record({ resource, scopeMetrics: fc.array(fc.record({ metrics: fc.array(metric, { maxLength: 3 }) }), { maxLength: 2 }) }),
    { maxLength: 3 },
  ),
});
