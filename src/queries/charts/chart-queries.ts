import { HindsightError } from '../../errors.js';
import type { RollupReader } from '../../read-models/rollups/rollup-reader.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { ChartQueries } from './questions.js';

export interface ChartQueriesParts {
  readonly store: ReadModelReader;
  /** Shared with the diagnostics of the same thread. */
  readonly rollups: RollupReader;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
}

export function createChartQueries(_parts: ChartQueriesParts): ChartQueries {
  const later = (): Promise<never> => Promise.reject(new HindsightError('unavailable', 'Charts are being built.'));
  return { charts: later, chart: later, chartData: later, chartPicture: later, dashboards: later, dashboard: later, metrics: later };
}
