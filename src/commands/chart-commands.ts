import type { Chart, NewChart, NewDashboard } from '../diagnostics/chart.js';
import { gridStream } from '../streams/stream-names.js';
import type { ChartCommand, ChartsEvent, DashboardWithCharts, PutChart, PutDashboard } from './charts/commands.js';
import { withCharts, type ChartsState } from './charts/state.js';
import type { OnlyIf } from './decider.js';
import type { Done } from './grid-commands.js';
import type { Handle } from './handle.js';

export interface ChartDone extends Done {
  readonly chart: Chart;
}

export type DashboardDone = Done & DashboardWithCharts;

/**
 * What can be done to the charts and dashboards of a Grid, those that it started with included. Records are as the log has
 * them, whatever read models show by then; one that changes nothing keeps the time of its last change. `actor` is the id of the
 * caller. Each rejects with the code of the rule that it breaks: `invalid-request` with all faults, `not-found`,
 * `conflict` (too many; a chart that is on a dashboard cannot be removed), `precondition-failed` where what is there is not what
 * `onlyIf` wants.
 */
export interface ChartCommands {
  createChart(actor: string, gridId: string, chart: NewChart): Promise<ChartDone>;
  /** Replaces all of the chart but its id. */
  changeChart(actor: string, gridId: string, chartId: string, chart: NewChart, onlyIf?: OnlyIf<Chart>): Promise<ChartDone>;
  removeChart(actor: string, gridId: string, chartId: string, onlyIf?: OnlyIf<Chart>): Promise<Done>;
  createDashboard(actor: string, gridId: string, dashboard: NewDashboard): Promise<DashboardDone>;
  changeDashboard(actor: string, gridId: string, dashboardId: string, dashboard: NewDashboard, onlyIf?: OnlyIf<DashboardWithCharts>): Promise<DashboardDone>;
  removeDashboard(actor: string, gridId: string, dashboardId: string, onlyIf?: OnlyIf<DashboardWithCharts>): Promise<Done>;
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
    return { position, ...withCharts(state!.dashboards.get(command.dashboardId)!, state!) };
  };
  return {
    createChart: (actor, gridId, chart) => putChart({ type: 'CreateChart', actor, at: now(), gridId, chartId: newId(), chart }),
    changeChart: (actor, gridId, chartId, chart, onlyIf) => putChart({ type: 'ChangeChart', actor, at: now(), gridId, chartId, chart, onlyIf }),
    removeChart: (actor, gridId, chartId, onlyIf) => remove({ type: 'DeleteChart', actor, at: now(), gridId, chartId, onlyIf }),
    createDashboard: (actor, gridId, dashboard) => putDashboard({ type: 'CreateDashboard', actor, at: now(), gridId, dashboardId: newId(), dashboard }),
    changeDashboard: (actor, gridId, dashboardId, dashboard, onlyIf) => putDashboard({ type: 'ChangeDashboard', actor, at: now(), gridId, dashboardId, dashboard, onlyIf }),
    removeDashboard: (actor, gridId, dashboardId, onlyIf) => remove({ type: 'DeleteDashboard', actor, at: now(), gridId, dashboardId, onlyIf }),
  };
}
