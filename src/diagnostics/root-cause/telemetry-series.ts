import type { SpanKind } from '../../telemetry/span-kind.js';
import type { ReportedMeasure } from '../requests/reported-measures.js';
import type { Sketch } from '../rollups/sketch.js';
import type { TimeBucket } from '../rollups/rollup-types.js';
import type { RecordedTime } from './recorded-time.js';
import { type AnalysisWindows, MINUTE_MS } from '../time-windows.js';

/** Rollups transposed into time series: one figure per name and bucket of the timeline. */
export interface TelemetrySeries {
  readonly timeline: SeriesTimeline;
  readonly services: readonly ServiceSeries[];
  readonly edges: readonly EdgeSeries[];
  readonly recorded: RecordedTime;
  /** Spans were sampled one by one: requests are a sample, while log records are not. */
  readonly hasSampledSpans?: true;
}

export interface ServiceSeries {
  readonly service: string;
  /** Entry spans. */
  readonly requests: Float64Array;
  readonly errors: Float64Array;
  readonly durationNs: Float64Array;
  /** All spans. */
  readonly spans: Float64Array;
  readonly operations: readonly OperationSeries[];
  /** Log records, in total and by template. */
  readonly records: Float64Array;
  readonly templates: readonly NamedCounts[];
  /** As recorded by spans and by logs; one recorded by both counts twice. */
  readonly exceptions: readonly NamedCounts[];
  readonly versions: readonly NamedCounts[];
  readonly instances: readonly InstanceSeries[];
  readonly levels: readonly LevelSeries[];
  /** What metrics without a convention tell about its requests. */
  readonly reported: readonly ReportedSeries[];
}

export interface OperationSeries {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  readonly count: Float64Array;
  readonly durationNs: Float64Array;
  readonly selfNs: Float64Array;
  /** Sketches of self times by bucket. Computed on demand, as few operations need them. */
  readonly self: () => readonly (Sketch | undefined)[];
  readonly originErrors: Float64Array;
  readonly calls: readonly CallSeries[];
  /** Mean duration of which the self time is the difference from another mean; absent if it was measured. */
  readonly estimatedFromNs?: number;
}

/** Calls only wait: for what, their edges and children tell. */
export function isCall({ kind }: { readonly kind: SpanKind }): boolean {
  return kind === 'CLIENT' || kind === 'PRODUCER';
}

export interface CallSeries {
  readonly service: string;
  readonly operation: string;
  readonly count: Float64Array;
  /** Variance of the count over that of a Poisson distribution, where its parents are a sample too; absent: 1. */
  readonly dispersion?: number;
}

export interface EdgeSeries {
  readonly source: string;
  readonly target: string;
  readonly virtual: boolean;
  readonly count: Float64Array;
  readonly errors: Float64Array;
  readonly durationNs: Float64Array;
  readonly latency: readonly (Sketch | undefined)[];
  readonly paired: Float64Array;
  readonly wireNs: Float64Array;
  readonly wire: readonly (Sketch | undefined)[];
  /** Mean duration of which the time on the wire is the difference from another mean; absent if it was measured. */
  readonly estimatedFromNs?: number;
}

export interface NamedCounts {
  readonly name: string;
  readonly count: Float64Array;
  /** Highest severity number, for log templates. */
  severity: number;
}

export interface InstanceSeries {
  readonly instance: string;
  readonly requests: Float64Array;
  readonly errors: Float64Array;
  readonly durationNs: Float64Array;
}

/**
 * Usage of one resource. The level is `sum / weight`: for gauges and histograms the mean value, for counters the
 * increase per minute, for resources with a known capacity the utilization in percent.
 */
export interface LevelSeries {
  /** Equal for metrics that are comparable between services. */
  readonly name: string;
  /** Display name, including the instance. */
  readonly label: string;
  readonly unit: string;
  readonly sum: Float64Array;
  readonly weight: Float64Array;
}

export interface ReportedSeries extends LevelSeries {
  readonly measure: ReportedMeasure;
}

/**
 * The time buckets (minutes, rarely hours) of baseline and window with any telemetry, ascending. Buckets without
 * telemetry are excluded: silence is neither good nor bad.
 */
export interface SeriesTimeline {
  /** Starts in minutes since 1970, ascending. */
  readonly starts: readonly number[];
  /** Lengths in minutes. */
  readonly lengths: readonly number[];
  /** Index of the first bucket in the window; those before are the baseline. */
  readonly windowStart: number;
  /**
   * First index with complete telemetry: if telemetry began within the baseline, the first bucket may be incomplete.
   */
  readonly firstComplete: number;
  /** Number of completed buckets: spans of one trace arrive some seconds apart, parents often before their children. */
  readonly settled: number;
  /** Index of the bucket that begins at this minute; undefined if there is none. */
  indexOf(minute: number): number | undefined;
}

/** Exporters batch for 5 s by default (OTEL_BSP_SCHEDULE_DELAY), plus the time for export and ingestion. */
const SETTLING_MS = 10_000;

/** Collects the time buckets of all sources within baseline and window. */
export function buildSeriesTimeline(
  sources: readonly (readonly TimeBucket<unknown>[])[],
  { nowMs, baseline, current }: AnalysisWindows,
): SeriesTimeline {
  const lengthOf = new Map<number, number>();
  for (const source of sources)
    for (const { minute, minutes } of source) if (isWithin(minute)) lengthOf.set(minute, minutes);
  const starts = [...lengthOf.keys()].sort((a, b) => a - b);
  const indices = new Map(starts.map((minute, index) => [minute, index]));
  const inWindow = starts.findIndex((minute) => minute * MINUTE_MS >= current.fromMs);
  return {
    starts,
    lengths: starts.map((minute) => lengthOf.get(minute)!),
    windowStart: inWindow === -1 ? starts.length : inWindow,
    firstComplete: starts.length > 0 && starts[0] * MINUTE_MS > baseline.fromMs ? 1 : 0,
    settled: starts.filter(
      (minute) => nowMs === current.toMs || (minute + lengthOf.get(minute)!) * MINUTE_MS <= nowMs - SETTLING_MS,
    ).length,
    indexOf: (minute) => indices.get(minute),
  };

  function isWithin(minute: number): boolean {
    return minute * MINUTE_MS >= baseline.fromMs && minute * MINUTE_MS < current.toMs;
  }
}
