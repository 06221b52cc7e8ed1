import type { Chart } from '../../src/diagnostics/chart-model.js';
import type { ChartData } from '../../src/diagnostics/chart-series/chart-series.js';
import type { DashboardRenderOptions, ChartRenderer, ChartRenderOptions } from '../../src/charts/render-options.js';
import type {
  ChartRenderInput,
  ChartQueries,
  ChartTimeSelection,
  DashboardRenderInput,
  ListedChart,
  ListedDashboard,
  MetricCatalog,
  PackedChartInput,
} from '../../src/queries/charts/chart-query-types.js';
import { packChart } from '../../src/queries/charts/packed-chart.js';
import { withInternalMember } from './internal-member.js';
import { fakeSlos } from './fake-slos.js';
import { FakeErrorGroups } from './fake-error-groups.js';
import { FakeViews } from './fake-views.js';
import { FakeChartCommands } from './fake-chart-commands.js';
import { BUILT_IN_CHART, BUILT_IN_DASHBOARD, CHART, DASHBOARD } from './sample-charts.js';

const AT = CHART.createdAt;

/** One chart and one dashboard of each kind in every Grid, with more members than specified; records queries. */
export class FakeCharts implements ChartQueries {
  readonly asked: { readonly name: keyof ChartQueries; readonly with: readonly unknown[] }[] = [];

  /** Data of all charts; tests may change it. */
  data: ChartData = withInternalMember({
    frame: { fromMs: AT - 3_600_123, toMs: AT - 123, stepMs: 60_000, nowMs: AT },
    series: [
      withInternalMember({
        label: 'eu-west',
        points: [
          withInternalMember({ atMs: AT - 3_600_123, value: 1.25 }),
          withInternalMember({ atMs: AT - 60_123, value: 0 }),
        ],
        exemplars: [
          withInternalMember({
            timeUs: AT * 1_000 + 456,
            value: 9.5,
            traceId: '5b8aa5a2d2c872e8321cf37308d69df2',
            spanId: '051581bf3cb55c13',
          }),
        ],
      }),
    ],
    unit: 's',
    additive: false,
  });
  picture: Omit<ChartRenderInput, 'chart' | 'data'> = {
    thresholds: [{ value: 2, severity: 'warning', label: 'alert > 2 s' }],
    deployments: [{ atMs: AT - 600_000, label: 'checkout 1.8.3' }],
    closed: false,
  };
  catalog: MetricCatalog = withInternalMember({
    metrics: [
      withInternalMember({
        name: 'orders.count',
        unit: '{order}',
        type: 'sum',
        monotonic: true,
        services: ['checkout', 'shop'],
        attributeKeys: ['region'],
        seriesCount: 7,
      } as const),
      withInternalMember({
        name: 'queue.depth',
        unit: '',
        type: 'gauge',
        monotonic: false,
        services: ['checkout'],
        attributeKeys: [],
        seriesCount: 1,
      } as const),
    ],
    seriesCount: 8,
    seriesLimit: 10_000,
  });

  charts(gridId: string): Promise<readonly ListedChart[]> {
    return this.answer('charts', [gridId], [...CHARTS]);
  }

  chart(gridId: string, chartId: string): Promise<ListedChart | undefined> {
    return this.answer('chart', [gridId, chartId], chartOf(chartId));
  }

  chartData(
    gridId: string,
    chartId: string,
    when: ChartTimeSelection,
  ): Promise<{ readonly chart: Chart; readonly data: ChartData } | undefined> {
    const chart = chartOf(chartId);
    return this.answer('chartData', [gridId, chartId, when], chart && { chart, data: this.data });
  }

  chartRenderInput(gridId: string, chartId: string, when: ChartTimeSelection): Promise<PackedChartInput | undefined> {
    const chart = chartOf(chartId);
    return this.answer(
      'chartRenderInput',
      [gridId, chartId, when],
      chart && { ...packChart({ chart, data: this.data, ...this.picture }), frame: this.data.frame },
    );
  }

