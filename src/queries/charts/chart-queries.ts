import { roundForApi } from '../../diagnostics/chart-series/chart-series.js';
import type { ChartFoldCache } from '../../read-models/rollups/chart-fold-cache.js';
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
import { packChart } from './packed-chart.js';
import { ServiceDashboardCache } from './service-dashboard-cache.js';

export interface ChartQueriesOptions {
  readonly store: ReadModelReader;
  /** Reader of the shard that holds a Grid. Default: `store` for every Grid. */
  readonly getReader?: ReaderForGrid;
  /** Shared with the diagnostics queries of the same thread. */
  readonly rollups: GridRollupReader;
  /** ms since 1970. Default: the system clock. */
  readonly now?: () => number;
  readonly limits?: QueryLimits;
  /** Cache of folded buckets. Default: a cache of 64 MiB. */
  readonly folds?: ChartFoldCache;
}

/** All chart queries, scheduled on the calling thread. Create one instance per thread. */
export function createChartQueries({
  store,
  getReader = () => store,
  rollups,
  now = Date.now,
  limits = {},
  folds,
}: ChartQueriesOptions): ChartQueries {
  const definitions = createChartDefinitions(store);
  const services = new ServiceDashboardCache(getReader, rollups, now);
  const dataReader = new ChartDataReader(getReader, rollups, createAlertQueries(store), folds);
  const limiter = new QueryConcurrencyLimiter(limits);
  const findById = (gridId: string, chartId: string, timeSlice: TimeSlice): Promise<ListedChart | undefined> =>
    findChart(definitions, services, gridId, chartId, timeSlice);
  return {
    charts: (gridId) => limiter.run(gridId, (timeSlice) => listCharts(definitions, services, gridId, timeSlice)),
    chart: (gridId, chartId) => limiter.run(gridId, (timeSlice) => findById(gridId, chartId, timeSlice)),
    chartData: (gridId, chartId, when) =>
      limiter.run(gridId, async (timeSlice) => {
        const chart = await findById(gridId, chartId, timeSlice);
        return (
          chart && {
            chart,
            data: roundForApi(await dataReader.readData(chart, { gridId, when, clockMs: now(), timeSlice })),
          }
        );
      }),
    chartRenderInput: (gridId, chartId, when) =>
      limiter.run(gridId, async (timeSlice) => {
        const found = await findById(gridId, chartId, timeSlice);
        if (found === undefined) return undefined;
        const { builtIn: _, ...chart } = found;
        const picture = await dataReader.readPicture(chart, { gridId, when, clockMs: now(), timeSlice });
        return { ...packChart(picture), frame: picture.data.frame };
      }),
    dashboards: (gridId) =>
      limiter.run(gridId, (timeSlice) => listDashboards(definitions, services, gridId, timeSlice)),
    dashboard: (gridId, dashboardId) =>
      limiter.run(gridId, (timeSlice) => findDashboard(definitions, services, gridId, dashboardId, timeSlice)),
    dashboardRenderInput: (gridId, dashboardId, when) =>
      limiter.run(gridId, async (timeSlice) => {
        const dashboard = await findDashboard(definitions, services, gridId, dashboardId, timeSlice);
        return (
          dashboard &&
          readDashboardPicture(dataReader, (chartId) => findById(gridId, chartId, timeSlice), dashboard, {
            gridId,
            when,
            clockMs: now(),
            timeSlice,
          })
        );
      }),
    metrics: (gridId) => limiter.run(gridId, () => readMetricCatalog(getReader(gridId), gridId)),
  };
}
