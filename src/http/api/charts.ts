import { DRAWING_VERSION, type Look } from '../../charts/look.js';
import type { SealedChart } from '../../queries/charts/questions.js';
import { entityTagOf } from '../entity-tag.js';
import { PictureAnswer } from '../picture-answer.js';
import { PresentedList } from '../presented-list.js';
import { ChartPictureModel, lookOf } from '../requests/chart-picture.js';
import { ChartDataModel, chartRangeFaults, chartWhenOf } from '../requests/chart-range.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { ChartList, ChartMetadata, ChartRangeData } from '../schemas/charts.js';
import { iso } from './iso.js';
import { presentChart, presentSeries, presentSeriesWithExemplars, shownFrame } from './presented-charts.js';
import { uuidAsKept } from './questions.js';

const shared = { tag: 'Charts', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const MS_PER_SECOND = 1000;
const CHARTS = '/apm/charts/{gridSecondaryId}/charts';
const ofChart = { ...shared, missing: 'No chart of this id is known in the Grid.' } as const;

export const chartRoutes: readonly Route[] = [
  route({
    ...shared,
    path: CHARTS,
    operationId: 'listCharts',
    summary: 'List the charts of a Grid and those of its services',
    run: ({ charts }, { params }) => charts.charts(params.gridSecondaryId),
    answer: ChartList,
    present: (charts) => ({ charts: new PresentedList(charts, (chart) => ({ ...presentChart(chart), builtIn: chart.builtIn })) }),
  }),
  route({
    ...ofChart,
    path: `${CHARTS}/{chartSecondaryId}`,
    operationId: 'getChart',
    summary: 'Read what a chart shows',
    run: ({ charts }, { params }) => charts.chart(params.gridSecondaryId, uuidAsKept(params.chartSecondaryId)),
    answer: ChartMetadata,
    present: presentChart,
  }),
  route({
    ...ofChart,
    path: `${CHARTS}/{chartId}/render`,
    operationId: 'renderChart',
    summary: 'Draw a chart',
    description: 'Without a range the last hour. A picture of the past that can change no more may be kept for a day; any other is asked for each time, and answered by 304 where it is still right.',
    query: ChartPictureModel,
    faults: chartRangeFaults,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.chartPicture(params.gridSecondaryId, uuidAsKept(params.chartId), chartWhenOf(query));
      const look = lookOf(query);
      return picture && { picture, look, draw: () => renderer.render(picture, look) };
    },
    present: ({ picture, look, draw }) =>
      new PictureAnswer({ entityTag: entityTagOf(shown(picture, look)), isClosed: picture.closed, fileName: 'chart.png', draw }),
  }),
  route({
    ...ofChart,
    path: `${CHARTS}/{chartId}/range-data`,
    operationId: 'getChartRangeData',
    summary: 'Read the data points of a chart',
    query: ChartDataModel,
    faults: chartRangeFaults,
    async run({ charts }, { params, query }) {
      const answer = await charts.chartData(params.gridSecondaryId, uuidAsKept(params.chartId), chartWhenOf(query));
      return answer && { ...answer, tellsStep: query.stepSeconds === 'true', present: query.exemplars === 'true' ? presentSeriesWithExemplars : presentSeries };
    },
    answer: ChartRangeData,
    present: ({ chart, data: { unit, frame, series }, tellsStep, present }) => ({
      chartId: chart.id, title: chart.title, unit,
      rangeStart: iso(frame.fromMs), rangeEnd: iso(frame.toMs),
      ...(tellsStep && { stepSeconds: frame.stepMs / MS_PER_SECOND }),
      series: new PresentedList(series, present),
    }),
  }),
];

/** Everything that the bytes of a picture depend on: not when it was asked for. */
function shown({ digest, frame }: SealedChart, look: Look): object {
  return { drawing: DRAWING_VERSION, frame: shownFrame(frame), digest, look };
}
