import {
  DASHBOARD_COLUMNS,
  type Chart,
  type ChartPosition,
  type ChartType,
  type Dashboard,
  type NewChart,
} from '../../diagnostics/chart-model.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import type { DiscoveredService } from './discovered-services.js';
import { RUNTIME_CHARTS } from './runtime-chart-definitions.js';

/** Generated dashboard of one service, with its charts in dashboard order. */
export interface ServiceDashboard {
  readonly dashboard: Dashboard;
  readonly charts: readonly Chart[];
}

interface ServiceChartTemplate {
  /** Part of the chart's id: must never change. */
  readonly key: string;
  readonly chart: Pick<NewChart, 'title' | 'chartType' | 'metric' | 'groupBy' | 'aggregation'>;
  readonly position: ChartPosition;
}

/** Charts of requests, errors and latency, in rows of three, two and two. */
const REQUEST_CHARTS: readonly ServiceChartTemplate[] = [
  placeChart('requests', 'Requests', 'area', 'request_rate', '', toChartPosition(0, 0, 4, 4)),
  placeChart('errors', 'Error rate', 'line', 'error_rate', '', toChartPosition(0, 4, 4, 4)),
  placeChart('apdex', 'Apdex', 'line', 'apdex', '', toChartPosition(0, 8, 4, 4)),
  placeChart('latency', 'Latency', 'line', 'latency', '', toChartPosition(4, 0, 6, 5)),
  placeChart('logs', 'Logs by severity', 'bar', 'log_rate', 'severity', toChartPosition(4, 6, 6, 5)),
  placeChart(
    'requests-by-operation',
    'Requests by operation',
    'area',
    'request_rate',
    'operation',
    toChartPosition(9, 0, 6, 5),
  ),
  placeChart(
    'slowest-operations',
    'Slowest operations (p95)',
    'line',
    'latency_p95',
    'operation',
    toChartPosition(9, 6, 6, 5),
  ),
];

/** Runtime charts follow below, at most three per row. */
const RUNTIME_ROW = 14;
const RUNTIME_HEIGHT = 4;

/** Pure. Ids depend only on the Grid, service and chart keys, so they stay stable whatever the service sends. */
export function buildServiceDashboard(gridId: string, service: DiscoveredService): ServiceDashboard {
  const { serviceName, firstMs } = service;
  const id = (key: string): string => deriveUuid(`${gridId}/services/${serviceName}/${key}`);
  const times = { createdAt: firstMs, updatedAt: firstMs };
  const all = [...REQUEST_CHARTS, ...buildRuntimeCharts(service)].map(({ key, chart, position }) => ({
    chart: {
      id: id(`charts/${key}`),
      ...chart,
      title: `${serviceName} · ${chart.title}`,
      serviceName,
      unit: '',
      ...times,
    },
    position,
  }));
  const description = `What ${serviceName} serves, how fast and how well, what it logs and what it runs on.`;
  const charts = all.map(({ chart, position }) => ({ chartId: chart.id, position }));
  return {
    dashboard: { id: id('dashboard'), title: serviceName, description, charts, ...times },
    charts: all.map(({ chart }) => chart),
  };
}

/** Beginnings of conditions of alerts, with the charts that show what they watch. */
const WATCHED_CHARTS = [
  ['latency', 'latency'],
  ['apdex', 'apdex'],
  ['request_rate', 'requests'],
] as const;

/** Id of the chart of a service that shows what an alert watches, by its condition; that of errors for all others. */
export function findRequestChartId(gridId: string, serviceName: string, condition: string): string {
  const key = WATCHED_CHARTS.find(([metric]) => condition.startsWith(metric))?.[1] ?? 'errors';
  return deriveUuid(`${gridId}/services/${serviceName}/charts/${key}`);
}

/** One chart per runtime resource, with the preferred metric that the service sends. */
function buildRuntimeCharts({ runtimeMetrics }: DiscoveredService): ServiceChartTemplate[] {
  const summaries = RUNTIME_CHARTS.flatMap(({ key, title, metrics, groups, aggregation }) => {
    const metric = metrics.find((name) => runtimeMetrics.has(name));
    if (metric === undefined) return [];
    const attributes = runtimeMetrics.get(metric)!;
    const groupBy = groups.find((group) => group === 'instance' || attributes.has(group)) ?? '';
    return [{ key, chart: { title, chartType: 'line' as const, metric, groupBy, aggregation } }];
  });
  const positions = layOutRows(summaries.length);
  return summaries.map((template, i) => ({ ...template, position: positions[i] }));
}

/** Rows of three; the last rows have two where that avoids a gap. A single chart takes the full width. */
function layOutRows(count: number): ChartPosition[] {
  const positions: ChartPosition[] = [];
  for (let row = RUNTIME_ROW; positions.length < count; row += RUNTIME_HEIGHT) {
    const left = count - positions.length;
    const inRow = left === 4 ? 2 : Math.min(3, left);
    const width = DASHBOARD_COLUMNS / inRow;
    for (let i = 0; i < inRow; i++) positions.push(toChartPosition(row, i * width, width, RUNTIME_HEIGHT));
  }
  return positions;
}

function placeChart(
  key: string,
  title: string,
  chartType: ChartType,
  metric: string,
  groupBy: string,
  position: ChartPosition,
): ServiceChartTemplate {
  return { key, chart: { title, chartType, metric, groupBy, aggregation: '' }, position };
}

function toChartPosition(row: number, col: number, width: number, height: number): ChartPosition {
  return { row, col, width, height };
}
