import type { Chart, Dashboard, NewChart, NewDashboard } from '../diagnostics/chart.js';
import { gridStream } from '../streams/stream-names.js';
import type { ChartCommand, ChartsEvent, PutChart, PutDashboard } from './charts/commands.js';
import type { ChartsState } from './charts/state.js';
import type { Done } from './grid-commands.js';
import type { Handle } from './handle.js';

export interface ChartDone extends Done {
  readonly chart: Chart;
}

export interface DashboardDone extends Done {
  readonly dashboard: Dashboard;
  /** Those that it shows, in the same order. */
  readonly charts: readonly Chart[];
}

/**
 * What can be done to the charts and dashboards of a Grid, those that it started with included. Records are as the log has
 * them, whatever read models show by then; one that changes nothing keeps the time of its last change. `actor` is the id of the
 * caller. Each rejects with the code of the rule that it breaks: `invalid-request` with all faults, `not-found`,
 * `conflict` (too many; a chart that is on a dashboard cannot be removed).
 */
export interface ChartCommands {
  createChart(actor: string, gridId: string, chart: NewChart): Promise<ChartDone>;
  /** Replaces all of the chart but its id. */
  changeChart(actor: string, gridId: string, chartId: string, chart: NewChart): Promise<ChartDone>;
  removeChart(actor: string, gridId: string, chartId: string): Promise<Done>;
  createDashboard(actor: string, gridId: string, dashboard: NewDashboard): Promise<DashboardDone>;
  changeDashboard(actor: string, gridId: string, dashboardId: string, dashboard: NewDashboard): Promise<DashboardDone>;
  removeDashboard(actor: string, gridId: string, dashboardId: string): Promise<Done>;
}

export interface ChartCommandsOptions {
  readonly handle: Handle<ChartCommand, ChartsEvent, ChartsState>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createChartCommands({ handle, newId, now }: ChartCommandsOptions): ChartCommands {
  const remove = async (command: ChartCommand): Promise<Done> => {
    const { position } = await handle(gridStream(command.gridId), command);
    return { position };
  };
  const putChart = async (command: PutChart): Promise<ChartDone> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, chart: state!.charts.get(command.chartId)! };
  };
  const putDashboard = async (command: PutDashboard): Promise<DashboardDone> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    const dashboard = state!.dashboards.get(command.dashboardId)!;
    return { position, dashboard, charts: dashboard.charts.map(({ chartId }) => state!.charts.get(chartId)!) };
  };
  return {
    createChart: (actor, gridId, chart) => putChart({ type: 'CreateChart', actor, at: now(), gridId, chartId: newId(), chart }),
    changeChart: (actor, gridId, chartId, chart) => putChart({ type: 'ChangeChart', actor, at: now(), gridId, chartId, chart }),
    removeChart: (actor, gridId, chartId) => remove({ type: 'DeleteChart', actor, at: now(), gridId, chartId }),
    createDashboard: (actor, gridId, dashboard) => putDashboard({ type: 'CreateDashboard', actor, at: now(), gridId, dashboardId: newId(), dashboard }),
    changeDashboard: (actor, gridId, dashboardId, dashboard) => putDashboard({ type: 'ChangeDashboard', actor, at: now(), gridId, dashboardId, dashboard }),
    removeDashboard: (actor, gridId, dashboardId) => remove({ type: 'DeleteDashboard', actor, at: now(), gridId, dashboardId }),
  };
}
