import type { NewChart, NewDashboard } from '../../diagnostics/chart.js';
import type { StoredChart, StoredDashboard } from '../../streams/events/chart-events.js';

/** What the log is to have of a chart: what else was sent with it, or is known of it, stays out. */
export function storedChart(id: string, { title, chartType, metric, serviceName, groupBy, aggregation, unit }: NewChart): StoredChart {
  return { id, title, chartType, metric, serviceName, groupBy, aggregation, unit };
}

export function storedDashboard(id: string, { title, description, charts }: NewDashboard): StoredDashboard {
  const placed = charts.map(({ chartId, position: { row, col, width, height } }) => ({ chartId, position: { row, col, width, height } }));
  return { id, title, description, charts: placed };
}

/** As the log tells them apart: JSON has one zero. Both are as the functions above make them, so that the order of members is the same. */
export function isSame(a: StoredChart | StoredDashboard, b: StoredChart | StoredDashboard): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
