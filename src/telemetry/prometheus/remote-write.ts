/** Messages of Prometheus remote write: `prometheus.WriteRequest` (1.0) and `io.prometheus.write.v2.Request` (2.0). */
export type RemoteWriteFormat = 'remote-write-1' | 'remote-write-2';

export type Label = readonly [name: string, value: string];

/** Type of a metric family; `unknown` where the sender does not say it. */
export type PrometheusType =
  'unknown' | 'counter' | 'gauge' | 'histogram' | 'gaugehistogram' | 'summary' | 'info' | 'stateset';

/** By the number of the enum MetricType, which is the same in both versions. */
export const PROMETHEUS_TYPES: readonly PrometheusType[] = [
  'unknown',
  'counter',
  'gauge',
  'histogram',
  'gaugehistogram',
  'summary',
  'info',
  'stateset',
];

export interface PrometheusMetadata {
  readonly type: PrometheusType;
  readonly help: string;
  readonly unit: string;
}

/** A message TimeSeries. Its values are read from the body when they are visited, before the next series. */
export interface PrometheusSeries {
  /** Place in the body. */
  readonly index: number;
  /** With `__name__`, in the order of the body. */
  readonly labels: readonly Label[];
  /** Why the series cannot be taken, such as `with a label that is not UTF-8`. */
  readonly fault: string | undefined;
  /** Undefined if the series has none of its own. */
  readonly metadata: PrometheusMetadata | undefined;
  /** ms since 1970; 0: unknown. */
  readonly createdMs: bigint;
  /** Samples and native histograms. */
  readonly values: number;
  visitSamples(visit: (sample: PrometheusSample) => void): void;
  visitHistograms(visit: (histogram: NativeHistogram) => void): void;
  visitExemplars(visit: (exemplar: PrometheusExemplar) => void): void;
}

export interface PrometheusSample {
  readonly value: number;
  /** The value is the NaN by which Prometheus ends a series. */
  readonly isStale: boolean;
  /** ms since 1970, negative if the sender says so. */
  readonly timestampMs: bigint;
  /** Start of a cumulative value, ms since 1970; 0: unknown. */
  readonly startMs: bigint;
}

export interface PrometheusExemplar {
  readonly labels: readonly Label[];
  readonly value: number;
  readonly timestampMs: bigint;
}

/** Gap to the buckets before, or the index of the first one, and the number of buckets that follow one another. */
export interface BucketSpan {
  readonly offset: number;
  readonly length: number;
}

/** The buckets of one sign: spans with their counts, absolute or as differences from one bucket to the next. */
export interface NativeBuckets {
  readonly spans: readonly BucketSpan[];
  readonly deltas: readonly number[];
  readonly counts: readonly number[];
}

/** A native histogram, whose counts are whole numbers or doubles. */
export interface NativeHistogram {
  readonly timestampMs: bigint;
  readonly startMs: bigint;
  readonly count: number;
  readonly sum: number;
  readonly isStale: boolean;
  /** −4 to 8: exponential; −53: the bounds are `customValues`. */
  readonly schema: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: NativeBuckets;
  readonly negative: NativeBuckets;
  readonly customValues: readonly number[];
  /** Not cumulative (reset hint GAUGE). */
  readonly isGauge: boolean;
  /** It has more spans, buckets or bounds than MAX_NATIVE_BUCKETS, which were not read. */
  readonly isOversized: boolean;
}

/** Senders have at most a few hundred buckets. */
export const MAX_NATIVE_BUCKETS = 65_536;

/** Samples, native histograms and exemplars, as remote write 2.0 counts them in its answers. */
export interface WrittenCounts {
  readonly samples: number;
  readonly histograms: number;
  readonly exemplars: number;
}
