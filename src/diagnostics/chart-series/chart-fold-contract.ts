import type { GridRollup, LogRollup, MetricRollup, ServiceRollup, TimeBucket } from '../rollups/rollup-types.js';
import type { ChartData, ChartWindow } from './chart-series.js';

/** Accumulated data of a fold. */
export interface FoldState {
  /** Approximate memory. */
  readonly bytes: number;
  /**
   * Adds the data of another fold with the same key: its first step is added to step `from`, and all of its steps MUST
   * exist here.
   */
  merge(other: FoldState, from: number): void;
}

/** Aggregates the rollups of a chart's window one by one, in any order, and stores only what its steps need. */
interface Fold<Part extends string, Rollup> {
  /** Kind of rollups to read. */
  readonly part: Part;
  /** Only rollups of this service contribute, so others need not be read. Undefined: all services. */
  readonly service: string | undefined;
  /** Adds a bucket that begins within the window. Hourly buckets require steps of whole hours. */
  add(bucket: TimeBucket<Rollup>): void;
  readonly state: FoldState;
  /** Identifies the accumulated data: the data of one bucket can be reused by every chart with the same key. */
  readonly key: string;
  /** An empty fold of the same chart over a single bucket: the `minutes` (1 or 60) from this minute since 1970. */
  createBucketFold(minute: number, minutes: number): ChartFold;
  /** Adds the data of such a fold, which is not modified. Outside of the window it adds nothing. */
  mergeBucketFold(minute: number, folded: ChartFold): void;
  /** Computes the chart from all rollups added so far. */
  computeInSlices(): SlicedComputation<ChartData>;
  /** Like computeInSlices, in one synchronous step. */
  compute(): ChartData;
}

/** Fold of a chart, by the rollups it reads. `metric`: rollups of other metrics add nothing. */
export type ChartFold =
  | Fold<'grids', Pick<GridRollup, 'services'>>
  | Fold<'services', Pick<ServiceRollup, 'service' | 'operations'>>
  | Fold<'logs', Pick<LogRollup, 'service' | 'severities'>>
  | (Fold<'metrics', MetricRollup> & { readonly metric: string });

/** The signal-specific part of a fold; createChartFold adds the rest. */
export type SignalFold = ChartFold extends infer Each
  ? Each extends ChartFold
    ? Omit<Each, 'compute' | 'createBucketFold' | 'mergeBucketFold' | 'key'> & {
        readonly stateName?: string;
        /** The steps by which it accumulates, if they are not those of the chart. */
        readonly window?: ChartWindow;
      }
    : never
  : never;

/** A computation in slices of at most a few ms: between two slices the caller may yield the thread. */
export type SlicedComputation<T> = Generator<undefined, T, undefined>;

/** Runs a sliced computation synchronously. */
export function runToCompletion<T>(computation: SlicedComputation<T>): T {
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
  }
}
