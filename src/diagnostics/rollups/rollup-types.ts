import {
  DATA_POINT_LIMITS,
  type HistogramBuckets,
  type Exemplar,
  type QuantileValue,
} from '../../telemetry/metric-distributions.js';
import type { SpanKind } from '../../telemetry/span-kind.js';
import type { Sketch } from './sketch.js';

/**
 * What telemetry of one stretch of time amounts to: a minute of event time (a span counts in the minute of its end, a log
 * record or data point in that of its time), or an hour, which is its minutes added up. Every diagnostic is computed
 * from these and nothing else but the blocks that sample traces come from. Durations are whole nanoseconds; a sum is
 * exact below 2^53.
 */

/** Stands for all names past the bounds. */
export const OTHER_NAME = '__other__';

/** The virtual node of calls that no attribute names a target for (contract §5). */
export const UNKNOWN_TARGET = 'unknown';

/** Names of more characters count under `__other__`: they would be no choice in a list. */
export const MAX_NAME_LENGTH = 1_024;

export const ROLLUP_BOUNDS = {
  services: 1_000,
  /** Of one service. */
  operations: 2_000,
  /** Child operations that one operation calls. */
  calls: 64,
  /** Distinct (type, message) of one service and minute. */
  exceptions: 200,
  /** Identities kept of one of those, to recognise the same exception told by span and log. */
  exceptionIds: 1_024,
  versions: 50,
  instances: 1_000,
  /** Edges of one Grid and minute. */
  edges: 20_000,
  /** Log templates of one service. */
  templates: 500,
  /** Metric series of one Grid. */
  series: 10_000,
  /** Buckets of one histogram that are kept: of explicit ones with more, none; exponential ones lose resolution. */
  buckets: DATA_POINT_LIMITS.buckets,
  /** Bucket layouts of one series and stretch: senders hardly ever change theirs. */
  layouts: 4,
  /** Exemplars of one series and stretch: those of the largest values. */
  exemplars: DATA_POINT_LIMITS.exemplars,
} as const;

/** Requests or calls, added up. */
export interface Measures {
  readonly count: number;
  /** With status ERROR. */
  readonly errors: number;
  readonly durationNs: number;
  /** Without error, within T and within 4T of the Grid's Apdex threshold as it was when they arrived. */
  readonly satisfied: number;
  readonly tolerating: number;
  /** Of the durations in ns. */
  readonly latency: Sketch;
}

/** How often the spans of an operation had a child of this kind, in the minute of the parent's end. */
export interface ChildCalls {
  readonly service: string;
  readonly operation: string;
  readonly count: number;
}

/** Spans of one operation and kind; entry spans (contract §5) apart from others. */
export interface OperationRollup extends Measures {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  /** Time not covered by children nor by sibling remote calls of the same service. */
  readonly selfNs: number;
  readonly self: Sketch;
  /** Errors without an ERROR child: they began here. */
  readonly originErrors: number;
  readonly calls: readonly ChildCalls[];
}

export interface ExceptionRollup {
  readonly type: string;
  readonly message: string;
  readonly count: number;
  /**
   * 48-bit hashes of (trace, span, type, message) of those that name a span, ascending, at most
   * ROLLUP_BOUNDS.exceptionIds: what span and log both tell of is found by them.
   */
  readonly ids: readonly number[];
}

export interface VersionRollup {
  readonly version: string;
  readonly spans: number;
  /** Ends of the first and the last span in the stretch, whole µs since 1970. */
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
  /** As span events tell them. */
  readonly exceptions: readonly ExceptionRollup[];
  readonly versions: readonly VersionRollup[];
  readonly instances: readonly InstanceRollup[];
}

/** Entry spans of one service, added up over its operations. */
export interface ServiceTotals extends Measures {
  readonly service: string;
  /** Spans by kind, entry or not: INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER. */
  readonly kinds: readonly [number, number, number, number, number];
  /** Entry spans by kind, same order. */
  readonly entryKinds: readonly [number, number, number, number, number];
}

/** Calls from one service to another, or to a virtual node. Times and errors as the contract says: the caller's, for messages the consumer's. */
export interface EdgeRollup {
  readonly source: string;
  readonly target: string;
  /** The target is no service that sends spans, but named by the caller's attributes. */
  readonly virtual: boolean;
  readonly count: number;
  readonly errors: number;
  readonly durationNs: number;
  readonly latency: Sketch;
  /** Calls of which both ends are known; and of these the time on the wire: client duration less server duration, at least 0. */
  readonly paired: number;
  readonly wireNs: number;
  readonly wire: Sketch;
}

/** Totals and edges of a whole Grid, by names ascending. */
export interface GridRollup {
  readonly services: readonly ServiceTotals[];
  readonly edges: readonly EdgeRollup[];
}

/** Log records whose body is the same but for what varies: numbers, ids, quoted values. */
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
  /** As log records tell them. */
  readonly exceptions: readonly ExceptionRollup[];
}

/** In the order of POINT_GAUGE and its like (telemetry/metric-columns.ts), by which rollups are stored too. */
export const METRIC_KINDS = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];

/** Points of the other kinds are single values. */
export function isDistributionKind(kind: MetricKind): boolean {
  return kind !== 'gauge' && kind !== 'sum';
}

/**
 * Data points of one series: metric, attributes and the instance that sent them. NaN and infinities are left out. Points
 * of series past the bounds are told by `points` alone, under the instance `__other__`. Stored series decode their lists at
 * each access: see copyOf.
 */
export interface MetricSeriesRollup {
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  /** Of sums: it only grows (by increments, once cumulative points are differenced). */
  readonly monotonic: boolean;
  /** `service.instance.id` of the resource, "" for none. */
  readonly instance: string;
  /** Of the point, string forms, by key ascending. */
  readonly attributes: readonly (readonly [key: string, value: string])[];
  /** Points. */
  readonly points: number;
  /** Gauges and non-monotonic sums: of the values. Monotonic sums: of the increments. Histograms and summaries: of the observations; NaN where it is not told of all. */
  readonly sum: number;
  /** Observations of histograms and summaries; else equal to `points`. */
  readonly count: number;
  /** Of the same values; NaN where the points do not tell, as cumulative histograms, or not of all observations. */
  readonly min: number;
  readonly max: number;
  /** Value of the newest point, and its time in whole µs. */
  readonly last: number;
  readonly lastUs: number;
  /**
   * Observations by bucket, as far as the points told them and ROLLUP_BOUNDS allows: one histogram for each layout of
   * buckets (exponential ones are one), in canonical order (see compareLayouts in buckets.ts). Empty for other kinds.
   */
  readonly buckets: readonly HistogramBuckets[];
  /** Of a summary: what its newest point told, by quantile ascending. */
  readonly quantiles: readonly QuantileValue[];
  /** By value descending, then time, trace id and span id ascending. */
  readonly exemplars: readonly Exemplar[];
}

/** Spread, a stored series would lose the lists that it decodes at access: they are no properties of its own. */
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
 * When names were first and last seen, whole µs since 1970: what a stretch of rollups alone cannot tell. A first sighting
 * is the end of that span; a last one is rounded up to the end of its minute, so that steady telemetry changes little.
 * `__other__` among services, operations or versions tells since when there were too many, or too long ones.
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

/** A rollup and its stretch of time, in whole minutes since 1970. */
export interface TimeBucket<T> {
  readonly minute: number;
  /** 1 or 60. */
  readonly minutes: number;
  readonly value: T;
}

/** The bytes are none that were made of a rollup: cut off, overwritten, or of another shape. */
export class DamagedRollup extends Error {
  override readonly name = 'DamagedRollup';
}
