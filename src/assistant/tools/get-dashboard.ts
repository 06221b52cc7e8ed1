import type { ListedDashboard } from '../../queries/charts/questions.js';
import type { Tool } from '../tool.js';
import { argumentsOf, required, text } from './arguments.js';
import { counted } from './counted.js';
import { found } from './found.js';
import { presented, type Presented } from './presented.js';

export interface DashboardArguments {
  readonly dashboardId: string;
}

export const getDashboard: Tool<DashboardArguments, Presented<ListedDashboard>> = {
  name: 'GetDashboard',
  description: 'One dashboard: its charts and where they stand. Ids come from GetAvailableCharts.',
  ...argumentsOf<DashboardArguments>({ dashboardId: required(text('Id of the dashboard.')) }),
  async run({ queries, gridId }, { dashboardId }) {
    const data = presented(found(await queries.charts.dashboard(gridId, dashboardId.toLowerCase()), 'dashboard of this id'));
    return { data, source: { type: 'dashboard', description: `${data.title}, ${counted(data.charts.length, 'chart')}` } };
  },
};
