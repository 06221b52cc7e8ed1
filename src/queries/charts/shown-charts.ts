import type { Chart } from '../../diagnostics/chart.js';
import type { ChartData } from '../../diagnostics/chart-series/answer.js';
import { withoutExpired } from '../../diagnostics/chart-series/expired.js';
import { ChartRollups } from '../../read-models/rollups/chart-rollups.js';
import type { GridRollups } from '../../read-models/rollups/grid-rollups.js';
import type { ReaderOf } from '../../read-models/shares/readers-by-grid.js';
import type { AlertQueries } from '../alerts.js';
import { FewAtOnce } from '../few-at-once.js';
import { chartData } from './chart-data.js';
import type { ChartQuestion } from './chart-time.js';
import { deploymentsOf } from './deployments.js';
import type { ChartPicture } from './questions.js';
import { thresholdsOf } from './thresholds.js';

/** What arrives later than this (ms) after its time hardly ever does. */
const SETTLED_MS = 15 * 60_000;

/** Charts that are computed at once: each may take what its fold is bounded to, and each lets a diagnostic wait for one slice more. */
const MOST_AT_ONCE = 3;

/** What charts show at a moment. */
export class ShownCharts {
  private readonly rollups: ChartRollups;
  private readonly computing = new FewAtOnce(MOST_AT_ONCE);

  constructor(
    readerOf: ReaderOf,
    private readonly reader: GridRollups,
    private readonly alerts: Pick<AlertQueries, 'alertRules'>,
  ) {
    this.rollups = new ChartRollups(readerOf, reader);
  }

  data(chart: Chart, question: ChartQuestion): Promise<ChartData> {
    return this.computing.run(async () => {
      const data = await chartData(this.rollups, chart, question);
      return withoutExpired(data, this.reader.keptFromMs(question.gridId));
    });
  }

  async picture(chart: Chart, question: ChartQuestion): Promise<ChartPicture> {
    const { gridId } = question;
    const data = await this.data(chart, question);
    const [rules, catalogs] = [await this.alerts.alertRules(gridId), await this.reader.serviceCatalogs(gridId)];
    return { chart, data, thresholds: thresholdsOf(chart, rules), deployments: deploymentsOf(chart, data.frame, catalogs), closed: isClosed(question) };
  }
}

/** An end that was named lies so far back that nothing can change any more. */
export function isClosed({ when: { toMs }, clockMs }: ChartQuestion): boolean {
  return toMs !== undefined && toMs <= clockMs - SETTLED_MS;
}
