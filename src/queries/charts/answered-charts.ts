import type { Chart } from '../../diagnostics/chart-model.js';
import { type ChartData, type ChartWindow, roundForApi } from '../../diagnostics/chart-series/chart-series.js';
import type { ChartQueries, ChartSelection, PackedChart } from './chart-query-types.js';
import { packChart, unpackChart } from './packed-chart.js';

/** When a chart is drawn, and how it is narrowed. */
export interface ChartRequest {
  readonly gridId: string;
  readonly when: ChartSelection;
}

/** Fills in the values of a chart whose data say only which window it has. */
type AnswerChart = (chart: Chart, unanswered: ChartData, request: ChartRequest) => Promise<ChartData>;

/** Chart queries that answer these charts, whose values are not in the rollups; others stay as they are. */
export function withAnswers(
  charts: ChartQueries,
  isAnswered: (chart: Chart) => boolean,
  answer: AnswerChart,
): ChartQueries {
  const answerPicture = async <Picture extends PackedChart>(
    packed: Picture,
    frame: ChartWindow,
    request: ChartRequest,
  ): Promise<Picture> => {
    if (packed.isUnanswered !== true) return packed;
    const picture = unpackChart(packed, frame);
    if (!isAnswered(picture.chart)) return packed;
    const { isUnanswered: _, ...rest } = packed;
    const data = await answer(picture.chart, picture.data, request);
    return { ...rest, ...packChart({ ...picture, data }) } as unknown as Picture;
  };
  return {
    charts: (gridId) => charts.charts(gridId),
    chart: (gridId, chartId) => charts.chart(gridId, chartId),
    async chartData(gridId, chartId, when) {
      const found = await charts.chartData(gridId, chartId, when);
      if (found === undefined || !isAnswered(found.chart)) return found;
      return { ...found, data: roundForApi(await answer(found.chart, found.data, { gridId, when })) };
    },
    async chartRenderInput(gridId, chartId, when) {
      const found = await charts.chartRenderInput(gridId, chartId, when);
      return found && answerPicture(found, found.frame, { gridId, when });
    },
    dashboards: (gridId) => charts.dashboards(gridId),
    dashboard: (gridId, dashboardId) => charts.dashboard(gridId, dashboardId),
    async dashboardRenderInput(gridId, dashboardId, when) {
      const found = await charts.dashboardRenderInput(gridId, dashboardId, when);
      if (found === undefined) return undefined;
      const answered: (typeof found.charts)[number][] = [];
      for (const chart of found.charts) answered.push(await answerPicture(chart, found.frame, { gridId, when }));
      return { ...found, charts: answered };
    },
    metrics: (gridId) => charts.metrics(gridId),
  };
}
