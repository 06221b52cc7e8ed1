import {
  DERIVED_UNITS,
  isDerivedMetric,
  type Chart,
  type ChartQueryDefinition,
} from '../../diagnostics/chart-model.js';
import type { ChartWindow, ChartSeries } from '../../diagnostics/chart-series/chart-series.js';
import { toQueryDefinition } from '../../queries/charts/query-charts.js';
import type { ListedDashboard } from '../../queries/charts/chart-query-types.js';
import { formatIsoMillis, toUnixNanos } from '../../telemetry/unix-time.js';
import {
  type ChartMetadata,
  type ChartSeries as ChartSeriesSchema,
  type Dashboard,
  type PlacedChart,
} from '../schemas/chart-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { formatTimestamp } from './value-conversions.js';

/** Charts and dashboards with the fields of the API specification, in its order. Values are already rounded. */

/** With the unit of the values, if it is known from the definition; for OpenTelemetry metrics it is only known from the data. */
export function presentChart({
  id,
  title,
  chartType,
  serviceName,
  metric,
  unit,
  query,
  createdAt,
  updatedAt,
}: Chart): ResponseBody<typeof ChartMetadata> {
  const displayUnit = unit === '' && isDerivedMetric(metric) ? DERIVED_UNITS[metric] : unit;
  return {
    id,
    title,
    chartType,
    serviceName,
    metric,
    unit: displayUnit,
    ...(query !== undefined && { query: presentChartQuery(query) }),
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
  };
}

/** Commands took only what is valid. */
function presentChartQuery(query: ChartQueryDefinition) {
  const { signal, where = '', groupBy = [], select = [], limit } = toQueryDefinition(query);
  return { ...{ signal, where, groupBy, select }, ...(limit !== undefined && { limit }) };
}

export type PresentedDashboard = Omit<ListedDashboard, 'builtIn'>;

export function presentDashboard({
  id,
  title,
  description,
  createdAt,
  updatedAt,
  charts,
  variables = [],
}: PresentedDashboard): ResponseBody<typeof Dashboard> {
  return {
    id,
    title,
    description,
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
    charts: charts.map(presentPlacedChart),
    ...(variables.length > 0 && { variables: [...variables] }),
  };
}

/** `cell` is an extension of the API specification, for tables of several figures. */
export function presentSeries({ label, cell, points }: ChartSeries): ResponseBody<typeof ChartSeriesSchema> {
  const dataPoints = points.map(({ atMs, value }) => ({ timestamp: formatTimestamp(atMs), value }));
  return { label, dataPoints, ...(cell !== undefined && { cell }) };
}

/** Exemplars are an extension of the API specification. */
export function presentSeriesWithExemplars(series: ChartSeries): ResponseBody<typeof ChartSeriesSchema> {
  const exemplars = series.exemplars.map(({ timeUs, value, traceId, spanId }) => ({
    timestamp: formatIsoMillis(toUnixNanos(timeUs, 0)),
    value,
    traceId,
    spanId,
  }));
  return { ...presentSeries(series), exemplars };
}

/**
 * The parts of the window that an image depends on. The current time only affects whether the last step is still running and
 * whether the year is displayed.
 */
export function presentImageFrame({ nowMs, ...frame }: ChartWindow): object {
  return { ...frame, isRunning: frame.toMs > nowMs, year: new Date(nowMs).getUTCFullYear() };
}

function presentPlacedChart({
  chartId,
  title,
  chartType,
  position: { row, col, width, height },
}: PresentedDashboard['charts'][number]): ResponseBody<typeof PlacedChart> {
  return { chartId, title, chartType, position: { row, col, width, height } };
}
