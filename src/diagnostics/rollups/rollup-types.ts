import type { ValueRange } from './observed-range.js';
import {
  DATA_POINT_LIMITS,
  type HistogramBuckets,
  type Exemplar,
  type QuantileValue,
} from '../../telemetry/metric-distributions.js';
import type { MetricKind } from '../../telemetry/metric-kind.js';
import type { SpanKind } from '../../telemetry/span-kind.js';
import type { Sketch } from './sketch.js';

/**
 * Aggregated telemetry of one time bucket: a minute of event time (a span counts in the minute of its end, a log record
 * or data point in that of its time), or an hour, the sum of its minutes. Every diagnostic is computed from these
 * alone; only sample traces are read from the blocks. Durations are whole nanoseconds; sums are exact below 2^53.
 */

/** Replaces all names beyond the limits. */
export const OTHER_NAME = '__other__';

/** The virtual node for calls without any attribute that names a target (contract §5). */
export const UNKNOWN_TARGET = 'unknown';

/** Longer names count under `__other__`: they would be unusable in a list. */
export const MAX_NAME_LENGTH = 1_024;

export const ROLLUP_BOUNDS = {
  services: 1_000,
  /** Of one service. */
  operations: 2_000,
  /** Child operations that one operation calls. */
  calls: 64,
  /** Distinct (type, message) of one service and minute. */
  exceptions: 200,
  /** Identities stored of each exception, to recognise one recorded by both a span and a log record. */
  exceptionIds: 1_024,
  versions: 50,
  instances: 1_000,
  /** Edges of one Grid and minute. */
  edges: 20_000,
  /** Log templates of one service. */
  templates: 500,
  /** Metric series of one Grid. */
  series: 10_000,
  /** Buckets stored of one histogram: explicit ones with more are not stored, exponential ones lose resolution. */
  buckets: DATA_POINT_LIMITS.buckets,
  /** Bucket layouts of one series and time bucket; senders rarely change theirs. */
  layouts: 4,
  /** Exemplars of one series and time bucket: those with the largest values. */
  exemplars: DATA_POINT_LIMITS.exemplars,
} as const;

/** Requests or calls, added up. */
export interface Measures {
  readonly count: number;
  /** With status ERROR. */
  readonly errors: number;
  readonly durationNs: number;
  /** Without error, within T and within 4T of the Grid's Apdex threshold at the time of arrival. */
  readonly satisfied: number;
  readonly tolerating: number;
  /** Sketch of the durations in ns. */
  readonly latency: Sketch;
}

/** How often the spans of an operation had a child with this operation, in the minute of the parent's end. */
export interface ChildCalls {
  readonly service: string;
  readonly operation: string;
  readonly count: number;
}

/** Spans of one operation and kind; entry spans (contract §5) are separate from others. */
export interface OperationRollup extends Measures {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  /** Time not covered by children or by sibling remote calls of the same service. */
  readonly selfNs: number;
  readonly self: Sketch;
  /** Errors without a child in error: the error originated here. */
  readonly originErrors: number;
  readonly calls: readonly ChildCalls[];
}

export interface ExceptionRollup {
  readonly type: string;
  readonly message: string;
  readonly count: number;
  /**
   * 48-bit hashes of (trace, span, type, message) of exceptions that name a span, ascending, at most
   * ROLLUP_BOUNDS.exceptionIds: they identify exceptions recorded by both span and log.
   */
  readonly ids: readonly number[];
}

export interface VersionRollup {
  readonly version: string;
  readonly spans: number;
  /** Ends of the first and the last span in the time bucket, whole µs since 1970. */
  readonly firstUs: number;
  readonly lastUs: number;
}

