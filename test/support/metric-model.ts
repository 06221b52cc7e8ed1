import fc from 'fast-check';
import {
  POINT_EXPONENTIAL_HISTOGRAM,
  POINT_GAUGE,
  POINT_HISTOGRAM,
  POINT_SUM,
  POINT_SUMMARY,
} from '../../src/telemetry/columns/metric-batch-columns.js';
import { attributes, text, time, type KeyValue } from './otlp-model.js';

/** Metrics requests as plain objects with the field names of the .proto files; see otlp-model.ts. */
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
  readonly explicitBounds?: number[];
  readonly bucketCounts?: bigint[];
  readonly scale?: number;
  readonly zeroCount?: bigint;
  readonly zeroThreshold?: number;
  readonly positive?: ModelRun;
  readonly negative?: ModelRun;
  readonly exemplars?: ModelExemplar[];
}

export interface ModelRun {
  readonly offset: number;
  readonly bucketCounts: bigint[];
}

export interface ModelExemplar {
  readonly timeUnixNano: bigint;
  readonly asDouble?: number;
  readonly asInt?: bigint;
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
}

export interface MetricData {
  readonly dataPoints: DataPoint[];
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}

/** Exactly one of the five kinds is present. */
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
  readonly resourceMetrics: {
    readonly resource?: { attributes: KeyValue[] };
    readonly scopeMetrics: { readonly metrics: Metric[] }[];
  }[];
}

const double = fc.oneof(fc.double(), fc.constantFrom(0, 0.25, 1, NaN, Infinity, -Infinity));
const signed = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 1n, -(2n ** 63n), 2n ** 53n),
);
const unsigned = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const optional = fc.option(double, { nil: undefined });

const point = {
  attributes,
  startTimeUnixNano: fc.oneof(fc.constant(0n), time),
  timeUnixNano: time,
  flags: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
};
const idOf = (bytes: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.uint8Array({ minLength: bytes, maxLength: bytes }),
    fc.constantFrom(new Uint8Array(bytes), new Uint8Array(), new Uint8Array(bytes - 1).fill(1)),
  );
/** Times up to the year 2116, so that microseconds are exact. */
const exemplar = {
  timeUnixNano: fc.oneof(fc.constantFrom(0n, 1_000n), fc.bigInt({ min: 0n, max: 2n ** 62n })),
  traceId: idOf(16),
  spanId: idOf(8),
};
/** Few different values, so that many are equal. */
const exemplars = fc.array(
  fc.oneof(
    fc.record({ ...exemplar, asDouble: fc.oneof(fc.constantFrom(1, 2, 3), double) }),
    fc.record({ ...exemplar, asInt: fc.oneof(fc.constantFrom(1n, 2n, 3n), signed) }),
    fc.record(exemplar),
  ),
  { maxLength: 7 },
);
const number = fc.oneof(
  fc.record({ ...point, asDouble: double, exemplars }),
  fc.record({ ...point, asInt: signed, exemplars }),
  fc.record(point),
);
const distribution = { ...point, count: unsigned, sum: optional, min: optional, max: optional, exemplars };

const counts = (length: number): fc.Arbitrary<bigint[]> =>
  fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 300n }), unsigned), { minLength: length, maxLength: length });
const ascending = fc
  .uniqueArray(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true })), {
    maxLength: 6,
    comparator: (a, b) => a === b,
  })
  .map((bounds) => bounds.sort((a, b) => a - b));
const explicit = fc.oneof(
  {
    weight: 4,
    arbitrary: ascending.chain((explicitBounds) =>
      fc.record({
        ...distribution,
        explicitBounds: fc.constant(explicitBounds),
        bucketCounts: counts(explicitBounds.length + 1),
      }),
    ),
  },
  fc.record({ ...distribution, explicitBounds: fc.array(double, { maxLength: 3 }), bucketCounts: counts(2) }),
  fc.record(distribution),
);

const run = fc.option(
  fc.record({
    offset: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer()),
    bucketCounts: fc.array(fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 300n }), unsigned), { maxLength: 6 }),
  }),
  { nil: undefined },
);
const exponential = fc.record({
  ...distribution,
  scale: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -12, max: 21 }) }, fc.integer()),
  zeroCount: unsigned,
  zeroThreshold: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 0.001) }, double),
  positive: run,
  negative: run,
});

const quantileValue = fc.record({ quantile: fc.oneof(fc.constantFrom(0, 0.5, 0.99, 1), double), value: double });
const summary = fc.record({
  ...point,
  count: unsigned,
  sum: double,
  quantileValues: fc.array(quantileValue, { maxLength: 6 }),
});

const listOf = (points: fc.Arbitrary<DataPoint>): fc.Arbitrary<DataPoint[]> => fc.array(points, { maxLength: 4 });
const aggregationTemporality = fc.integer({ min: 0, max: 3 });
const named = { name: text, unit: text };

export const metric: fc.Arbitrary<Metric> = fc.oneof(
  fc.record({ ...named, gauge: fc.record({ dataPoints: listOf(number) }) }),
  fc.record({
    ...named,
    sum: fc.record({ dataPoints: listOf(number), aggregationTemporality, isMonotonic: fc.boolean() }),
  }),
  fc.record({ ...named, histogram: fc.record({ dataPoints: listOf(explicit), aggregationTemporality }) }),
  fc.record({ ...named, exponentialHistogram: fc.record({ dataPoints: listOf(exponential), aggregationTemporality }) }),
  fc.record({ ...named, summary: fc.record({ dataPoints: listOf(summary) }) }),
);

const resource = fc.option(fc.record({ attributes }), { nil: undefined });

export const metricRequest: fc.Arbitrary<MetricRequest> = fc.record({
  resourceMetrics: fc.array(
    fc.record({
      resource,
      scopeMetrics: fc.array(fc.record({ metrics: fc.array(metric, { maxLength: 3 }) }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
});

/** A point of a request with its metric and resource. `ordinal` numbers the points of all kinds. */
export interface ModelPoint {
  readonly metric: Metric;
  readonly kind: number;
  readonly data: MetricData;
  readonly point: DataPoint;
  readonly resource: readonly KeyValue[];
  readonly ordinal: number;
}

/** In the order of the encoded body. */
export function pointsOf(request: MetricRequest): ModelPoint[] {
  return request.resourceMetrics
    .flatMap(({ resource, scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) =>
        metrics.flatMap((metric) => dataOf(metric).map((each) => ({ ...each, resource: resource?.attributes ?? [] }))),
      ),
    )
    .map((each, ordinal) => ({ ...each, ordinal }));
}

function dataOf(metric: Metric): Omit<ModelPoint, 'resource' | 'ordinal'>[] {
  const kinds = [
    [POINT_GAUGE, metric.gauge],
    [POINT_SUM, metric.sum],
    [POINT_HISTOGRAM, metric.histogram],
    [POINT_EXPONENTIAL_HISTOGRAM, metric.exponentialHistogram],
    [POINT_SUMMARY, metric.summary],
  ] as const;
  return kinds.flatMap(([kind, data]) => data?.dataPoints.map((point) => ({ metric, kind, data, point })) ?? []);
}

/** Whether the point has a value. */
export function hasValue({ point }: ModelPoint): boolean {
  return point.flags % 2 === 0;
}
