import { DERIVED_UNITS, isDerivedMetric, type Chart } from '../../diagnostics/chart.js';
import type { ChartFrame, ChartSeries } from '../../diagnostics/chart-series/answer.js';
import type { ListedDashboard } from '../../queries/charts/questions.js';
import { isoMillis, unixNanos } from '../../telemetry/time.js';
import { type ChartMetadata, type ChartSeries as ChartSeriesSchema, type Dashboard, type PlacedChart } from '../schemas/charts.js';
import type { Shown } from '../schemas/terms.js';
import { iso } from './iso.js';

/** The records of charts and dashboards as the spec lists their members, in its order. Figures come rounded. */

/** With the unit that values are in, as far as the definition tells it: of an OTLP metric the data alone know. */
export function presentChart({ id, title, chartType, serviceName, metric, unit, createdAt, updatedAt }: Chart): Shown<typeof ChartMetadata> {
  const shownUnit = unit === '' && isDerivedMetric(metric) ? DERIVED_UNITS[metric] : unit;
  return { id, title, chartType, serviceName, metric, unit: shownUnit, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

export type PresentedDashboard = Omit<ListedDashboard, 'builtIn'>;

export function presentDashboard({ id, title, description, createdAt, updatedAt, charts }: PresentedDashboard): Shown<typeof Dashboard> {
  return { id, title, description, createdAt: iso(createdAt), updatedAt: iso(updatedAt), charts: charts.map(presentPlacedChart) };
}

export function presentSeries({ label, points }: ChartSeries): Shown<typeof ChartSeriesSchema> {
  return { label, dataPoints: points.map(({ atMs, value }) => ({ timestamp: iso(atMs), value })) };
}

/** An addition of ours: where to go on from a measurement. */
export function presentSeriesWithExemplars(series: ChartSeries): Shown<typeof ChartSeriesSchema> {
  const exemplars = series.exemplars.map(({ timeUs, value, traceId, spanId }) => ({ timestamp: isoMillis(unixNanos(timeUs, 0)), value, traceId, spanId }));
  return { ...presentSeries(series), exemplars };
}

/** Of a picture: the moment of asking shows in its values, in whether its last step runs on, and in whether the year is told. */
export function shownFrame({ nowMs, ...frame }: ChartFrame): object {
  return { ...frame, isRunning: frame.toMs > nowMs, year: new Date(nowMs).getUTCFullYear() };
}

function presentPlacedChart({ chartId, title, chartType, position: { row, col, width, height } }: PresentedDashboard['charts'][number]): Shown<typeof PlacedChart> {
  return { chartId, title, chartType, position: { row, col, width, height } };
}