export interface InstanceRollup {
  readonly instance: string;
  /** All spans of the instance. */
  readonly spans: number;
  /** Entry spans, their errors and durations. */
  readonly requests: number;
  readonly errors: number;
  readonly durationNs: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

/** Spans of one service. Lists are in ascending order of their names. */
export interface ServiceRollup {
  readonly service: string;
  readonly operations: readonly OperationRollup[];
  /** As recorded by span events. */
  readonly exceptions: readonly ExceptionRollup[];
  readonly versions: readonly VersionRollup[];
  readonly instances: readonly InstanceRollup[];
  /** Self times are differences of two means, as request metrics tell no single requests. Not stored. */
  readonly isEstimated?: true;
}

/** Entry spans of one service, added up over its operations. */
export interface ServiceTotals extends Measures {
  readonly service: string;
  /** All spans by kind: INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER. */
  readonly kinds: readonly [number, number, number, number, number];
  /** Entry spans by kind, in the same order. */
  readonly entryKinds: readonly [number, number, number, number, number];
}

/**
 * Calls from one service to another, or to a virtual node. Times and errors follow the contract: those of the caller,
 * for messages those of the consumer.
 */
export interface EdgeRollup {
  readonly source: string;
  readonly target: string;
  /** The target sends no spans itself, but is named by the caller's attributes. */
  readonly virtual: boolean;
  readonly count: number;
  readonly errors: number;
  readonly durationNs: number;
  readonly latency: Sketch;
  /**
   * Calls of which both ends are known, and their time on the wire: client duration minus server duration, at least 0.
   */
  readonly paired: number;
  readonly wireNs: number;
  readonly wire: Sketch;
  /** Time on the wire is the difference of two means, as request metrics tell no single calls. Not stored. */
  readonly isEstimated?: true;
}

/** Totals and edges of a whole Grid, by names ascending. */
export interface GridRollup {
  readonly services: readonly ServiceTotals[];
  readonly edges: readonly EdgeRollup[];
}

/** Log records with the same body except for variable parts: numbers, ids, quoted values. */
export interface LogTemplateRollup {
  readonly template: string;
  /** Highest severity number. */
  readonly severity: number;
  readonly count: number;
}

/** Log records of one service. */
export interface LogRollup {
  readonly service: string;
  /** Counts of Trace, Debug, Information, Warning, Error, Fatal. */
  readonly severities: readonly [number, number, number, number, number, number];
  readonly templates: readonly LogTemplateRollup[];
  /** As recorded by log records. */
  readonly exceptions: readonly ExceptionRollup[];
}

export { METRIC_KINDS, type MetricKind } from '../../telemetry/metric-kind.js';

/** True for kinds whose points are distributions; points of the others are single values. */
export function isDistributionKind(kind: MetricKind): boolean {
  return kind !== 'gauge' && kind !== 'sum';
}

/**
 * Data points of one series: metric, attributes and the instance that sent them. NaN and infinities are excluded. For
 * series beyond the limits only `points` is meaningful, under the instance `__other__`. Stored series decode their
 * lists on each access: see copySeries.
 */
export interface MetricSeriesRollup {
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  /** For sums: the value never decreases (cumulative points are stored as increments). */
  readonly monotonic: boolean;
  /** `service.instance.id` of the resource, "" if absent. */
  readonly instance: string;
  /** Attributes of the point as strings, by key ascending. */
  readonly attributes: readonly (readonly [key: string, value: string])[];
  /** Number of points. */
  readonly points: number;
  /**
   * Gauges and non-monotonic sums: sum of the values. Monotonic sums: sum of the increments. Histograms and summaries:
   * sum of the observations; NaN if any point lacks it.
   */
  readonly sum: number;
  /** Number of observations of histograms and summaries; else equal to `points`. */
  readonly count: number;
  /** Extremes of the same values; NaN if the points lack them, as cumulative histograms do, or if any does. */
  readonly min: number;
  readonly max: number;
  /** See ObservedRange. */
  readonly limits?: ValueRange;
  /** Value of the newest point, and its time in whole µs. */
  readonly last: number;
  readonly lastUs: number;
  /**
   * Observations by bucket, within ROLLUP_BOUNDS: one histogram per bucket layout (exponential ones share one), in
   * canonical order (see compareLayouts in distribution-sums.ts). Empty for other kinds.
   */
  readonly buckets: readonly HistogramBuckets[];
  /** Quantiles of a summary's newest point, by quantile ascending. */
  readonly quantiles: readonly QuantileValue[];
  /** By value descending, then time, trace id and span id ascending. */
  readonly exemplars: readonly Exemplar[];
}

/**
 * Copies a series including its lists. A spread would lose those of a stored series: they are getters, not own
 * properties.
 */
export function copySeries(series: MetricSeriesRollup): MetricSeriesRollup {
  const { buckets, quantiles, exemplars } = series;
  return { ...series, buckets, quantiles, exemplars };
}

/** Data points of one service. */
export interface MetricRollup {
  readonly service: string;
  readonly series: readonly MetricSeriesRollup[];
}

/**
 * When names were first and last seen, whole µs since 1970, which the rollups of a window do not contain. A first time
 * is the end of that span; a last time is rounded up to the end of its minute, so that steady telemetry causes few
 * writes. `__other__` among services, operations or versions records since when there were too many or too long names.
 */
export interface ServiceCatalog {
  readonly service: string;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly operations: readonly {
    readonly operation: string;
    readonly entry: boolean;
    readonly firstUs: number;
    readonly lastUs: number;
  }[];
  readonly versions: readonly { readonly version: string; readonly firstUs: number; readonly lastUs: number }[];
}

/** A rollup and its time bucket, in whole minutes since 1970. */
export interface TimeBucket<T> {
  readonly minute: number;
  /** 1 or 60. */
  readonly minutes: number;
  readonly value: T;
}
