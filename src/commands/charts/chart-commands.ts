import type { Chart, NewChart, NewDashboard } from '../../diagnostics/chart-model.js';
import { gridStream } from '../../streams/stream-names.js';
import type { ChartCommand, ChartsEvent, DashboardWithCharts, PutChart, PutDashboard } from './chart-command-types.js';
import { toDashboardWithCharts, type ChartsState } from './chart-decider.js';
import type { Precondition } from '../decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';

export interface ChartReceipt extends CommandReceipt {
  readonly chart: Chart;
}

export type DashboardReceipt = CommandReceipt & DashboardWithCharts;

/**
 * Commands on the charts and dashboards of a Grid, including the default ones. Results reflect the log, even if read
 * models lag; a command without changes keeps the time of the last change. `actor` is the caller's id. Each rejects
 * with the code of the violated rule: `invalid-request` with all field errors, `not-found`, `conflict` (too many; a
 * chart on a dashboard cannot be removed), or `precondition-failed` if `onlyIf` does not hold.
 */
export interface ChartCommands {
  createChart(actor: string, gridId: string, chart: NewChart): Promise<ChartReceipt>;
  /** Replaces the whole chart except its id. */
  changeChart(
    actor: string,
    gridId: string,
    chartId: string,
    chart: NewChart,
    onlyIf?: Precondition<Chart>,
  ): Promise<ChartReceipt>;
  removeChart(actor: string, gridId: string, chartId: string, onlyIf?: Precondition<Chart>): Promise<CommandReceipt>;
  createDashboard(actor: string, gridId: string, dashboard: NewDashboard): Promise<DashboardReceipt>;
  changeDashboard(
    actor: string,
    gridId: string,
    dashboardId: string,
    dashboard: NewDashboard,
    onlyIf?: Precondition<DashboardWithCharts>,
  ): Promise<DashboardReceipt>;
  removeDashboard(
    actor: string,
    gridId: string,
    dashboardId: string,
    onlyIf?: Precondition<DashboardWithCharts>,
  ): Promise<CommandReceipt>;
}

export interface ChartCommandsOptions {
  readonly handle: CommandHandler<ChartCommand, ChartsEvent, ChartsState>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createChartCommands({ handle, newId, now }: ChartCommandsOptions): ChartCommands {
  const remove = async (command: ChartCommand): Promise<CommandReceipt> => {
    const { position } = await handle(gridStream(command.gridId), command);
    return { position };
  };
  const putChart = async (command: PutChart): Promise<ChartReceipt> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, chart: state!.charts.get(command.chartId)! };
  };
  const putDashboard = async (command: PutDashboard): Promise<DashboardReceipt> => {
    const { position, state } = await handle(gridStream(command.gridId), command);
    return { position, ...toDashboardWithCharts(state!.dashboards.get(command.dashboardId)!, state!) };
  };
  return {
    createChart: (actor, gridId, chart) =>
      putChart({ type: 'CreateChart', actor, at: now(), gridId, chartId: newId(), chart }),
    changeChart: (actor, gridId, chartId, chart, onlyIf) =>
      putChart({ type: 'ChangeChart', actor, at: now(), gridId, chartId, chart, onlyIf }),
    removeChart: (actor, gridId, chartId, onlyIf) =>
      remove({ type: 'DeleteChart', actor, at: now(), gridId, chartId, onlyIf }),
    createDashboard: (actor, gridId, dashboard) =>
      putDashboard({ type: 'CreateDashboard', actor, at: now(), gridId, dashboardId: newId(), dashboard }),
    changeDashboard: (actor, gridId, dashboardId, dashboard, onlyIf) =>
      putDashboard({ type: 'ChangeDashboard', actor, at: now(), gridId, dashboardId, dashboard, onlyIf }),
    removeDashboard: (actor, gridId, dashboardId, onlyIf) =>
      remove({ type: 'DeleteDashboard', actor, at: now(), gridId, dashboardId, onlyIf }),
  };
}
