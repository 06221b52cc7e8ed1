import type { GridRollup, LogRollup, MetricRollup, ServiceRollup, TimeBucket } from '../rollups/rollup-types.js';
import type { ChartData } from './chart-series.js';

/** What a fold has taken in. */
export interface FoldState {
  /** Memory, roughly. */
  readonly bytes: number;
  /** Adds all that another has, of a fold with the same key: its first step counts in step `from`, and all of its steps MUST have one here. */
  merge(other: FoldState, from: number): void;
}

/** Takes in the rollups of a chart's range one by one, in any order, and keeps no more of them than its steps need. */
interface Fold<Part extends string, Rollup> {
  /** The rollups that it is made from. */
  readonly part: Part;
  /** Rollups of other services add nothing: they need not be read. Undefined: of all services. */
  readonly service: string | undefined;
  /** Of stretches that begin within the frame. Hours belong to frames whose steps are whole hours. */
  add(stretch: TimeBucket<Rollup>): void;
  readonly kept: FoldState;
  /** Names what is kept: a stretch of one chart is one of every chart with the same key. */
  readonly key: string;
  /** An empty fold of the same chart, over the minute or the hour alone that begins at this minute since 1970. */
  createBucketFold(minute: number, minutes: number): ChartFold;
  /** Adds all that was added to such a fold, which stays as it is. Outside of the frame it adds nothing. */
  mergeBucketFold(minute: number, folded: ChartFold): void;
  /** What the chart shows of all that was added. */
  computeInSlices(): SlicedComputation<ChartData>;
  /** The same at once. */
  compute(): ChartData;
}

/** What a chart is made from, as far as it looks at it. `metric`: other metrics add nothing. */
export type ChartFold =
  | Fold<'grids', Pick<GridRollup, 'services'>>
  | Fold<'services', Pick<ServiceRollup, 'service' | 'operations'>>
  | Fold<'logs', Pick<LogRollup, 'service' | 'severities'>>
  | (Fold<'metrics', MetricRollup> & { readonly metric: string });

/** How the folds of this folder are written: the rest follows for all of them alike. */
export type SignalFold = ChartFold extends infer Each
  ? Each extends ChartFold
    ? Omit<Each, 'compute' | 'createBucketFold' | 'mergeBucketFold' | 'key'> & { readonly about?: string }
    : never
  : never;

/** A result that is computed piece by piece, each of a few ms at most: between two of them others may have the thread. */
export type SlicedComputation<T> = Generator<undefined, T, undefined>;

/** The same for who is alone. */
export function runToCompletion<T>(pieces: SlicedComputation<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
