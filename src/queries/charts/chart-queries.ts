import { roundForApi } from '../../diagnostics/chart-series/chart-series.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { createAlertQueries } from '../diagnostics/alert-queries.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter, type QueryLimits } from '../scheduling/query-concurrency-limiter.js';
import {
  createChartDefinitions,
  findChart,
  findDashboard,
  listCharts,
  listDashboards,
} from './chart-definition-queries.js';
import { ChartDataReader, readDashboardPicture } from './chart-data-reader.js';
import { readMetricCatalog } from './metric-catalog.js';
import type { ChartQueries, ListedChart } from './chart-query-types.js';
import { packPicture } from './packed-picture.js';
import { ServiceDashboardCache } from './service-dashboard-cache.js';

export interface ChartQueriesOptions {
  readonly store: ReadModelReader;
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderForGrid;
  /** Shared with the diagnostics of the same thread. */
  readonly rollups: GridRollupReader;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  readonly limits?: QueryLimits;
}

/** All questions about charts, over one thread's time: make one a thread. */
export function createChartQueries({
  store,
  readerOf = () => store,
  rollups,
  now = Date.now,
  limits = {},
}: ChartQueriesOptions): ChartQueries {
  const definitions = createChartDefinitions(store);
  const services = new ServiceDashboardCache(readerOf, rollups, now);
  const shown = new ChartDataReader(readerOf, rollups, createAlertQueries(store));
  const underWay = new QueryConcurrencyLimiter(limits);
  const find = (gridId: string, chartId: string, turn: TimeSlice): Promise<ListedChart | undefined> =>
    findChart(definitions, services, gridId, chartId, turn);
  return {
    charts: (gridId) => underWay.run((turn) => listCharts(definitions, services, gridId, turn)),
    chart: (gridId, chartId) => underWay.run((turn) => find(gridId, chartId, turn)),
    chartData: (gridId, chartId, when) =>
      underWay.run(async (turn) => {
        const chart = await find(gridId, chartId, turn);
        return (
          chart && { chart, data: roundForApi(await shown.readData(chart, { gridId, when, clockMs: now(), turn })) }
        );
      }),
    chartPicture: (gridId, chartId, when) =>
      underWay.run(async (turn) => {
        const found = await find(gridId, chartId, turn);
        if (found === undefined) return undefined;
        const { builtIn: _, ...chart } = found;
        const picture = await shown.readPicture(chart, { gridId, when, clockMs: now(), turn });
        return { ...packPicture(picture), frame: picture.data.frame };
      }),
    dashboards: (gridId) => underWay.run((turn) => listDashboards(definitions, services, gridId, turn)),
    dashboard: (gridId, dashboardId) =>
      underWay.run((turn) => findDashboard(definitions, services, gridId, dashboardId, turn)),
    dashboardPicture: (gridId, dashboardId, when) =>
      underWay.run(async (turn) => {
        const dashboard = await findDashboard(definitions, services, gridId, dashboardId, turn);
        return (
          dashboard &&
          readDashboardPicture(shown, (chartId) => find(gridId, chartId, turn), dashboard, {
            gridId,
            when,
            clockMs: now(),
            turn,
          })
        );
      }),
    metrics: (gridId) => underWay.run(() => readMetricCatalog(readerOf(gridId), gridId)),
  };
}
