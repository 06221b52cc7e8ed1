import type { ToolContext } from '../tool.js';
import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export interface AvailableChart {
  readonly id: string;
  readonly title: string;
  readonly chartType: string;
  readonly serviceName: string;
  readonly metric: string;
  readonly groupBy: string;
}

export interface AvailableDashboard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export const getAvailableCharts = plainTool({
  name: 'GetAvailableCharts',
  description: 'Charts and dashboards of the Grid with their ids: own ones and those made for each service.',
  ask: available,
  source: ({ charts, dashboards }) => ({ type: 'charts', description: `${counted(charts.length, 'chart')}, ${counted(dashboards.length, 'dashboard')}` }),
});

async function available({ queries, gridId }: ToolContext): Promise<{ readonly charts: readonly AvailableChart[]; readonly dashboards: readonly AvailableDashboard[] }> {
  const [charts, dashboards] = await Promise.all([queries.charts.charts(gridId), queries.charts.dashboards(gridId)]);
  return {
    charts: charts.map(({ id, title, chartType, serviceName, metric, groupBy }) => ({ id, title, chartType, serviceName, metric, groupBy })),
    dashboards: dashboards.map(({ id, title, description }) => ({ id, title, description })),
  };
}
