import type { SpanKind } from '../../telemetry/span-kind.js';
import type { Sketch } from '../sketch.js';
import type { Timeline } from './timeline.js';

/** Rollups turned round: of each name, one figure a stretch of the timeline. */
export interface Series {
  readonly timeline: Timeline;
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
