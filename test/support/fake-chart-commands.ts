import type { ChartReceipt, DashboardReceipt } from '../../src/commands/charts/chart-commands.js';
import { validateChart, validateDashboard } from '../../src/commands/charts/chart-validation.js';
import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { Chart, NewChart, NewDashboard } from '../../src/diagnostics/chart-model.js';
import { HindsightError, type FieldError } from '../../src/errors.js';
import type { ChartPort } from '../../src/http/api-call.js';
import type { Position } from '../../src/streams/event-store.js';
import { CHART, DASHBOARD } from './sample-charts.js';
import { CREATED_ID } from './created-id.js';

/** One chart and one dashboard in every Grid; records calls without changing state. */
export class FakeChartCommands implements ChartPort {
  readonly done: { readonly name: keyof ChartPort; readonly with: readonly unknown[] }[] = [];
  /** Result of waiting for a position. */
  arrives: () => Promise<unknown> = async () => true;
  /** Whether the chart is on the dashboard and cannot be deleted. */
  isPlaced = false;
  private readonly position = '7' as Position;

  async createChart(actor: string, gridId: string, chart: NewChart): Promise<ChartReceipt> {
    this.note('createChart', actor, gridId, chart);
    return this.acceptedChart(CREATED_ID, chart);
  }

  async changeChart(actor: string, gridId: string, chartId: string, chart: NewChart): Promise<ChartReceipt> {
    this.note('changeChart', actor, gridId, chartId, chart);
    requireKnown(chartId, CHART);
    return this.acceptedChart(chartId, chart);
  }

  async removeChart(actor: string, gridId: string, chartId: string): Promise<CommandReceipt> {
    this.note('removeChart', actor, gridId, chartId);
    requireKnown(chartId, CHART);
    if (this.isPlaced)
      throw new HindsightError('conflict', `The chart is on ${DASHBOARD.title}: remove it from there first.`);
    return { position: this.position };
  }

  async createDashboard(actor: string, gridId: string, dashboard: NewDashboard): Promise<DashboardReceipt> {
    this.note('createDashboard', actor, gridId, dashboard);
    return this.acceptedDashboard(CREATED_ID, dashboard);
  }

  async changeDashboard(
    actor: string,
    gridId: string,
    dashboardId: string,
    dashboard: NewDashboard,
  ): Promise<DashboardReceipt> {
    this.note('changeDashboard', actor, gridId, dashboardId, dashboard);
    requireKnown(dashboardId, DASHBOARD);
    return this.acceptedDashboard(dashboardId, dashboard);
  }

  async removeDashboard(actor: string, gridId: string, dashboardId: string): Promise<CommandReceipt> {
    this.note('removeDashboard', actor, gridId, dashboardId);
    requireKnown(dashboardId, DASHBOARD);
    return { position: this.position };
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.note('waitForPosition', position);
    return this.arrives();
  }

  private acceptedChart(id: string, chart: NewChart): ChartReceipt {
    refuse(validateChart(chart));
    return { chart: { ...CHART, ...chart, id }, position: this.position };
  }

  private acceptedDashboard(id: string, dashboard: NewDashboard): DashboardReceipt {
    const unknown = dashboard.charts.flatMap(({ chartId }, at) =>
      chartId === CHART.id ? [] : [{ field: `charts[${at}].chartId`, message: 'is no chart of the Grid' }],
    );
    refuse([...validateDashboard(dashboard), ...unknown]);
    const { createdAt, updatedAt } = DASHBOARD;
    return {
      dashboard: { ...dashboard, id, createdAt, updatedAt },
      charts: dashboard.charts.map(() => CHART),
      position: this.position,
    };
  }

  private note(name: keyof ChartPort, ...values: readonly unknown[]): void {
    this.done.push({ name, with: values });
  }
}

function refuse(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw new HindsightError('invalid-request', 'There are faults.', faults);
}

function requireKnown(id: string, { id: known }: Pick<Chart, 'id'>): void {
  if (id !== known) throw new HindsightError('not-found', 'There is nothing of this id.');
}
