import type { Chart, Dashboard, NewChart, NewDashboard } from '../../diagnostics/chart-model.js';
import type { ChartEvent } from '../../streams/events/chart-events.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import type { Precondition } from '../decider.js';

interface GridScopedCommand extends Authored {
  readonly gridId: string;
}

/** Creates a chart with a generated id, or replaces all of it except the id. */
export interface PutChart extends GridScopedCommand {
  readonly type: 'CreateChart' | 'ChangeChart';
  readonly chartId: string;
  readonly chart: NewChart;
  /** Condition on the chart to replace. */
  readonly onlyIf?: Precondition<Chart> | undefined;
}

export interface DeleteChart extends GridScopedCommand {
  readonly type: 'DeleteChart';
  readonly chartId: string;
  readonly onlyIf?: Precondition<Chart> | undefined;
}

/** A dashboard and its charts, in the same order. */
export interface DashboardWithCharts {
  readonly dashboard: Dashboard;
  readonly charts: readonly Chart[];
}

/** Creates a dashboard with a generated id, or replaces all of it except the id. */
export interface PutDashboard extends GridScopedCommand {
  readonly type: 'CreateDashboard' | 'ChangeDashboard';
  readonly dashboardId: string;
  readonly dashboard: NewDashboard;
  /** Condition on the dashboard to replace. */
  readonly onlyIf?: Precondition<DashboardWithCharts> | undefined;
}

export interface DeleteDashboard extends GridScopedCommand {
  readonly type: 'DeleteDashboard';
  readonly dashboardId: string;
  readonly onlyIf?: Precondition<DashboardWithCharts> | undefined;
}

export type ChartCommand = PutChart | DeleteChart | PutDashboard | DeleteDashboard;

/** Events of a Grid's stream that the chart decider handles. */
export type ChartsEvent = Extract<GridEvent, { readonly type: 'GridCreated.v1' }> | ChartEvent;
