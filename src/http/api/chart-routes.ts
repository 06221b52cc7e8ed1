import { type ChartRenderOptions, type DashboardRenderOptions, DRAWING_VERSION } from '../../charts/render-options.js';
import type {
  DashboardPicture,
  ListedMetric,
  MetricCatalog,
  PackedChartPicture,
} from '../../queries/charts/chart-query-types.js';
import { computeEntityTag } from '../requests/conditional-request.js';
import { ImageResponse } from '../responses/api-responses.js';
import { StreamedList } from '../responses/streamed-list.js';
import {
  ChartDataModel,
  ChartPictureModel,
  DashboardPictureModel,
  toChartLook,
  toChartTime,
  toDashboardLook,
  validateChartRange,
} from '../requests/chart-requests.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import {
  ChartList,
  ChartMetadata,
  ChartRangeData,
  Dashboard,
  DashboardList,
  type Metric,
  MetricCatalog as MetricCatalogSchema,
} from '../schemas/chart-schemas.js';
import { formatTimestamp, normalizeUuid } from './value-conversions.js';
import {
  presentChart,
  presentDashboard,
  presentImageFrame,
  presentSeries,
  presentSeriesWithExemplars,
} from './chart-presenters.js';
import type { ResponseBody } from '../schemas/schema-builders.js';

const CHART_LIST_ROUTE = { tag: 'Charts', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const MS_PER_SECOND = 1000;
const CHARTS_PATH = '/apm/charts/{gridSecondaryId}/charts';
const CHART_ROUTE = { ...CHART_LIST_ROUTE, missing: 'No chart of this id is known in the Grid.' } as const;

export const chartRoutes: readonly Route[] = [
  defineRoute({
    ...CHART_LIST_ROUTE,
    path: CHARTS_PATH,
    operationId: 'listCharts',
    summary: 'List the charts of a Grid and those of its services',
    run: ({ charts }, { params }) => charts.charts(params.gridSecondaryId),
    answer: ChartList,
    present: (charts) => ({
      charts: new StreamedList(charts, (chart) => ({ ...presentChart(chart), builtIn: chart.builtIn })),
    }),
  }),
  defineRoute({
    ...CHART_ROUTE,
    path: `${CHARTS_PATH}/{chartSecondaryId}`,
    operationId: 'getChart',
    summary: 'Read what a chart shows',
    run: ({ charts }, { params }) => charts.chart(params.gridSecondaryId, normalizeUuid(params.chartSecondaryId)),
    answer: ChartMetadata,
    present: presentChart,
  }),
  defineRoute({
    ...CHART_ROUTE,
    path: `${CHARTS_PATH}/{chartId}/render`,
    operationId: 'renderChart',
    summary: 'Draw a chart',
    description:
      'Without a range the last hour. A picture of the past that can change no more may be kept for a day; any other is asked for each time, and answered by 304 where it is still right.',
    query: ChartPictureModel,
    faults: validateChartRange,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.chartPicture(
        params.gridSecondaryId,
        normalizeUuid(params.chartId),
        toChartTime(query),
      );
      const look = toChartLook(query);
      return picture && { picture, look, draw: () => renderer.render(picture, look) };
    },
    present: ({ picture, look, draw }) =>
      new ImageResponse({
        entityTag: computeEntityTag(chartImageContent(picture, look)),
        isClosed: picture.closed,
        fileName: 'chart.png',
        draw,
      }),
  }),
  defineRoute({
    ...CHART_ROUTE,
    path: `${CHARTS_PATH}/{chartId}/range-data`,
    operationId: 'getChartRangeData',
    summary: 'Read the data points of a chart',
    query: ChartDataModel,
    faults: validateChartRange,
    async run({ charts }, { params, query }) {
      const answer = await charts.chartData(params.gridSecondaryId, normalizeUuid(params.chartId), toChartTime(query));
      return (
        answer && {
          ...answer,
          tellsStep: query.stepSeconds === 'true',
          present: query.exemplars === 'true' ? presentSeriesWithExemplars : presentSeries,
        }
      );
    },
    answer: ChartRangeData,
    present: ({ chart, data: { unit, frame, series }, tellsStep, present }) => ({
      chartId: chart.id,
      title: chart.title,
      unit,
      rangeStart: formatTimestamp(frame.fromMs),
      rangeEnd: formatTimestamp(frame.toMs),
      ...(tellsStep && { stepSeconds: frame.stepMs / MS_PER_SECOND }),
      series: new StreamedList(series, present),
    }),
  }),
];

