import type { HistogramBuckets, Exemplar, QuantileValue } from '../metric-distributions.js';
import { doubleCapacity, MIN_ROW_CAPACITY } from './column-capacity.js';
import { StringInterner } from './string-interner.js';

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
 * Data points of export requests as columns, like SpanColumns. What few points have is kept in lists by row: buckets,
 * quantiles, exemplars.
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
  /** Gauge and sum: the value. Others: the sum of the observations. NaN where there is none. As sent, infinities and NaN too. */
  value: Float64Array;
  /** Histogram kinds and summary: observations; gauge and sum: 1. */
  observations: Float64Array;
  /** Smallest and largest observation: of gauges and sums the value, of summaries quantiles 0 and 1. NaN where it is not said. */
  min: Float64Array;
  max: Float64Array;
  metric: Uint32Array;
  unit: Uint32Array;
  service: Uint32Array;
  /** Attributes of the point in canonical form: JSON of [key, string form] pairs by key ascending. */
  attributes: Uint32Array;
  resource: Uint32Array;
  revision: Uint32Array;
  /** Byte offset of the data point message in the inflated body, and its length. */
  offset: Uint32Array;
  length: Uint32Array;
  /**
   * By row; undefined where a point has none. Filled by row, so that `length` may be smaller than `count`, and within
   * POINT_BOUNDS. Explicit bounds are finite and ascend, counts fit them; points may share a list of bounds. Exponential
   * ones are as told, less empty buckets at the ends.
   */
  buckets: (HistogramBuckets | undefined)[];
  /** By quantile ascending, each once; values are finite. */
  quantiles: (readonly QuantileValue[] | undefined)[];
  /** By value descending, then time, trace id and span id ascending; values are finite. */
  exemplars: (readonly Exemplar[] | undefined)[];
  resourceTokens: { tokens: Uint32Array; checks: Uint16Array }[];
  resourceVersions: number[];
  resourceInstances: number[];
  /** Names, units, services, attributes; survives `clear()`, and is replaced by it once it is large (see Interner.isLarge). */
  strings: StringInterner;
  /** Attribute keys seen since the last `clear()`, of data points and resources. */
  keys: Set<string>;
  clear(): void;
}

/** Empty columns with room for `capacity` rows; they grow by themselves. */
export function createMetricColumns(capacity = 1024): MetricColumns {
  return new GrowingMetricColumns(Math.max(MIN_ROW_CAPACITY, capacity));
}

class GrowingMetricColumns implements MetricColumns {
  count = 0;
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

/** Makes room for one more row. */
export function reserveDataPointRow(columns: MetricColumns): void {
  if (columns.count < columns.timeUs.length) return;
  columns.kind = doubleCapacity(columns.kind);
  columns.temporality = doubleCapacity(columns.temporality);
  columns.monotonic = doubleCapacity(columns.monotonic);
  columns.timeUs = doubleCapacity(columns.timeUs);
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
