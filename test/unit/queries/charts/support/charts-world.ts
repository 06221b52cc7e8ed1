import { createChartQueries } from '../../../../../src/queries/charts/chart-queries.js';
import type { ChartQueries } from '../../../../../src/queries/charts/chart-query-types.js';
import { RollupReader } from '../../../../../src/read-models/rollups/rollup-reader.js';
import type { NewEvent } from '../../../../../src/streams/event-store.js';
import type { AlertRuleEvent } from '../../../../../src/streams/events/alert-events.js';
import type { ChartEvent, StoredChart, StoredDashboard } from '../../../../../src/streams/events/chart-events.js';
import type { GridEvent } from '../../../../../src/streams/events/grid-events.js';
import { gridStream } from '../../../../../src/streams/stream-names.js';
import { ProjectedLog } from '../../../projections/engine/support/projected.js';

export const MINUTE = 60_000;
/** 12:00. */
export const NOON = Date.UTC(2026, 5, 20, 12);

/** An event log with its projections and chart queries, and a clock controlled by the test. */
export class ChartsWorld {
  readonly log = new ProjectedLog();
  readonly queries: ChartQueries;
  nowMs = NOON + 30 * MINUTE;

  constructor() {
    const { store } = this.log;
    this.queries = createChartQueries({ store, rollups: new RollupReader(store), now: () => this.nowMs });
  }

  /** Resolves when all projections have processed the events. */
  async given(...events: (NewEvent | GridEvent | ChartEvent | AlertRuleEvent)[]): Promise<void> {
    this.log.now = this.nowMs;
    for (const event of events) {
      if ('id' in event) await this.log.append(event);
      else await this.log.events.append(gridStream(event.data.gridId), 'any', [{ id: crypto.randomUUID(), ...event }]);
    }
    await this.log.settle();
  }
}

export function gridCreated(gridId: string, at = NOON): GridEvent {
  return { type: 'GridCreated.v1', data: { actor: 'owner', at, gridId, name: 'shop' } };
}

export function chartCreated(
  gridId: string,
  chart: Partial<StoredChart> & Pick<StoredChart, 'id'>,
  at = NOON,
): ChartEvent {
  const stored = {
    title: 'Requests',
    chartType: 'line',
    metric: 'request_rate',
    serviceName: '',
    groupBy: '',
    aggregation: '',
    unit: '',
    ...chart,
  };
  return { type: 'ChartCreated.v2', data: { actor: 'owner', at, gridId, chart: stored } };
}

export function dashboardCreated(
  gridId: string,
  dashboard: Partial<StoredDashboard> & Pick<StoredDashboard, 'id'>,
  at = NOON,
): ChartEvent {
  return {
    type: 'DashboardCreated.v2',
    data: { actor: 'owner', at, gridId, dashboard: { title: 'Shop', description: '', charts: [], ...dashboard } },
  };
}
