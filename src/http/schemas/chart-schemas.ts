import { AGGREGATIONS, CHART_TYPES } from '../../diagnostics/chart-model.js';
import { AGGREGATES, SIGNALS } from '../../queries/query/query-model.js';
import Type from 'typebox';
import { spanId, traceId } from './trace-schemas.js';
import {
  choice,
  count,
  flag,
  inlineRecord,
  instant,
  listing,
  listOf,
  number,
  record,
  text,
  uuid,
} from './schema-builders.js';

const CHART_ID = '3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01';
const id = uuid('Id of the chart.', CHART_ID);
const title = text('Title of the chart.', 'Error rate of checkout');
const chartType = choice(CHART_TYPES, 'Chart type.');
const createdAt = instant('When it was created.', '2026-02-01T08:00:00.000Z');
const updatedAt = instant('When it was last changed.', '2026-02-01T08:00:00.000Z');
const builtIn = flag('Whether it was generated for a discovered service. Generated items cannot be changed.', false);
const unit = text('Unit of the values; empty if the metric has none or it is only known from the data.', '%');

const ChartQuery = record('ChartQuery', 'The query that a chart draws.', {
  signal: choice([...SIGNALS], 'What the query reads.', 'spans'),
  where: text('Condition that records must meet; empty for every record.', 'service = checkout'),
  groupBy: listOf(text('Field of the group.', 'customer.tier'), 'Fields whose values make up the groups.'),
  select: listOf(
    inlineRecord('A function over the records of each group.', {
      fn: choice([...AGGREGATES], 'Function.', 'p99'),
      field: Type.Optional(text('Field whose values are aggregated.', 'duration')),
      as: Type.Optional(text('Name of the series.', 'slow')),
    }),
    'Functions: a series for each of them in each group.',
  ),
  limit: Type.Optional(count('Groups that are drawn; absent for the default.', 10)),
});

const metadata = {
  id,
  title,
  chartType,
  serviceName: text('Service that the chart shows; empty for the whole Grid.', 'checkout'),
  metric: text(
    'The metric: one derived from traces and logs, or the name of an OpenTelemetry metric; `query` with a `query`.',
    'error_rate',
  ),
  unit,
  query: Type.Optional(ChartQuery),
  createdAt,
  updatedAt,
};

export const ChartMetadata = record('Chart', 'A chart.', metadata);
const ListedChart = record('ListedChart', 'A chart and whether it can be edited.', { ...metadata, builtIn });
export const ChartList = listing('ChartList', 'The charts of a Grid.', {
  charts: listOf(ListedChart, 'User-defined ones sorted by title, then generated ones sorted by service.'),
});

export const ChartDefinition = record('ChartDefinition', 'The definition of a chart.', {
  ...metadata,
  unit: text('Unit as defined; empty for the unit of the metric.', '%'),
  groupBy: text('What the series are grouped by; empty for a single series.', ''),
  aggregation: choice(
    [...AGGREGATIONS, ''] as const,
    'How the data points of an OpenTelemetry metric are aggregated per step; empty for the default of the metric type.',
    '',
  ),
});

export const ChartDefinitionList = listing('ChartDefinitionList', 'The charts of a Grid that can be edited.', {
  charts: listOf(ChartDefinition, 'Sorted by title.'),
});

const DataPoint = record('DataPoint', 'The value of one time step.', {
  timestamp: instant('Start of the step.'),
  value: number('Value in the unit of the chart.', 8.5),
});

const Exemplar = record('Exemplar', 'A measurement and the span in which it was taken.', {
  timestamp: instant('When it was measured.', '2026-03-14T09:26:53.589Z'),
  value: number('Value in the unit of the chart.', 1_840),
  traceId,
  spanId,
});

export const ChartSeries = record('ChartSeries', 'One series of a chart.', {
  label: text('Value of the grouping or, without grouping, the name of the metric.', 'error rate'),
  dataPoints: listOf(DataPoint, 'Sorted by time; steps without a value are omitted.'),
  cell: Type.Optional(
    inlineRecord('Where a table shows the value; present only for tables of several functions of groups.', {
      row: text('Name of the group.', 'gold'),
      column: text('Name of the function.', 'p99(duration)'),
      unit: text('Unit of the value; empty if it has none.', 'ms'),
    }),
  ),
  exemplars: Type.Optional(listOf(Exemplar, 'Sorted by value, largest first; present only if requested.')),
});

