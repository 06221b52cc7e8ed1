import type { Interner } from './interner.js';

/** What a data point is, as `kind` says it. */
export const POINT_GAUGE = 0;
export const POINT_SUM = 1;
export const POINT_HISTOGRAM = 2;
export const POINT_EXPONENTIAL_HISTOGRAM = 3;
export const POINT_SUMMARY = 4;

/** Values of `temporality` (opentelemetry/proto/metrics/v1 AggregationTemporality); 0 where it has no meaning. */
export const TEMPORALITY_DELTA = 1;
export const TEMPORALITY_CUMULATIVE = 2;

/**
 * Data points of export requests as columns, like SpanColumns. What only charts of a distribution need (buckets,
 * quantiles, exemplars) stays in the body at `offset`.
 */
export interface MetricColumns {
  count: number;
  kind: Uint8Array;
  temporality: Uint8Array;
  /** 1 for a monotonic sum. */
  monotonic: Uint8Array;
  timeUs: Float64Array;
  /** Start of what a cumulative or delta point covers; 0: not said. */
  startUs: Float64Array;
  /** Gauge and sum: the value. Others: the sum of the observations. NaN where there is none. */
  value: Float64Array;
  /** Histogram kinds and summary: observations; gauge and sum: 1. */
  observations: Float64Array;
  /** Smallest and largest observation; NaN where it is not said. */
  min: Float64Array;
  max: Float64Array;
  metric: Uint32Array;
  unit: Uint32Array;
  service: Uint32Array;
  /** Attributes of the point in canonical form: JSON of [key, string form] pairs by key ascending. */
  attributes: Uint32Array;
  resource: Uint32Array;
  revision: Uint32Array;
  offset: Uint32Array;
  length: Uint32Array;
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  resourceVersions: number[];
  resourceInstances: number[];
  strings: Interner;
  keys: Set<string>;
  clear(): void;
}
