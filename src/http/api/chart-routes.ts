import { type ChartRenderOptions, type DashboardRenderOptions, DRAWING_VERSION } from '../../charts/render-options.js';
import type {
  DashboardRenderInput,
  ListedMetric,
  MetricCatalog,
  PackedChartInput,
} from '../../queries/charts/chart-query-types.js';
import { computeEntityTag } from '../requests/request-headers.js';
import { ImageResponse } from '../responses/api-responses.js';
import { StreamedList } from '../responses/send-response.js';
import {
  ChartDataModel,
  ChartPictureModel,
  DashboardPictureModel,
  toChartRenderOptions,
  toChartSelection,
  toDashboardRenderOptions,
  validateChartSelection,
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
const CHART_ROUTE = { ...CHART_LIST_ROUTE, missing: 'The Grid has no chart with this id.' } as const;

export const chartRoutes: readonly Route[] = [
  defineRoute({
    ...CHART_LIST_ROUTE,
    path: CHARTS_PATH,
    operationId: 'listCharts',
    summary: 'List the charts of a Grid, including those generated for its services',
    run: ({ charts }, { params }) => charts.charts(params.gridSecondaryId),
    responseSchema: ChartList,
    present: (charts) => ({
      charts: new StreamedList(charts, (chart) => ({ ...presentChart(chart), builtIn: chart.builtIn })),
    }),
  }),
  defineRoute({
    ...CHART_ROUTE,
    path: `${CHARTS_PATH}/{chartSecondaryId}`,
    operationId: 'getChart',
    summary: 'Read a chart',
    run: ({ charts }, { params }) => charts.chart(params.gridSecondaryId, normalizeUuid(params.chartSecondaryId)),
    responseSchema: ChartMetadata,
    present: presentChart,
  }),
  defineRoute({
    ...CHART_ROUTE,
    path: `${CHARTS_PATH}/{chartId}/render`,
    operationId: 'renderChart',
    summary: 'Render a chart as an image',
    description:
      'Shows the last hour by default. An image of a past range that can no longer change may be cached for a day. Any other image must be revalidated and is answered with 304 if it is still current.',
    query: ChartPictureModel,
    validate: validateChartSelection,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.chartRenderInput(
        params.gridSecondaryId,
        normalizeUuid(params.chartId),
        toChartSelection(query),
      );
      const options = toChartRenderOptions(query);
      return picture && { picture, options, draw: () => renderer.render(params.gridSecondaryId, picture, options) };
    },
    present: ({ picture, options, draw }) =>
      new ImageResponse({
        entityTag: computeEntityTag(chartImageContent(picture, options)),
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
    validate: validateChartSelection,
    async run({ charts }, { params, query }) {
      const result = await charts.chartData(
        params.gridSecondaryId,
        normalizeUuid(params.chartId),
        toChartSelection(query),
      );
      return (
        result && {
          ...result,
          includesStep: query.stepSeconds === 'true',
          present: query.exemplars === 'true' ? presentSeriesWithExemplars : presentSeries,
        }
      );
    },
    responseSchema: ChartRangeData,
    present: ({ chart, data: { unit, frame, series, hint }, includesStep, present }) => ({
      chartId: chart.id,
      title: chart.title,
      unit,
      rangeStart: formatTimestamp(frame.fromMs),
      rangeEnd: formatTimestamp(frame.toMs),
      ...(includesStep && { stepSeconds: frame.stepMs / MS_PER_SECOND }),
      series: new StreamedList(series, present),
      ...(hint !== undefined && { hint }),
    }),
  }),
];

/** Everything that the bytes of the image depend on, for its entity tag. */
function chartImageContent({ digest, frame }: PackedChartInput, options: ChartRenderOptions): object {
  return { drawing: DRAWING_VERSION, frame: presentImageFrame(frame), digest, look: options };
}

const DASHBOARD_LIST_ROUTE = { tag: 'Dashboards', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const DASHBOARDS_PATH = '/apm/dashboards/{gridSecondaryId}/dashboards';
const DASHBOARD_ROUTE = { ...DASHBOARD_LIST_ROUTE, missing: 'The Grid has no dashboard with this id.' } as const;

export const dashboardRoutes: readonly Route[] = [
  defineRoute({
    ...DASHBOARD_LIST_ROUTE,
    path: DASHBOARDS_PATH,
    operationId: 'listDashboards',
    summary: 'List the dashboards of a Grid, including those generated for its services',
    run: ({ charts }, { params }) => charts.dashboards(params.gridSecondaryId),
    responseSchema: DashboardList,
    present: (dashboards) => ({
      dashboards: new StreamedList(dashboards, (each) => ({ ...presentDashboard(each), builtIn: each.builtIn })),
    }),
  }),
  defineRoute({
    ...DASHBOARD_ROUTE,
    path: `${DASHBOARDS_PATH}/{dashboardSecondaryId}`,
    operationId: 'getDashboard',
    summary: 'Read a dashboard with the positions of its charts',
    run: ({ charts }, { params }) =>
      charts.dashboard(params.gridSecondaryId, normalizeUuid(params.dashboardSecondaryId)),
    responseSchema: Dashboard,
    present: presentDashboard,
  }),
  defineRoute({
    ...DASHBOARD_ROUTE,
    path: `${DASHBOARDS_PATH}/{dashboardId}/render`,
    operationId: 'renderDashboard',
    summary: 'Render a dashboard with all of its charts as an image',
    query: DashboardPictureModel,
    validate: validateChartSelection,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.dashboardRenderInput(
        params.gridSecondaryId,
        normalizeUuid(params.dashboardId),
        toChartSelection(query),
      );
      const options = toDashboardRenderOptions(query);
      return (
        picture && { picture, options, draw: () => renderer.renderDashboard(params.gridSecondaryId, picture, options) }
      );
    },
    present: ({ picture, options, draw }) =>
      new ImageResponse({
        entityTag: computeEntityTag(dashboardImageContent(picture, options)),
        isClosed: picture.closed,
        fileName: 'dashboard.png',
        draw,
      }),
  }),
];

/** Everything that the bytes of the image depend on, for its entity tag. */
function dashboardImageContent(
  { title, frame, charts }: DashboardRenderInput,
  options: DashboardRenderOptions,
): object {
  return {
    drawing: DRAWING_VERSION,
    title,
    frame: presentImageFrame(frame),
    charts: charts.map(({ position, digest }) => ({ position, digest })),
    look: options,
  };
}

export const metricRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/apm/metrics/{gridSecondaryId}',
    operationId: 'listMetrics',
    tag: 'Metrics',
    summary: 'List the OpenTelemetry metrics received within the last day',
    grid: 'path',
    roles: EVERY_ROLE,
    run: ({ charts }, { params }) => charts.metrics(params.gridSecondaryId),
    responseSchema: MetricCatalogSchema,
    present: presentMetricCatalog,
  }),
];

/** `overflow` is present only if data points beyond the series limit were received. */
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

/** `monotonic` is present only for sums. */
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
