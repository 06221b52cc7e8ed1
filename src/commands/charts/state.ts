import type { Chart, Dashboard } from '../../diagnostics/chart.js';
import type { StoredChart, StoredDashboard } from '../../streams/events/chart-events.js';
import { defaultCharts, defaultDashboards } from '../../streams/events/default-charts.js';
import type { ChartsEvent, DashboardWithCharts } from './commands.js';

/** The charts and dashboards of a Grid by id, those that it started with included. */
export interface Definitions {
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

/** Undefined until the Grid is created. */
export type ChartsState = Definitions | undefined;

/** Definitions that only who made them knows: a thousand charts are not copied for every event. */
interface Draft extends Definitions {
  readonly charts: Map<string, Chart>;
  readonly dashboards: Map<string, Dashboard>;
}

export const eventTypes: ReadonlySet<string> = new Set<ChartsEvent['type']>([
  'GridCreated.v1', 'ChartCreated.v1', 'ChartChanged.v1', 'ChartDeleted.v1', 'DashboardCreated.v1', 'DashboardChanged.v1', 'DashboardDeleted.v1',
]);

/** The dashboard with what it shows: each chart that is placed exists. */
export function withCharts(dashboard: Dashboard, { charts }: Definitions): DashboardWithCharts {
  return { dashboard, charts: dashboard.charts.map(({ chartId }) => charts.get(chartId)!) };
}

/** The state after all of the events, in their order; the one before stays as it was. */
export function evolveAll(state: ChartsState, events: readonly ChartsEvent[]): ChartsState {
  const draft: Draft = { charts: new Map(state?.charts), dashboards: new Map(state?.dashboards) };
  for (const event of events) apply(event, draft);
  return draft;
}

function apply(event: ChartsEvent, { charts, dashboards }: Draft): void {
  switch (event.type) {
    case 'GridCreated.v1':
      for (const chart of defaultCharts(event.data.gridId)) keepChart(chart, event.data.at, charts);
      for (const dashboard of defaultDashboards(event.data.gridId)) keepDashboard(dashboard, event.data.at, dashboards);
      break;
    case 'ChartCreated.v1':
    case 'ChartChanged.v1':
      keepChart(event.data.chart, event.data.at, charts);
      break;
    case 'ChartDeleted.v1':
      charts.delete(event.data.chartId);
      break;
    case 'DashboardCreated.v1':
    case 'DashboardChanged.v1':
      keepDashboard(event.data.dashboard, event.data.at, dashboards);
      break;
    case 'DashboardDeleted.v1':
      dashboards.delete(event.data.dashboardId);
      break;
    default:
      unknownEvent(event);
  }
}

/** Nothing but the words of Chart gets into the log. */
function keepChart(chart: StoredChart, at: number, charts: Map<string, Chart>): void {
  charts.set(chart.id, { ...(chart as Chart), createdAt: charts.get(chart.id)?.createdAt ?? at, updatedAt: at });
}

function keepDashboard(dashboard: StoredDashboard, at: number, dashboards: Map<string, Dashboard>): void {
  dashboards.set(dashboard.id, { ...dashboard, createdAt: dashboards.get(dashboard.id)?.createdAt ?? at, updatedAt: at });
}

function unknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}
