import type { GridRollup, LogRollup, MetricRollup, ServiceRollup, Timed } from '../rollups.js';
import type { ChartData } from './answer.js';
import type { Pieces } from './pieces.js';

/** Takes in the rollups of a chart's range one by one, in any order, and keeps no more of them than its steps need. */
interface Fold<Part extends string, Rollup> {
  /** The rollups that it is made from. */
  readonly part: Part;
  /** Rollups of other services add nothing: they need not be read. Undefined: of all services. */
  readonly service: string | undefined;
  /** Of stretches that begin within the frame. Hours belong to frames whose steps are whole hours. */
  add(stretch: Timed<Rollup>): void;
  /** What the chart shows of all that was added. */
  pieces(): Pieces<ChartData>;
  /** The same at once. */
  data(): ChartData;
}

/** What a chart is made from, as far as it looks at it. `metric`: other metrics add nothing. */
export type ChartFold =
  | Fold<'grids', Pick<GridRollup, 'services'>>
  | Fold<'services', Pick<ServiceRollup, 'service' | 'operations'>>
  | Fold<'logs', Pick<LogRollup, 'service' | 'severities'>>
  | (Fold<'metrics', MetricRollup> & { readonly metric: string });

/** How the folds of this folder are written: what they show piece by piece tells it at once. */
export type OwnFold = ChartFold extends infer Each ? (Each extends ChartFold ? Omit<Each, 'data'> : never) : never;
