import type { Chart, Dashboard } from '../../diagnostics/chart.js';
import type { Turn } from '../giving-way.js';
import type { ChartDefinitions } from './definitions.js';
import type { ListedDashboard } from './questions.js';
import type { ServiceBoards } from './service-boards.js';

/** Own ones by title, then those of services by service. */
export async function listDashboards(definitions: ChartDefinitions, services: ServiceBoards, gridId: string, turn: Turn): Promise<ListedDashboard[]> {
  const own = await definitions.dashboards(gridId);
  const charts = new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart]));
  const ofServices = await services.of(gridId, turn);
  return [
    ...own.map((dashboard) => listed(dashboard, false, charts)),
    ...ofServices.boards.map(({ dashboard }) => listed(dashboard, true, ofServices.charts)),
  ];
}

/** Undefined: neither the Grid nor a discovered service has a dashboard of this id. */
export async function findDashboard(definitions: ChartDefinitions, services: ServiceBoards, gridId: string, dashboardId: string, turn: Turn): Promise<ListedDashboard | undefined> {
  const own = await definitions.dashboard(gridId, dashboardId);
  if (own !== undefined) return listed(own, false, new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart])));
  const { dashboards, charts } = await services.of(gridId, turn);
  const dashboard = dashboards.get(dashboardId);
  return dashboard && listed(dashboard, true, charts);
}

/** With what is told of its charts. One that left between the two questions is left out. */
function listed({ charts: placed, ...dashboard }: Dashboard, builtIn: boolean, charts: ReadonlyMap<string, Chart>): ListedDashboard {
  const told = placed.flatMap(({ chartId, position }) => {
    const chart = charts.get(chartId);
    return chart === undefined ? [] : [{ chartId, title: chart.title, chartType: chart.chartType, position }];
  });
  return { ...dashboard, builtIn, charts: told };
}
