import type { HistogramBuckets, Exemplar, QuantileValue } from '../metric-distributions.js';
import { doubleCapacity, MIN_ROW_CAPACITY } from './column-capacity.js';
import { StringInterner } from './string-interner.js';

/** Values of `kind`: the type of a data point. */
export const POINT_GAUGE = 0;
export const POINT_SUM = 1;
export const POINT_HISTOGRAM = 2;
export const POINT_EXPONENTIAL_HISTOGRAM = 3;
export const POINT_SUMMARY = 4;

/** Values of `temporality` (opentelemetry/proto/metrics/v1 AggregationTemporality); 0 if not applicable. */
export const TEMPORALITY_DELTA = 1;
export const TEMPORALITY_CUMULATIVE = 2;

/**
 * Data points of export requests as columns, analogous to SpanColumns. Sparse values (buckets, quantiles, exemplars)
 * are stored in lists by row.
 */
export interface MetricColumns {
  count: number;
  kind: Uint8Array;
  temporality: Uint8Array;
  /** 1 for a monotonic sum. */
  monotonic: Uint8Array;
  timeUs: Float64Array;
  /** Nanoseconds beyond `timeUs`, 0 to 999. */
  timeNs: Uint16Array;
  /** Start of the interval that a cumulative or delta point covers; 0 if unknown. */
  startUs: Float64Array;
  /**
   * Gauge and sum: the value. Other kinds: the sum of the observations. NaN if absent. Infinities and NaN are stored as
   * sent.
   */
  value: Float64Array;
  /** Histograms and summaries: number of observations; gauges and sums: 1. */
  observations: Float64Array;
  /**
   * Smallest and largest observation: the value itself for gauges and sums, quantiles 0 and 1 for summaries. NaN if
   * unknown.
   */
  min: Float64Array;
  max: Float64Array;
  metric: Uint32Array;
  unit: Uint32Array;
  service: Uint32Array;
  /** Attributes of the point in canonical form: JSON of [key, string form] pairs by key ascending. */
  attributes: Uint32Array;
  resource: Uint32Array;
  revision: Uint32Array;
  /** Byte offset of the data point message in the decompressed body, and its length. */
  offset: Uint32Array;
  length: Uint32Array;
  /**
   * By row; undefined for a point without buckets. `length` may be smaller than `count`. Sizes are within
   * DATA_POINT_LIMITS. Explicit bounds are finite and ascending, with one more count than bounds; points may share a
   * bounds array. Exponential buckets are as sent, without empty buckets at the ends.
   */
  buckets: (HistogramBuckets | undefined)[];
  /** By quantile ascending, without duplicates; values are finite. */
  quantiles: (readonly QuantileValue[] | undefined)[];
  /** By value descending, then time, trace id and span id ascending; values are finite. */
  exemplars: (readonly Exemplar[] | undefined)[];
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  resourceVersions: number[];
  resourceInstances: number[];
  /**
   * Names, units, services, attributes; survives `clear()`, which replaces it once it is large (see
   * StringInterner.isLarge).
   */
  strings: StringInterner;
  /** Attribute keys of data points and resources seen since the last `clear()`. */
  keys: Set<string>;
  clear(): void;
}

/** Creates empty columns with capacity for `capacity` rows; they grow on demand. */
export function createMetricColumns(capacity = 1024): MetricColumns {
  return new GrowingMetricColumns(Math.max(MIN_ROW_CAPACITY, capacity));
}

class GrowingMetricColumns implements MetricColumns {
  count = 0;
  timeNs: Uint16Array;
  kind: Uint8Array;
  temporality: Uint8Array;
  monotonic: Uint8Array;
  timeUs: Float64Array;
  startUs: Float64Array;
  value: Float64Array;
  observations: Float64Array;
  min: Float64Array;
  max: Float64Array;
  metric: Uint32Array;
  unit: Uint32Array;
  service: Uint32Array;
  attributes: Uint32Array;
  resource: Uint32Array;
  revision: Uint32Array;
  offset: Uint32Array;
  length: Uint32Array;
  buckets: (HistogramBuckets | undefined)[] = [];
  quantiles: (readonly QuantileValue[] | undefined)[] = [];
  exemplars: (readonly Exemplar[] | undefined)[] = [];
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[] = [];
  resourceVersions: number[] = [];
  resourceInstances: number[] = [];
  strings = new StringInterner();
  keys = new Set<string>();

  constructor(rows: number) {
    this.kind = new Uint8Array(rows);
    this.temporality = new Uint8Array(rows);
    this.monotonic = new Uint8Array(rows);
    this.timeUs = new Float64Array(rows);
    this.timeNs = new Uint16Array(rows);
    this.startUs = new Float64Array(rows);
    this.value = new Float64Array(rows);
    this.observations = new Float64Array(rows);
    this.min = new Float64Array(rows);
    this.max = new Float64Array(rows);
    this.metric = new Uint32Array(rows);
    this.unit = new Uint32Array(rows);
    this.service = new Uint32Array(rows);
    this.attributes = new Uint32Array(rows);
    this.resource = new Uint32Array(rows);
    this.revision = new Uint32Array(rows);
    this.offset = new Uint32Array(rows);
    this.length = new Uint32Array(rows);
  }

  clear(): void {
    this.count = 0;
    this.buckets = [];
    this.quantiles = [];
    this.exemplars = [];
    this.resourceTokens = [];
    this.resourceVersions = [];
    this.resourceInstances = [];
    this.keys.clear();
    if (this.strings.isLarge) this.strings = new StringInterner();
  }
}

/** Ensures capacity for one more row. */
export function reserveDataPointRow(columns: MetricColumns): void {
  if (columns.count < columns.timeUs.length) return;
  columns.kind = doubleCapacity(columns.kind);
  columns.temporality = doubleCapacity(columns.temporality);
  columns.monotonic = doubleCapacity(columns.monotonic);
  columns.timeUs = doubleCapacity(columns.timeUs);
  columns.timeNs = doubleCapacity(columns.timeNs);
  columns.startUs = doubleCapacity(columns.startUs);
  columns.value = doubleCapacity(columns.value);
  columns.observations = doubleCapacity(columns.observations);
  columns.min = doubleCapacity(columns.min);
  columns.max = doubleCapacity(columns.max);
  columns.metric = doubleCapacity(columns.metric);
  columns.unit = doubleCapacity(columns.unit);
  columns.service = doubleCapacity(columns.service);
  columns.attributes = doubleCapacity(columns.attributes);
  columns.resource = doubleCapacity(columns.resource);
  columns.revision = doubleCapacity(columns.revision);
  columns.offset = doubleCapacity(columns.offset);
  columns.length = doubleCapacity(columns.length);
}
