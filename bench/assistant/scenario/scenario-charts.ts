import type { ChartEvent, StoredChart } from '../../../src/streams/events/chart-events.js';
import { deriveUuid } from '../../../src/telemetry/deterministic-uuid.js';

export const CHART_TITLES = ['Checkout p95 latency', 'Orders placed'] as const;
export const DASHBOARD_TITLE = 'Shop overview';

export function buildChartEvents(gridId: string, actor: string, at: number): ChartEvent[] {
  const idOf = (title: string): string => deriveUuid(`${gridId}/charts/${title}`);
  const [latency, orders] = CHART_TITLES;
  const common = { chartType: 'line', groupBy: '', unit: '', serviceName: 'checkout-service' } as const;
  const charts: StoredChart[] = [
    { ...common, id: idOf(latency), title: latency, metric: 'latency_p95', aggregation: '' },
    { ...common, id: idOf(orders), title: orders, metric: 'shop.orders.placed', aggregation: 'rate' },
  ];
  const position = { row: 0, width: 6, height: 4 };
  const placed = charts.map(({ id }, i) => ({ chartId: id, position: { ...position, col: 6 * i } }));
  const authored = { actor, at, gridId };
  return [
    ...charts.map((chart): ChartEvent => ({ type: 'ChartCreated.v2', data: { ...authored, chart } })),
    {
      type: 'DashboardCreated.v2',
      data: {
        ...authored,
        dashboard: {
          id: idOf(DASHBOARD_TITLE),
          title: DASHBOARD_TITLE,
          description: 'How checkout does',
          charts: placed,
        },
      },
    },
  ];
}
