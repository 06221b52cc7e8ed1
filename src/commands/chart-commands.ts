import { HindsightError } from '../errors.js';
import type { EventStore } from '../streams/event-store.js';
import type { Chart, Dashboard, NewChart, NewDashboard } from '../diagnostics/chart.js';
import type { Done } from './grid-commands.js';

export interface ChartDone extends Done {
  readonly chart: Chart;
}

export interface DashboardDone extends Done {
  readonly dashboard: Dashboard;
}

/**
 * What can be done to the charts and dashboards of a Grid, those that it started with included. `actor` is the id of the
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
  /** The log that the Grids' streams are in. */
  readonly log: Pick<EventStore, 'readStream' | 'append'>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createChartCommands(_options: ChartCommandsOptions): ChartCommands {
  const later = (): Promise<never> => Promise.reject(new HindsightError('unavailable', 'Charts are being built.'));
  return { createChart: later, changeChart: later, removeChart: later, createDashboard: later, changeDashboard: later, removeDashboard: later };
}
