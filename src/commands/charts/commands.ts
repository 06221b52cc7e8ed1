import type { NewChart, NewDashboard } from '../../diagnostics/chart.js';
import type { ChartEvent } from '../../streams/events/chart-events.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';

interface OfGrid extends Authored {
  readonly gridId: string;
}

/** To create under a minted id, or to replace all but the id. */
export interface PutChart extends OfGrid {
  readonly type: 'CreateChart' | 'ChangeChart';
  readonly chartId: string;
  readonly chart: NewChart;
}

export interface DeleteChart extends OfGrid {
  readonly type: 'DeleteChart';
  readonly chartId: string;
}

/** To create under a minted id, or to replace all but the id. */
export interface PutDashboard extends OfGrid {
  readonly type: 'CreateDashboard' | 'ChangeDashboard';
  readonly dashboardId: string;
  readonly dashboard: NewDashboard;
}

export interface DeleteDashboard extends OfGrid {
  readonly type: 'DeleteDashboard';
  readonly dashboardId: string;
}

export type ChartCommand = PutChart | DeleteChart | PutDashboard | DeleteDashboard;

/** What the decider of charts knows of a Grid's stream. */
export type ChartsEvent = Extract<GridEvent, { readonly type: 'GridCreated.v1' }> | ChartEvent;
