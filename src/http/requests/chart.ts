import { Allow } from 'class-validator';
import { chartFaults, dashboardFaults } from '../../commands/charts/rules.js';
import {
  AGGREGATIONS, CHART_BOUNDS, CHART_TYPES, DASHBOARD_COLUMNS, DERIVED_METRICS, type Aggregation, type ChartType, type NewChart, type NewDashboard, type PlacedChart,
} from '../../diagnostics/chart.js';
import { Fits, Means, Remark, Whole, type JsonSchema } from './field-schemas.js';
import { FollowsRules } from './parse.js';
import { Required, textSchema, wordsSchema } from './rules.js';

const { titleLength, descriptionLength, nameLength, chartsOfADashboard, rows } = CHART_BOUNDS;

/** A chart without its id. What is absent is left to the metric. */
@FollowsRules(chartFaults) @Whole({ description: 'A chart.' })
export class ChartModel implements NewChart {
  @Means('Title of the chart.', 'Error rate of checkout')
  @Fits(wordsSchema(titleLength)) @Required()
  title!: string;

  @Means('What it is drawn as.', 'line')
  @Fits({ type: 'string', enum: [...CHART_TYPES] }) @Required()
  chartType!: ChartType;

  @Means(`What it shows: ${DERIVED_METRICS.join(', ')}, or the name of an OpenTelemetry metric.`, 'error_rate')
  @Fits(wordsSchema(nameLength)) @Required()
  metric!: string;

  @Means('Service that it is about; empty for the whole Grid.', 'checkout')
  @Fits(textSchema(nameLength)) @Allow()
  serviceName = '';

  @Means('What the series are grouped by; empty: everything together.', '')
  @Remark('Metrics derived from spans: `service` or `operation`; from logs: `service` or `severity`; OpenTelemetry metrics: `service`, `instance` or the key of an attribute.')
  @Fits(textSchema(nameLength)) @Allow()
  groupBy = '';

  @Means('How data points of an OpenTelemetry metric become one value a step; empty: as the kind of the metric has it.', '')
  @Remark('Empty for derived metrics.')
  @Fits({ type: 'string', enum: [...AGGREGATIONS, ''] }) @Allow()
  aggregation: Aggregation | '' = '';

  @Means('Unit that the values are in; empty: that of the metric.', '%')
  @Remark('Latencies are in ms.')
  @Fits(textSchema(nameLength)) @Allow()
  unit = '';
}

const cells = (minimum: number, maximum: number, description: string, example: number): JsonSchema => ({ type: 'integer', minimum, maximum, description, examples: [example] });

const PLACED_CHART: JsonSchema = {
  $id: 'PlacedChartModel',
  type: 'object',
  description: 'A chart on a dashboard.',
  required: ['chartId', 'position'],
  properties: {
    chartId: { ...wordsSchema(nameLength), description: 'Id of a chart that was created in the Grid.', examples: ['3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01'] },
    position: {
      type: 'object',
      description: `Cells of a grid of ${DASHBOARD_COLUMNS} columns and ${rows} rows, beyond which it must not reach.`,
      required: ['row', 'col', 'width', 'height'],
      properties: {
        row: cells(0, rows - 1, 'First row, from 0.', 0),
        col: cells(0, DASHBOARD_COLUMNS - 1, 'First column, from 0.', 0),
        width: cells(1, DASHBOARD_COLUMNS, 'Columns.', 6),
        height: cells(1, rows, 'Rows.', 4),
      },
    },
  },
};

/** A dashboard without its id. */
@FollowsRules(dashboardFaults) @Whole({ description: 'A dashboard.' })
export class DashboardModel implements NewDashboard {
  @Means('Title of the dashboard.', 'Checkout')
  @Fits(wordsSchema(titleLength)) @Required()
  title!: string;

  @Means('What it is for.', 'What the shop looks at first')
  @Fits(textSchema(descriptionLength)) @Allow()
  description = '';

  @Means('Its charts, in the order in which they are listed.')
  @Remark('Positions do not overlap.')
  @Fits({ type: 'array', maxItems: chartsOfADashboard, items: PLACED_CHART }) @Allow()
  charts: readonly PlacedChart[] = [];
}

/** Of a valid model: ids are UUIDs, which are read without regard to case. */
export function dashboardOf(model: DashboardModel): NewDashboard {
  return { ...model, charts: model.charts.map((placed) => ({ ...placed, chartId: placed.chartId.toLowerCase() })) };
}
