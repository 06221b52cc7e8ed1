import { DERIVED_UNITS, isDerivedMetric, type Chart } from '../../diagnostics/chart-model.js';
import type { ChartWindow, ChartSeries } from '../../diagnostics/chart-series/chart-series.js';
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

/** The records of charts and dashboards as the spec lists their members, in its order. Figures come rounded. */

/** With the unit that values are in, as far as the definition tells it: of an OTLP metric the data alone know. */
export function presentChart({
  id,
  title,
  chartType,
  serviceName,
  metric,
  unit,
  createdAt,
  updatedAt,
}: Chart): ResponseBody<typeof ChartMetadata> {
  const shownUnit = unit === '' && isDerivedMetric(metric) ? DERIVED_UNITS[metric] : unit;
  return {
    id,
    title,
    chartType,
    serviceName,
    metric,
    unit: shownUnit,
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
  };
}

export type PresentedDashboard = Omit<ListedDashboard, 'builtIn'>;

export function presentDashboard({
  id,
  title,
  description,
  createdAt,
  updatedAt,
  charts,
}: PresentedDashboard): ResponseBody<typeof Dashboard> {
  return {
    id,
    title,
    description,
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
    charts: charts.map(presentPlacedChart),
  };
}

export function presentSeries({ label, points }: ChartSeries): ResponseBody<typeof ChartSeriesSchema> {
  return { label, dataPoints: points.map(({ atMs, value }) => ({ timestamp: formatTimestamp(atMs), value })) };
}

/** An addition of ours: where to go on from a measurement. */
export function presentSeriesWithExemplars(series: ChartSeries): ResponseBody<typeof ChartSeriesSchema> {
  const exemplars = series.exemplars.map(({ timeUs, value, traceId, spanId }) => ({
    timestamp: formatIsoMillis(toUnixNanos(timeUs, 0)),
    value,
    traceId,
    spanId,
  }));
  return { ...presentSeries(series), exemplars };
}

/** Of a picture: the moment of asking shows in its values, in whether its last step runs on, and in whether the year is told. */
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
