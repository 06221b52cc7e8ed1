import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import type { StoredChart, StoredDashboard } from './chart-events.js';
import type { StoredAlertRule } from './alert-events.js';

type DashboardPosition = StoredDashboard['charts'][number]['position'];

/**
 * Charts of the default dashboard: rows of three, two, two and one chart on twelve columns, the most important on top.
 */
const OVERVIEW_CHARTS = [
  {
    key: 'requests',
    title: 'Requests',
    chartType: 'area',
    metric: 'request_rate',
    groupBy: '',
    position: toDashboardPosition(0, 0, 4, 4),
  },
  {
    key: 'errors',
    title: 'Error rate',
    chartType: 'line',
    metric: 'error_rate',
    groupBy: '',
    position: toDashboardPosition(0, 4, 4, 4),
  },
  {
    key: 'apdex',
    title: 'Apdex',
    chartType: 'line',
    metric: 'apdex',
    groupBy: '',
    position: toDashboardPosition(0, 8, 4, 4),
  },
  {
    key: 'latency',
    title: 'Latency',
    chartType: 'line',
    metric: 'latency',
    groupBy: '',
    position: toDashboardPosition(4, 0, 6, 5),
  },
  {
    key: 'slowest-services',
    title: 'Slowest services (p95)',
    chartType: 'line',
    metric: 'latency_p95',
    groupBy: 'service',
    position: toDashboardPosition(4, 6, 6, 5),
  },
  {
    key: 'requests-by-service',
    title: 'Requests by service',
    chartType: 'area',
    metric: 'request_rate',
    groupBy: 'service',
    position: toDashboardPosition(9, 0, 6, 5),
  },
  {
    key: 'errors-by-service',
    title: 'Error rate by service',
    chartType: 'line',
    metric: 'error_rate',
    groupBy: 'service',
    position: toDashboardPosition(9, 6, 6, 5),
  },
  {
    key: 'logs',
    title: 'Logs by severity',
    chartType: 'bar',
    metric: 'log_rate',
    groupBy: 'severity',
    position: toDashboardPosition(14, 0, 12, 4),
  },
] as const;

const OVERVIEW_DESCRIPTION = 'Traffic, errors, latency and logs of the whole Grid, and the services that stand out.';

/**
 * Charts of a new Grid, as implied by `GridCreated.v1`. Later events refer to their ids and replays call this function,
 * so neither ids nor charts may ever change.
 */
export function createDefaultCharts(gridId: string): StoredChart[] {
  return OVERVIEW_CHARTS.map(({ key, title, chartType, metric, groupBy }) => ({
    id: deriveChartId(gridId, key),
    title,
    chartType,
    metric,
    serviceName: '',
    groupBy,
    aggregation: '',
    unit: '',
  }));
}

/** Dashboards of a new Grid: one that contains all default charts. MUST NOT change either. */
export function createDefaultDashboards(gridId: string): StoredDashboard[] {
  const charts = OVERVIEW_CHARTS.map(({ key, position }) => ({ chartId: deriveChartId(gridId, key), position }));
  return [
    {
      id: deriveUuid(`${gridId}/dashboards/overview`),
      title: 'Service overview',
      description: OVERVIEW_DESCRIPTION,
      charts,
    },
  ];
}

function deriveChartId(gridId: string, key: string): string {
  return deriveUuid(`${gridId}/charts/${key}`);
}

function toDashboardPosition(row: number, col: number, width: number, height: number): DashboardPosition {
  return { row, col, width, height };
}

const COMMON_RULE_FIELDS = { windowMinutes: 15, forMinutes: 0, minRequests: 20, enabled: true } as const;

const DEFAULT_ALERT_RULES = [
  {
    name: 'High error rate',
    metric: 'error_rate',
    operator: '>',
    threshold: 5,
    severity: 'warning',
    criticalThreshold: 10,
  },
  {
    name: 'High latency',
    metric: 'latency_p95',
    operator: '>',
    threshold: 2_000,
    severity: 'warning',
    criticalThreshold: 4_000,
  },
  { name: 'Low Apdex', metric: 'apdex', operator: '<', threshold: 0.7, severity: 'warning' },
  { name: 'Resource under pressure', metric: 'pressure', operator: '>=', threshold: 90, severity: 'critical' },
] as const;

/**
 * Alert rules of a new Grid (contract §5), as implied by `GridCreated.v1`. Later events refer to their ids, which
 * therefore never change: there is at most one default rule per metric.
 */
export function createDefaultAlertRules(gridId: string): StoredAlertRule[] {
  return DEFAULT_ALERT_RULES.map((rule) => ({
    id: deriveUuid(`${gridId}/${rule.metric}`),
    ...rule,
    ...COMMON_RULE_FIELDS,
  }));
}
