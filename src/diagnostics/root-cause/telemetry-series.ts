import type { SpanKind } from '../../telemetry/span-kind.js';
import type { Sketch } from '../rollups/sketch.js';
import type { TimeBucket } from '../rollups/rollup-types.js';
import { type AnalysisWindows, MINUTE_MS } from '../time-windows.js';

/** Rollups turned round: of each name, one figure a stretch of the timeline. */
export interface TelemetrySeries {
  readonly timeline: SeriesTimeline;
  readonly services: readonly ServiceSeries[];
  readonly edges: readonly EdgeSeries[];
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
  /** Log records, and these by template. */
  readonly records: Float64Array;
  readonly templates: readonly NamedCounts[];
  /** As spans and as logs tell them: of one that both tell of, both counts rise. */
  readonly exceptions: readonly NamedCounts[];
  readonly versions: readonly NamedCounts[];
  readonly instances: readonly InstanceSeries[];
  readonly levels: readonly LevelSeries[];
}

export interface OperationSeries {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  readonly count: Float64Array;
  readonly durationNs: Float64Array;
  readonly selfNs: Float64Array;
  /** Sketches of self times by stretch. Looked up when asked for: few operations are. */
  readonly self: () => readonly (Sketch | undefined)[];
  readonly originErrors: Float64Array;
  readonly calls: readonly CallSeries[];
}

export interface CallSeries {
  readonly service: string;
  readonly operation: string;
  readonly count: Float64Array;
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
}

export interface NamedCounts {
  readonly name: string;
  readonly count: Float64Array;
  /** Of log templates. */
  severity: number;
}

export interface InstanceSeries {
  readonly instance: string;
  readonly requests: Float64Array;
  readonly errors: Float64Array;
  readonly durationNs: Float64Array;
}

/**
 * How busy one resource was. The level is `sum / weight`: of gauges and histograms the mean value, of counters the
 * increase a minute, of what has a known capacity its use in percent.
 */
export interface LevelSeries {
  /** What is comparable between services goes by one name. */
  readonly name: string;
  /** With the instance and the like. */
  readonly label: string;
  readonly unit: string;
  readonly sum: Float64Array;
  readonly weight: Float64Array;
}

/**
 * The stretches of time (minutes, seldom hours) of baseline and window from which anything arrived, ascending. Stretches
 * without telemetry are no part of it: silence is neither good nor bad.
 */
export interface SeriesTimeline {
  /** Starts in minutes since 1970. */
  readonly starts: readonly number[];
  /** Lengths in minutes. */
  readonly lengths: readonly number[];
  /** First index that belongs to the window; what lies before is its baseline. */
  readonly windowStart: number;
  /** First index that is known to be complete from its start on: telemetry that begins within the baseline may begin within a stretch. */
  readonly firstComplete: number;
  /** How many are over and complete: spans of one trace arrive some seconds apart, parents often before their children. */
  readonly settled: number;
  /** Undefined for a stretch outside baseline and window. */
  indexOf(minute: number): number | undefined;
}

/** Exporters batch for 5 s by default (OTEL_BSP_SCHEDULE_DELAY), and a batch takes its time. */
const SETTLING_MS = 10_000;

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