/** Everything that the bytes of a picture depend on: not when it was asked for. */
function chartImageContent({ digest, frame }: PackedChartPicture, look: ChartRenderOptions): object {
  return { drawing: DRAWING_VERSION, frame: presentImageFrame(frame), digest, look };
}

const DASHBOARD_LIST_ROUTE = { tag: 'Dashboards', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const DASHBOARDS_PATH = '/apm/dashboards/{gridSecondaryId}/dashboards';
const DASHBOARD_ROUTE = { ...DASHBOARD_LIST_ROUTE, missing: 'No dashboard of this id is known in the Grid.' } as const;

export const dashboardRoutes: readonly Route[] = [
  defineRoute({
    ...DASHBOARD_LIST_ROUTE,
    path: DASHBOARDS_PATH,
    operationId: 'listDashboards',
    summary: 'List the dashboards of a Grid and those of its services',
    run: ({ charts }, { params }) => charts.dashboards(params.gridSecondaryId),
    answer: DashboardList,
    present: (dashboards) => ({
      dashboards: new StreamedList(dashboards, (each) => ({ ...presentDashboard(each), builtIn: each.builtIn })),
    }),
  }),
  defineRoute({
    ...DASHBOARD_ROUTE,
    path: `${DASHBOARDS_PATH}/{dashboardSecondaryId}`,
    operationId: 'getDashboard',
    summary: 'Read which charts a dashboard shows, and where',
    run: ({ charts }, { params }) =>
      charts.dashboard(params.gridSecondaryId, normalizeUuid(params.dashboardSecondaryId)),
    answer: Dashboard,
    present: presentDashboard,
  }),
  defineRoute({
    ...DASHBOARD_ROUTE,
    path: `${DASHBOARDS_PATH}/{dashboardId}/render`,
    operationId: 'renderDashboard',
    summary: 'Draw a dashboard with all of its charts',
    query: DashboardPictureModel,
    faults: validateChartRange,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.dashboardPicture(
        params.gridSecondaryId,
        normalizeUuid(params.dashboardId),
        toChartTime(query),
      );
      const look = toDashboardLook(query);
      return picture && { picture, look, draw: () => renderer.renderDashboard(picture, look) };
    },
    present: ({ picture, look, draw }) =>
      new ImageResponse({
        entityTag: computeEntityTag(dashboardImageContent(picture, look)),
        isClosed: picture.closed,
        fileName: 'dashboard.png',
        draw,
      }),
  }),
];

/** Everything that the bytes of a picture depend on: not when it was asked for. */
function dashboardImageContent({ title, frame, charts }: DashboardPicture, look: DashboardRenderOptions): object {
  return {
    drawing: DRAWING_VERSION,
    title,
    frame: presentImageFrame(frame),
    charts: charts.map(({ position, digest }) => ({ position, digest })),
    look,
  };
}

export const metricRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/apm/metrics/{gridSecondaryId}',
    operationId: 'listMetrics',
    tag: 'Metrics',
    summary: 'List the OpenTelemetry metrics that were seen within the last day',
    grid: 'path',
    roles: EVERY_ROLE,
    run: ({ charts }, { params }) => charts.metrics(params.gridSecondaryId),
    answer: MetricCatalogSchema,
    present: presentMetricCatalog,
  }),
];

/** `overflow` is there only where series past the limit came in. */
function presentMetricCatalog({
  metrics,
  seriesCount,
  seriesLimit,
  overflow,
}: MetricCatalog): ResponseBody<typeof MetricCatalogSchema> {
  return {
    metrics: new StreamedList(metrics, presentMetric),
    seriesCount,
    seriesLimit,
    ...(overflow !== undefined && {
      overflow: { firstAt: formatTimestamp(overflow.firstMs), lastAt: formatTimestamp(overflow.lastMs) },
    }),
  };
}

/** `monotonic` is of sums alone. */
function presentMetric({
  name,
  unit,
  type,
  monotonic,
  services,
  attributeKeys,
  seriesCount,
}: ListedMetric): ResponseBody<typeof Metric> {
  return { name, unit, type, ...(type === 'sum' && { monotonic }), services, attributeKeys, seriesCount };
}
