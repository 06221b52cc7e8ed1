import { told } from '../../diagnostics/chart-series/told.js';
import type { GridRollups } from '../../read-models/rollups/grid-rollups.js';
import type { ReaderOf } from '../../read-models/shares/readers-by-grid.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { createAlertQueries } from '../alerts.js';
import type { Turn } from '../giving-way.js';
import { QuestionsUnderWay, type QuestionLimits } from '../questions-under-way.js';
import { findChart, listCharts } from './charts.js';
import { dashboardPicture } from './dashboard-picture.js';
import { findDashboard, listDashboards } from './dashboards.js';
import { createChartDefinitions } from './definitions.js';
import { metricCatalog } from './metric-catalog.js';
import type { ChartQueries, ListedChart } from './questions.js';
import { sealPicture } from './sealed-picture.js';
import { ServiceBoards } from './service-boards.js';
import { ShownCharts } from './shown-charts.js';

export interface ChartQueriesParts {
  readonly store: ReadModelReader;
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderOf;
  /** Shared with the diagnostics of the same thread. */
  readonly rollups: GridRollups;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  readonly limits?: QuestionLimits;
}

/** All questions about charts, over one thread's time: make one a thread. */
export function createChartQueries({ store, readerOf = () => store, rollups, now = Date.now, limits = {} }: ChartQueriesParts): ChartQueries {
  const definitions = createChartDefinitions(store);
  const services = new ServiceBoards(readerOf, rollups, now);
  const shown = new ShownCharts(readerOf, rollups, createAlertQueries(store));
  const underWay = new QuestionsUnderWay(limits);
  const find = (gridId: string, chartId: string, turn: Turn): Promise<ListedChart | undefined> => findChart(definitions, services, gridId, chartId, turn);
  return {
    charts: (gridId) => underWay.answer((turn) => listCharts(definitions, services, gridId, turn)),
    chart: (gridId, chartId) => underWay.answer((turn) => find(gridId, chartId, turn)),
    chartData: (gridId, chartId, when) => underWay.answer(async (turn) => {
      const chart = await find(gridId, chartId, turn);
      return chart && { chart, data: told(await shown.data(chart, { gridId, when, clockMs: now(), turn })) };
    }),
    chartPicture: (gridId, chartId, when) => underWay.answer(async (turn) => {
      const found = await find(gridId, chartId, turn);
      if (found === undefined) return undefined;
      const { builtIn: _, ...chart } = found;
      const picture = await shown.picture(chart, { gridId, when, clockMs: now(), turn });
      return { ...sealPicture(picture), frame: picture.data.frame };
    }),
    dashboards: (gridId) => underWay.answer((turn) => listDashboards(definitions, services, gridId, turn)),
    dashboard: (gridId, dashboardId) => underWay.answer((turn) => findDashboard(definitions, services, gridId, dashboardId, turn)),
    dashboardPicture: (gridId, dashboardId, when) => underWay.answer(async (turn) => {
      const dashboard = await findDashboard(definitions, services, gridId, dashboardId, turn);
      return dashboard && dashboardPicture(shown, (chartId) => find(gridId, chartId, turn), dashboard, { gridId, when, clockMs: now(), turn });
    }),
    metrics: (gridId) => underWay.answer(() => metricCatalog(readerOf(gridId), gridId)),
  };
}