export const ChartRangeData = record('ChartRangeData', 'The data points of a chart.', {
  chartId: uuid('Id of the chart.', CHART_ID),
  title,
  unit,
  rangeStart: instant('Start of the range, rounded down to the minute.'),
  rangeEnd: instant('End of the range, rounded up to the minute.', '2026-03-14T10:26:00.000Z'),
  stepSeconds: Type.Optional(
    count(
      'Length of a step in seconds. Steps are aligned to multiples of it since 1970 (UTC). Present only if requested.',
      60,
    ),
  ),
  series: listOf(ChartSeries, 'The largest first, or by severity, and `other` last.'),
  hint: Type.Optional(
    text(
      'Why there are no series if not for lack of data, or what a filter means here.',
      'This chart shows cart only.',
    ),
  ),
});

export const PlacedChart = record('PlacedChart', 'A chart on a dashboard.', {
  chartId: uuid('Id of the chart.', CHART_ID),
  title,
  chartType,
  position: inlineRecord('Position on a grid of 12 columns.', {
    row: count('First row, starting at 0.', 0),
    col: count('First column, starting at 0.', 0),
    width: count('Width in columns.', 6),
    height: count('Height in rows.', 4),
  }),
});

const layout = {
  id: uuid('Id of the dashboard.', '9e2b7a60-4c1f-4a77-8d55-0b1c2d3e4f50'),
  title: text('Title of the dashboard.', 'Checkout'),
  description: text('Purpose of the dashboard; may be empty.', 'Overview of the shop'),
  createdAt,
  updatedAt,
  charts: listOf(PlacedChart, 'Charts in dashboard order. Positions do not overlap.'),
  variables: Type.Optional(
    listOf(
      text('Field, as queries name it.', 'customer.tier'),
      'Fields by whose values viewers narrow all charts; present only if there are some.',
    ),
  ),
};

export const Dashboard = record('Dashboard', 'A dashboard and the positions of its charts.', layout);
const ListedDashboard = record('ListedDashboard', 'A dashboard and whether it can be edited.', {
  ...layout,
  builtIn,
});
export const DashboardList = listing('DashboardList', 'The dashboards of a Grid.', {
  dashboards: listOf(ListedDashboard, 'User-defined ones sorted by title, then generated ones sorted by service.'),
});
export const DashboardDefinitionList = listing(
  'DashboardDefinitionList',
  'The dashboards of a Grid that can be edited.',
  { dashboards: listOf(Dashboard, 'Sorted by title.') },
);
const KINDS = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;

export const Metric = record('Metric', 'An OpenTelemetry metric of one type.', {
  name: text('Name of the metric.', 'http.server.request.duration'),
  unit: text('Unit as sent; empty if none was sent.', 's'),
  type: choice(KINDS, 'Type of the data points.', 'histogram'),
  monotonic: Type.Optional(flag('Whether the sum is monotonic; present only for sums.', true)),
  services: listOf(text('Name of a service.', 'checkout'), 'Services that sent the metric, sorted.'),
  attributeKeys: listOf(text('Key of an attribute.', 'http.route'), 'Attribute keys of its data points, sorted.'),
  seriesCount: count('Number of series of the metric.', 12),
});

export const MetricCatalog = record(
  'MetricCatalog',
  'OpenTelemetry metrics received within the last day of the data of the Grid.',
  {
    metrics: listOf(Metric, 'Sorted by name, then type.'),
    seriesCount: count('Number of series of all metrics.', 240),
    seriesLimit: count('Maximum number of series per Grid. Data points of further series are dropped.', 100_000),
    overflow: Type.Optional(
      inlineRecord('Present only if data points of series beyond the limit were received.', {
        firstAt: instant('Minute of the first dropped data point.'),
        lastAt: instant('Minute of the last dropped data point.', '2026-03-14T10:26:00.000Z'),
      }),
    ),
  },
);
