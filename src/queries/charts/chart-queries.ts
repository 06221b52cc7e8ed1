import { ChartRollups } from '../../read-models/rollups/chart-rollups.js';
import type { RollupReader } from '../../read-models/rollups/rollup-reader.js';
import type { ReadModelReader } from '../../read-models/store.js';
import { createAlertQueries } from '../alerts.js';
import type { Turn } from '../giving-way.js';
import { QuestionsUnderWay, type QuestionLimits } from '../questions-under-way.js';
import { chartData, frameOf } from './chart-data.js';
import { findDashboard, listDashboards } from './dashboards.js';
import { createChartDefinitions } from './definitions.js';
import { deploymentsOf } from './deployments.js';
import { metricCatalog } from './metric-catalog.js';
import type { ChartPicture, ChartQueries, ChartWhen, DashboardPicture, ListedChart, ListedDashboard } from './questions.js';
import { sealPicture } from './sealed-picture.js';
import { ServiceBoards } from './service-boards.js';
import { thresholdsOf } from './thresholds.js';

/** What arrives later than this (ms) after its time hardly ever does. */
const SETTLED_MS = 15 * 60_000;

export interface ChartQueriesParts {
  readonly store: ReadModelReader;
  /** Shared with the diagnostics of the same thread. */
  readonly rollups: RollupReader;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  readonly limits?: QuestionLimits;
}

/** All questions about charts, over one thread's time: make one a thread. */
export function createChartQueries({ store, rollups, now = Date.now, limits = {} }: ChartQueriesParts): ChartQueries {
  const definitions = createChartDefinitions(store);
  const services = new ServiceBoards(store, rollups, now);
  const chartRollups = new ChartRollups(store, rollups);
  const alerts = createAlertQueries(store);
  const underWay = new QuestionsUnderWay(limits);

  const findChart = async (gridId: string, chartId: string, turn: Turn): Promise<ListedChart | undefined> => {
    const own = await definitions.chart(gridId, chartId);
    if (own !== undefined) return { ...own, builtIn: false };
    const ofService = (await services.of(gridId, turn)).charts.get(chartId);
    return ofService && { ...ofService, builtIn: true };
  };
  const draw = async (gridId: string, { builtIn: _, ...chart }: ListedChart, when: ChartWhen, nowMs: number, turn: Turn): Promise<ChartPicture> => {
    const data = await chartData(chartRollups, gridId, chart, when, nowMs, turn);
    const [rules, catalogs] = [await alerts.alertRules(gridId), await rollups.serviceCatalogs(gridId)];
    return { chart, data, thresholds: thresholdsOf(chart, rules), deployments: deploymentsOf(chart, data.frame, catalogs), closed: isClosed(when, nowMs) };
  };
  const drawAll = async (gridId: string, { title, charts: placed }: ListedDashboard, when: ChartWhen, turn: Turn): Promise<DashboardPicture> => {
    const nowMs = now();
    const charts: DashboardPicture['charts'][number][] = [];
    for (const { chartId, position } of placed) {
      const chart = await findChart(gridId, chartId, turn);
      // One that left between the two questions is left out.
      if (chart !== undefined) charts.push({ ...sealPicture(await draw(gridId, chart, when, nowMs, turn)), position });
      await turn.giveWay();
    }
    return { title, frame: frameOf(when, nowMs), charts, closed: isClosed(when, nowMs) };
  };
  return {
    charts: (gridId) => underWay.answer(async (turn) => {
      const own = await definitions.charts(gridId);
      const { boards } = await services.of(gridId, turn);
      return [...own.map((chart) => ({ ...chart, builtIn: false })), ...boards.flatMap(({ charts }) => charts).map((chart) => ({ ...chart, builtIn: true }))];
    }),
    chart: (gridId, chartId) => underWay.answer((turn) => findChart(gridId, chartId, turn)),
    chartData: (gridId, chartId, when) => underWay.answer(async (turn) => {
      const chart = await findChart(gridId, chartId, turn);
      return chart && { chart, data: await chartData(chartRollups, gridId, chart, when, now(), turn) };
    }),
    chartPicture: (gridId, chartId, when) => underWay.answer(async (turn) => {
      const chart = await findChart(gridId, chartId, turn);
      return chart && draw(gridId, chart, when, now(), turn);
    }),
    dashboards: (gridId) => underWay.answer((turn) => listDashboards(definitions, services, gridId, turn)),
    dashboard: (gridId, dashboardId) => underWay.answer((turn) => findDashboard(definitions, services, gridId, dashboardId, turn)),
    dashboardPicture: (gridId, dashboardId, when) => underWay.answer(async (turn) => {
      const dashboard = await findDashboard(definitions, services, gridId, dashboardId, turn);
      return dashboard && drawAll(gridId, dashboard, when, turn);
    }),
    metrics: (gridId) => underWay.answer(() => metricCatalog(store, gridId)),
  };
}

function isClosed({ toMs }: ChartWhen, nowMs: number): boolean {
  return toMs !== undefined && toMs <= nowMs - SETTLED_MS;
}
