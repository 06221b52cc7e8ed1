import { Allow } from 'class-validator';
import { chartFaults, dashboardFaults } from '../../commands/charts/rules.js';
import type { Aggregation, ChartType, NewChart, NewDashboard, PlacedChart } from '../../diagnostics/chart.js';
import { FollowsRules } from './parse.js';
import { Required } from './rules.js';

/** A chart without its id. What is absent is left to the metric. */
@FollowsRules(chartFaults)
export class ChartModel implements NewChart {
  @Required()
  title!: string;

  @Required()
  chartType!: ChartType;

  @Required()
  metric!: string;

  @Allow()
  serviceName = '';

  @Allow()
  groupBy = '';

  @Allow()
  aggregation: Aggregation | '' = '';

  @Allow()
  unit = '';
}

/** A dashboard without its id. */
@FollowsRules(dashboardFaults)
export class DashboardModel implements NewDashboard {
  @Required()
  title!: string;

  @Allow()
  description = '';

  @Allow()
  charts: readonly PlacedChart[] = [];
}

/** Of a valid model: ids are UUIDs, which are read without regard to case. */
export function dashboardOf(model: DashboardModel): NewDashboard {
  return { ...model, charts: model.charts.map((placed) => ({ ...placed, chartId: placed.chartId.toLowerCase() })) };
}
