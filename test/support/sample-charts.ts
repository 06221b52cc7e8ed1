import type { Chart, NewChart } from '../../src/diagnostics/chart-model.js';
import type { ListedDashboard } from '../../src/queries/charts/chart-query-types.js';

const AT = Date.UTC(2026, 0, 1) + 123;
const CREATED = { createdAt: AT, updatedAt: AT + 60_000 };

export const NEW_CHART: NewChart = {
  title: 'Slow orders',
  chartType: 'area',
  metric: 'orders.duration',
  serviceName: 'checkout',
  groupBy: 'region',
  aggregation: 'p95',
  unit: 's',
};
export const CHART: Chart = { ...NEW_CHART, ...CREATED, id: '0c0c0c0c-aaaa-4222-8333-0123456789ab' };
/** Built-in chart of a service. */
export const BUILT_IN_CHART: Chart = {
  ...CREATED,
  id: '0c0c0c0c-bbbb-5222-8333-0123456789ab',
  title: 'checkout · Requests',
  chartType: 'line',
  metric: 'request_rate',
  serviceName: 'checkout',
  groupBy: '',
  aggregation: '',
  unit: '',
};

const PLACED = {
  chartId: CHART.id,
  title: CHART.title,
  chartType: CHART.chartType,
  position: { row: 0, col: 6, width: 6, height: 4 },
} as const;
export const DASHBOARD: Omit<ListedDashboard, 'builtIn'> = {
  ...CREATED,
  id: '0d0d0d0d-aaaa-4222-8333-0123456789ab',
  title: 'Orders',
  description: 'What the shop lives by',
  charts: [PLACED],
};
export const BUILT_IN_DASHBOARD: Omit<ListedDashboard, 'builtIn'> = {
  ...DASHBOARD,
  id: '0d0d0d0d-bbbb-5222-8333-0123456789ab',
  title: 'checkout',
  description: '',
};
