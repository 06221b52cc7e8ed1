import { findFilterFault, toChartFilter } from '../../queries/charts/chart-filter.js';
import type { Tool, ToolContext } from '../tool.js';
import { createParameterlessTool, formatCountOrNone, readOperation, requireFound } from './tool-builders.js';
import type { ListedDashboard } from '../../queries/charts/chart-query-types.js';
import { datetimeField, defineArguments, requiredField, textField, toEpochMs, toIsoString } from './tool-arguments.js';
import { type IsoTimestamped, toIsoTimestamped } from './result-serialization.js';
import type { ChartSeries } from '../../diagnostics/chart-series/chart-series.js';
import { describeTimeframe, findRangeFault } from './window-arguments.js';

export interface AvailableChart {
  readonly id: string;
  readonly title: string;
  readonly chartType: string;
  readonly serviceName: string;
  readonly metric: string;
  readonly groupBy: string;
}

export interface AvailableDashboard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export const getAvailableCharts = createParameterlessTool({
  name: 'GetAvailableCharts',
  description: 'Charts and dashboards of the Grid with their ids: own ones and those made for each service.',
  ask: listAvailableCharts,
  source: ({ charts, dashboards }) => ({
    type: 'charts',
    description: `${formatCountOrNone(charts.length, 'chart')}, ${formatCountOrNone(dashboards.length, 'dashboard')}`,
  }),
});

async function listAvailableCharts({ queries, gridId }: ToolContext): Promise<{
  readonly charts: readonly AvailableChart[];
  readonly dashboards: readonly AvailableDashboard[];
}> {
  const [charts, dashboards] = await Promise.all([queries.charts.charts(gridId), queries.charts.dashboards(gridId)]);
  return {
    charts: charts.map(({ id, title, chartType, serviceName, metric, groupBy }) => ({
      id,
      title,
      chartType,
      serviceName,
      metric,
      groupBy,
    })),
    dashboards: dashboards.map(({ id, title, description }) => ({ id, title, description })),
  };
}

interface DashboardArguments {
  readonly dashboardId: string;
}

export const getDashboard: Tool<DashboardArguments, IsoTimestamped<ListedDashboard>> = {
  name: 'GetDashboard',
  api: readOperation('/apm/dashboards/{gridSecondaryId}/dashboards/{dashboardId}'),
  description: 'One dashboard: its charts and where they stand. Ids come from GetAvailableCharts.',
  ...defineArguments<DashboardArguments>({ dashboardId: requiredField(textField('Id of the dashboard.')) }),
  async run({ queries, gridId }, { dashboardId }) {
    const data = toIsoTimestamped(
      requireFound(await queries.charts.dashboard(gridId, dashboardId.toLowerCase()), 'dashboard of this id'),
    );
    return {
      data,
      source: { type: 'dashboard', description: `${data.title}, ${formatCountOrNone(data.charts.length, 'chart')}` },
    };
  },
};

interface RangeDataArguments {
  readonly chartId: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly filter?: string;
}

export interface RangeData {
  readonly chartId: string;
  readonly title: string;
  readonly unit: string;
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly series: readonly {
    readonly label: string;
    readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
  }[];
  /** Why there is no data, if the reason is known. */
  readonly hint?: string;
}

export const getRangeData: Tool<RangeDataArguments, RangeData> = {
  name: 'GetRangeData',
  api: readOperation('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data'),
  description:
    'The data points of one chart, of the last hour unless a range is given. Ids come from GetAvailableCharts.',
  ...defineArguments<RangeDataArguments>(
    {
      chartId: requiredField(textField('Id of the chart.')),
      rangeStart: datetimeField('Start; an hour before the end unless given.'),
      rangeEnd: datetimeField('End; now unless given.'),
      filter: textField(
        'Condition in the syntax of queries that narrows the chart; charts of metrics take only service = … .',
      ),
    },
    ({ rangeStart, rangeEnd, filter = '' }) => {
      const fault = findFilterFault(filter);
      if (fault !== undefined) return `filter ${fault}`;
      return rangeStart === undefined || rangeEnd === undefined
        ? undefined
        : findRangeFault('range', rangeStart, rangeEnd);
    },
  ),
  async run({ queries, gridId }, { chartId, rangeStart, rangeEnd, filter = '' }) {
    const narrowing = toChartFilter(filter);
    const when = {
      ...(narrowing !== undefined && { filter: narrowing }),
      ...(rangeStart !== undefined && { fromMs: toEpochMs(rangeStart) }),
      ...(rangeEnd !== undefined && { toMs: toEpochMs(rangeEnd) }),
    };
    const { chart, data } = requireFound(
      await queries.charts.chartData(gridId, chartId.toLowerCase(), when),
      'chart of this id',
    );
    const { frame, unit, hint } = data;
    const range = { rangeStart: toIsoString(frame.fromMs), rangeEnd: toIsoString(frame.toMs) };
    const answer = {
      chartId: chart.id,
      title: chart.title,
      unit,
      ...range,
      series: data.series.map(toSeriesData),
      ...(hint !== undefined && { hint }),
    };
    return {
      data: answer,
      source: {
        type: 'chart',
        description: `${chart.title}, ${formatCountOrNone(answer.series.length, 'series', 'series')}, ${describeTimeframe(frame)}`,
      },
    };
  },
};

function toSeriesData({ label, points }: ChartSeries): RangeData['series'][number] {
  return { label, dataPoints: points.map(({ atMs, value }) => ({ timestamp: toIsoString(atMs), value })) };
}

export const getMetrics = createParameterlessTool({
  name: 'GetMetrics',
  path: '/apm/metrics/{gridSecondaryId}',
  description: 'Names of the OTLP metrics seen within a day, with unit, type, services and attribute keys.',
  ask: async ({ queries, gridId }) => ({ metrics: (await queries.charts.metrics(gridId)).metrics }),
  source: ({ metrics }) => ({ type: 'metrics', description: formatCountOrNone(metrics.length, 'metric') }),
});
