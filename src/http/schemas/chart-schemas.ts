import { AGGREGATIONS, CHART_TYPES } from '../../diagnostics/chart-model.js';
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
const chartType = choice(CHART_TYPES, 'What the chart is drawn as.');
const createdAt = instant('When it was created.', '2026-02-01T08:00:00.000Z');
const updatedAt = instant('When it was changed last.', '2026-02-01T08:00:00.000Z');
const builtIn = flag('Whether it was made for a service that was discovered: it cannot be changed then.', false);
const unit = text('Unit of the values; empty where the metric has none or only its data tell it.', '%');

const metadata = {
  id,
  title,
  chartType,
  serviceName: text('Service that the chart is about; empty for the whole Grid.', 'checkout'),
  metric: text(
    'What is shown: a metric derived from traces and logs, or the name of an OpenTelemetry metric.',
    'error_rate',
  ),
  unit,
  createdAt,
  updatedAt,
};

export const ChartMetadata = record('Chart', 'What a chart shows.', metadata);
const ListedChart = record('ListedChart', 'A chart, and whether it can be changed.', { ...metadata, builtIn });
export const ChartList = listing('ChartList', 'The charts of a Grid.', {
  charts: listOf(ListedChart, 'Own ones by title, then those of services by service.'),
});

export const ChartDefinition = record('ChartDefinition', 'A chart as its author defined it.', {
  ...metadata,
  unit: text('Unit as the author gave it; empty: that of the metric.', '%'),
  groupBy: text('What the series are grouped by; empty: everything together.', ''),
  aggregation: choice(
    [...AGGREGATIONS, ''] as const,
    'How data points of an OpenTelemetry metric become one value a step; empty: as the kind of the metric has it.',
    '',
  ),
});

export const ChartDefinitionList = listing('ChartDefinitionList', 'The charts of a Grid that can be changed.', {
  charts: listOf(ChartDefinition, 'By title.'),
});

const DataPoint = record('DataPoint', 'A value of one step of time.', {
  timestamp: instant('Start of the step.'),
  value: number('In the unit of the chart.', 8.5),
});

const Exemplar = record('Exemplar', 'A measurement, and the span that it was taken in.', {
  timestamp: instant('When it was measured.', '2026-03-14T09:26:53.589Z'),
  value: number('In the unit of the chart.', 1_840),
  traceId,
  spanId,
});

export const ChartSeries = record('ChartSeries', 'One line of a chart.', {
  label: text('What is grouped by, else what is measured.', 'error rate'),
  dataPoints: listOf(DataPoint, 'By time; steps without a value are absent.'),
  exemplars: Type.Optional(listOf(Exemplar, 'The largest first; only where they were asked for.')),
});

export const ChartRangeData = record('ChartRangeData', 'The data points of a chart.', {
  chartId: uuid('Id of the chart.', CHART_ID),
  title,
  unit,
  rangeStart: instant('Start of the range, rounded down to the minute.'),
  rangeEnd: instant('End of the range, rounded up to the minute.', '2026-03-14T10:26:00.000Z'),
  stepSeconds: Type.Optional(
    count(
      'Length of a step in seconds; steps begin at multiples of it since 1970 UTC. Only where it was asked for.',
      60,
    ),
  ),
  series: listOf(ChartSeries, 'By label.'),
});

export const PlacedChart = record('PlacedChart', 'A chart on a dashboard.', {
  chartId: uuid('Id of the chart.', CHART_ID),
  title,
  chartType,
  position: inlineRecord('Cells of a grid of 12 columns.', {
    row: count('First row, from 0.', 0),
    col: count('First column, from 0.', 0),
    width: count('Columns.', 6),
    height: count('Rows.', 4),
  }),
});

const layout = {
  id: uuid('Id of the dashboard.', '9e2b7a60-4c1f-4a77-8d55-0b1c2d3e4f50'),
  title: text('Title of the dashboard.', 'Checkout'),
  description: text('What the dashboard is for; may be empty.', 'What the shop looks at first'),
  createdAt,
  updatedAt,
  charts: listOf(PlacedChart, 'In the order of the dashboard; positions do not overlap.'),
};

export const Dashboard = record('Dashboard', 'Which charts a dashboard shows, and where.', layout);
const ListedDashboard = record('ListedDashboard', 'A dashboard, and whether it can be changed.', {
  ...layout,
  builtIn,
});
export const DashboardList = listing('DashboardList', 'The dashboards of a Grid.', {
  dashboards: listOf(ListedDashboard, 'Own ones by title, then those of services by service.'),
});
export const DashboardDefinitionList = listing(
  'DashboardDefinitionList',
  'The dashboards of a Grid that can be changed.',
  { dashboards: listOf(Dashboard, 'By title.') },
);
const KINDS = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const;

export const Metric = record('Metric', 'An OpenTelemetry metric of one kind.', {
  name: text('Name of the metric.', 'http.server.request.duration'),
  unit: text('Unit as it was sent; empty where none was.', 's'),
  type: choice(KINDS, 'Kind of its data points.', 'histogram'),
  monotonic: Type.Optional(flag('Whether it only grows; of sums alone.', true)),
  services: listOf(text('Name of a service.', 'checkout'), 'Services that sent it, ascending.'),
  attributeKeys: listOf(
    text('Key of an attribute.', 'http.route'),
    'Keys of attributes of its data points, ascending.',
  ),
  seriesCount: count('Series that it has.', 12),
});

export const MetricCatalog = record(
  'MetricCatalog',
  "OpenTelemetry metrics that were seen within the last day of the Grid's data.",
  {
    metrics: listOf(Metric, 'By name, then kind.'),
    seriesCount: count('Series of all metrics.', 240),
    seriesLimit: count('Series that a Grid may have; points of more are not kept.', 100_000),
    overflow: Type.Optional(
      inlineRecord('There only where points came of series past the limit.', {
        firstAt: instant('Minute of the first of them.'),
        lastAt: instant('Minute of the last of them.', '2026-03-14T10:26:00.000Z'),
      }),
    ),
  },
);