  dashboards(gridId: string): Promise<readonly ListedDashboard[]> {
    return this.answer('dashboards', [gridId], [...DASHBOARDS]);
  }

  dashboard(gridId: string, dashboardId: string): Promise<ListedDashboard | undefined> {
    return this.answer(
      'dashboard',
      [gridId, dashboardId],
      DASHBOARDS.find(({ id }) => id === dashboardId),
    );
  }

  dashboardRenderInput(
    gridId: string,
    dashboardId: string,
    when: ChartTimeSelection,
  ): Promise<DashboardRenderInput | undefined> {
    const dashboard = DASHBOARDS.find(({ id }) => id === dashboardId);
    const { thresholds, deployments, closed } = this.picture;
    const charts = dashboard?.charts.map(({ position }) => ({
      position,
      ...packChart({ chart: CHART, data: this.data, thresholds, deployments, closed }),
    }));
    return this.answer(
      'dashboardRenderInput',
      [gridId, dashboardId, when],
      dashboard && { title: dashboard.title, frame: this.data.frame, charts: charts!, closed },
    );
  }

  metrics(gridId: string): Promise<MetricCatalog> {
    return this.answer('metrics', [gridId], this.catalog);
  }

  private async answer<Answer>(
    name: keyof ChartQueries,
    question: readonly unknown[],
    answer: Answer,
  ): Promise<Answer> {
    this.asked.push({ name, with: question });
    return answer;
  }
}

/** Returns the PNG signature and records what was rendered. */
export class FakeRenderer implements ChartRenderer {
  static readonly PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
  readonly drawn: { readonly picture: PackedChartInput; readonly look: ChartRenderOptions }[] = [];
  readonly boards: { readonly picture: DashboardRenderInput; readonly look: DashboardRenderOptions }[] = [];
  /** Set by tests to let it fail. */
  draw: () => Promise<Uint8Array> = async () => FakeRenderer.PNG;

  render(_gridId: string, picture: PackedChartInput, look: ChartRenderOptions): Promise<Uint8Array> {
    this.drawn.push({ picture, look });
    return this.draw();
  }

  renderDashboard(_gridId: string, picture: DashboardRenderInput, look: DashboardRenderOptions): Promise<Uint8Array> {
    this.boards.push({ picture, look });
    return this.draw();
  }
}

export function fakeCharts(): {
  readonly charts: FakeCharts;
  readonly renderer: FakeRenderer;
  readonly chartCommands: FakeChartCommands;
  readonly views: FakeViews;
  readonly viewCommands: FakeViews;
  readonly errorGroupCommands: FakeErrorGroups;
} & ReturnType<typeof fakeSlos> {
  const views = new FakeViews();
  const [renderer, chartCommands] = [new FakeRenderer(), new FakeChartCommands()];
  const errorGroupCommands = new FakeErrorGroups();
  return {
    ...{ charts: new FakeCharts(), renderer, chartCommands, views, viewCommands: views, errorGroupCommands },
    ...fakeSlos(),
  };
}

const CHARTS: readonly ListedChart[] = [
  withInternalMember({ ...CHART, builtIn: false }),
  withInternalMember({ ...BUILT_IN_CHART, builtIn: true }),
];
const DASHBOARDS: readonly ListedDashboard[] = [listed(DASHBOARD, false), listed(BUILT_IN_DASHBOARD, true)];

function chartOf(chartId: string): ListedChart | undefined {
  return CHARTS.find(({ id }) => id === chartId);
}

function listed(dashboard: Omit<ListedDashboard, 'builtIn'>, builtIn: boolean): ListedDashboard {
  const charts = dashboard.charts.map((placed) =>
    withInternalMember({ ...placed, position: withInternalMember(placed.position) }),
  );
  return withInternalMember({ ...dashboard, builtIn, charts });
}
