import { DASHBOARD_COLUMNS, type Chart, type ChartPosition, type ChartType, type Dashboard, type NewChart } from '../../diagnostics/chart.js';
import { derivedId } from '../../telemetry/derived-id.js';
import type { DiscoveredService } from './discovered-services.js';
import { RUNTIME_CHARTS } from './runtime-metrics.js';

/** The dashboard of one service, and the charts on it in their order. */
export interface ServiceBoard {
  readonly dashboard: Dashboard;
  readonly charts: readonly Chart[];
}

interface Placed {
  /** Part of the chart's id: never changes. */
  readonly key: string;
  readonly chart: Pick<NewChart, 'title' | 'chartType' | 'metric' | 'groupBy' | 'aggregation'>;
  readonly position: ChartPosition;
}

/** What every service is asked first, in rows of three, two and two. */
const SERVED: readonly Placed[] = [
  placed('requests', 'Requests', 'area', 'request_rate', '', at(0, 0, 4, 4)),
  placed('errors', 'Error rate', 'line', 'error_rate', '', at(0, 4, 4, 4)),
  placed('apdex', 'Apdex', 'line', 'apdex', '', at(0, 8, 4, 4)),
  placed('latency', 'Latency', 'line', 'latency', '', at(4, 0, 6, 5)),
  placed('logs', 'Logs by severity', 'bar', 'log_rate', 'severity', at(4, 6, 6, 5)),
  placed('requests-by-operation', 'Requests by operation', 'area', 'request_rate', 'operation', at(9, 0, 6, 5)),
  placed('slowest-operations', 'Slowest operations (p95)', 'line', 'latency_p95', 'operation', at(9, 6, 6, 5)),
];

/** Below them stand those of its runtime, at most three in a row. */
const RUNTIME_ROW = 14;
const RUNTIME_HEIGHT = 4;

/** Pure; the ids are the same for ever, whatever the service sends. */
export function serviceBoard(gridId: string, service: DiscoveredService): ServiceBoard {
  const { serviceName, firstMs } = service;
  const id = (key: string): string => derivedId(`${gridId}/services/${serviceName}/${key}`);
  const times = { createdAt: firstMs, updatedAt: firstMs };
  const all = [...SERVED, ...runtimeCharts(service)].map(({ key, chart, position }) => ({
    chart: { id: id(`charts/${key}`), ...chart, title: `${serviceName} · ${chart.title}`, serviceName, unit: '', ...times },
    position,
  }));
  const description = `What ${serviceName} serves, how fast and how well, what it logs and what it runs on.`;
  const charts = all.map(({ chart, position }) => ({ chartId: chart.id, position }));
  return { dashboard: { id: id('dashboard'), title: serviceName, description, charts, ...times }, charts: all.map(({ chart }) => chart) };
}

/** Of the resources that the service tells about, each by the best of its names. */
function runtimeCharts({ runtimeMetrics }: DiscoveredService): Placed[] {
  const told = RUNTIME_CHARTS.flatMap(({ key, title, metrics, groups, aggregation }) => {
    const metric = metrics.find((name) => runtimeMetrics.has(name));
    if (metric === undefined) return [];
    const attributes = runtimeMetrics.get(metric)!;
    const groupBy = groups.find((group) => group === 'instance' || attributes.has(group)) ?? '';
    return [{ key, chart: { title, chartType: 'line' as const, metric, groupBy, aggregation } }];
  });
  const places = fullRows(told.length);
  return told.map((one, i) => ({ ...one, position: places[i] }));
}

/** Rows of three, the last ones of two where that leaves no hole; one alone is as wide as the dashboard. */
function fullRows(count: number): ChartPosition[] {
  const places: ChartPosition[] = [];
  for (let row = RUNTIME_ROW; places.length < count; row += RUNTIME_HEIGHT) {
    const left = count - places.length;
    const inRow = left === 4 ? 2 : Math.min(3, left);
    const width = DASHBOARD_COLUMNS / inRow;
    for (let i = 0; i < inRow; i++) places.push(at(row, i * width, width, RUNTIME_HEIGHT));
  }
  return places;
}

function placed(key: string, title: string, chartType: ChartType, metric: string, groupBy: string, position: ChartPosition): Placed {
  return { key, chart: { title, chartType, metric, groupBy, aggregation: '' }, position };
}

function at(row: number, col: number, width: number, height: number): ChartPosition {
  return { row, col, width, height };
}
