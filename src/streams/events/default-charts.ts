import { derivedId } from '../../telemetry/derived-id.js';
import type { StoredChart, StoredDashboard } from './chart-events.js';

type Position = StoredDashboard['charts'][number]['position'];

/** Of the whole Grid. Rows of three, two, two and one on twelve columns: what everybody looks at first stands on top. */
const OVERVIEW = [
  { key: 'requests', title: 'Requests', chartType: 'area', metric: 'request_rate', groupBy: '', position: at(0, 0, 4, 4) },
  { key: 'errors', title: 'Error rate', chartType: 'line', metric: 'error_rate', groupBy: '', position: at(0, 4, 4, 4) },
  { key: 'apdex', title: 'Apdex', chartType: 'line', metric: 'apdex', groupBy: '', position: at(0, 8, 4, 4) },
  { key: 'latency', title: 'Latency', chartType: 'line', metric: 'latency', groupBy: '', position: at(4, 0, 6, 5) },
  { key: 'slowest-services', title: 'Slowest services (p95)', chartType: 'line', metric: 'latency_p95', groupBy: 'service', position: at(4, 6, 6, 5) },
  { key: 'requests-by-service', title: 'Requests by service', chartType: 'area', metric: 'request_rate', groupBy: 'service', position: at(9, 0, 6, 5) },
  { key: 'errors-by-service', title: 'Error rate by service', chartType: 'line', metric: 'error_rate', groupBy: 'service', position: at(9, 6, 6, 5) },
  { key: 'logs', title: 'Logs by severity', chartType: 'bar', metric: 'log_rate', groupBy: 'severity', position: at(14, 0, 12, 4) },
] as const;

const DESCRIPTION = 'Traffic, errors, latency and logs of the whole Grid, and the services that stand out.';

/**
 * Charts that a Grid starts with: what `GridCreated.v1` means beside its settings. Later events speak of them by their
 * ids, and replays read them here: neither ids nor charts ever change.
 */
export function defaultCharts(gridId: string): StoredChart[] {
  return OVERVIEW.map(({ key, title, chartType, metric, groupBy }) => ({
    id: chartId(gridId, key), title, chartType, metric, serviceName: '', groupBy, aggregation: '', unit: '',
  }));
}

/** The same for dashboards: one, with all of these charts. */
export function defaultDashboards(gridId: string): StoredDashboard[] {
  const charts = OVERVIEW.map(({ key, position }) => ({ chartId: chartId(gridId, key), position }));
  return [{ id: derivedId(`${gridId}/dashboards/overview`), title: 'Service overview', description: DESCRIPTION, charts }];
}

function chartId(gridId: string, key: string): string {
  return derivedId(`${gridId}/charts/${key}`);
}

function at(row: number, col: number, width: number, height: number): Position {
  return { row, col, width, height };
}
