import type { Chart } from '../../diagnostics/chart.js';
import type { ChartData } from '../../diagnostics/chart-series/answer.js';
import { withoutExpired } from '../../diagnostics/chart-series/expired.js';
import { ChartRollups } from '../../read-models/rollups/chart-rollups.js';
import type { RollupReader } from '../../read-models/rollups/rollup-reader.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { createAlertQueries, type AlertQueries } from '../alerts.js';
import { FewAtOnce } from '../few-at-once.js';
import type { Turn } from '../giving-way.js';
import { chartData } from './chart-data.js';
import { deploymentsOf } from './deployments.js';
import type { ChartPicture, ChartWhen } from './questions.js';
import { thresholdsOf } from './thresholds.js';

/** What arrives later than this (ms) after its time hardly ever does. */
const SETTLED_MS = 15 * 60_000;

/** Charts that are computed at once: each may take what its fold is bounded to, and more of them would not be done sooner. */
const MOST_AT_ONCE = 8;

/** What charts show at a moment. */
export class ShownCharts {
  private readonly rollups: ChartRollups;
  private readonly alerts: AlertQueries;
  private readonly computing = new FewAtOnce(MOST_AT_ONCE);

  constructor(
    store: ReadModelReader,
    private readonly reader: RollupReader,
  ) {
    this.rollups = new ChartRollups(store, reader);
    this.alerts = createAlertQueries(store);
  }

  data(gridId: string, chart: Chart, when: ChartWhen, nowMs: number, turn: Turn): Promise<ChartData> {
    return this.computing.run(async () => {
      const data = await chartData(this.rollups, gridId, chart, when, nowMs, turn);
      return withoutExpired(data, this.reader.keptFromMs(gridId));
    });
  }

  async picture(gridId: string, chart: Chart, when: ChartWhen, nowMs: number, turn: Turn): Promise<ChartPicture> {
    const data = await this.data(gridId, chart, when, nowMs, turn);
    const [rules, catalogs] = [await this.alerts.alertRules(gridId), await this.reader.serviceCatalogs(gridId)];
    return { chart, data, thresholds: thresholdsOf(chart, rules), deployments: deploymentsOf(chart, data.frame, catalogs), closed: isClosed(when, nowMs) };
  }
}

/** An end that was named lies so far back that nothing can change any more. */
export function isClosed({ toMs }: ChartWhen, nowMs: number): boolean {
  return toMs !== undefined && toMs <= nowMs - SETTLED_MS;
}
