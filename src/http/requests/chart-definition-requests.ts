import { Allow } from 'class-validator';
import { validateChart, validateDashboard } from '../../commands/charts/chart-validation.js';
import {
  AGGREGATIONS,
  CHART_BOUNDS,
  CHART_TYPES,
  DASHBOARD_COLUMNS,
  DERIVED_METRICS,
  type Aggregation,
  type ChartType,
  type NewChart,
  type NewDashboard,
  type PlacedChart,
} from '../../diagnostics/chart-model.js';
import {
  FieldSchema,
  Description,
  Note,
  ModelSchema,
  READ_ONLY_SCHEMA,
  ReadOnlyFields,
  type JsonSchema,
} from './field-metadata.js';
import { FollowsDomainRules } from './request-parser.js';
import { Required, textSchema, nonBlankTextSchema } from './field-validators.js';

const { titleLength, descriptionLength, nameLength, chartsOfADashboard, rows } = CHART_BOUNDS;

/** A chart without its id. Omitted fields default to those of the metric. */
@FollowsDomainRules(validateChart)
@ReadOnlyFields('id', 'createdAt', 'updatedAt')
@ModelSchema({ description: 'A chart.' })
export class ChartModel implements NewChart {
  @Description('Title of the chart.', 'Error rate of checkout')
  @FieldSchema(nonBlankTextSchema(titleLength))
  @Required()
  title!: string;

  @Description('Chart type.', 'line')
  @FieldSchema({ type: 'string', enum: [...CHART_TYPES] })
  @Required()
  chartType!: ChartType;

  @Description(`Metric to show: ${DERIVED_METRICS.join(', ')}, or the name of an OpenTelemetry metric.`, 'error_rate')
  @FieldSchema(nonBlankTextSchema(nameLength))
  @Required()
  metric!: string;

  @Description('Service to show; empty for the whole Grid.', 'checkout')
  @FieldSchema(textSchema(nameLength))
  @Allow()
  serviceName = '';

  @Description('What the series are grouped by; empty for a single series.', '')
  @Note(
    'For metrics derived from spans: `service` or `operation`; derived from logs: `service` or `severity`; for OpenTelemetry metrics: `service`, `instance` or an attribute key.',
  )
  @FieldSchema(textSchema(nameLength))
  @Allow()
  groupBy = '';

  @Description(
    'How the data points of an OpenTelemetry metric are aggregated per step; empty for the default of the metric type.',
    '',
  )
  @Note('Must be empty for derived metrics.')
  @FieldSchema({ type: 'string', enum: [...AGGREGATIONS, ''] })
  @Allow()
  aggregation: Aggregation | '' = '';

  @Description('Unit of the values; empty for the unit of the metric.', '%')
  @Note('Latencies are in milliseconds.')
  @FieldSchema(textSchema(nameLength))
  @Allow()
  unit = '';
}

const cellsSchema = (minimum: number, maximum: number, description: string, example: number): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
  examples: [example],
});

const PLACED_CHART: JsonSchema = {
  $id: 'PlacedChartModel',
  type: 'object',
  description: 'A chart on a dashboard.',
  required: ['chartId', 'position'],
  properties: {
    chartId: {
      ...nonBlankTextSchema(nameLength),
      description: 'Id of a chart of the Grid that can be edited.',
      examples: ['3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01'],
    },
    position: {
      type: 'object',
      description: `Position on a grid of ${DASHBOARD_COLUMNS} columns and ${rows} rows. The chart must fit into the grid.`,
      required: ['row', 'col', 'width', 'height'],
      properties: {
        row: cellsSchema(0, rows - 1, 'First row, starting at 0.', 0),
        col: cellsSchema(0, DASHBOARD_COLUMNS - 1, 'First column, starting at 0.', 0),
        width: cellsSchema(1, DASHBOARD_COLUMNS, 'Width in columns.', 6),
        height: cellsSchema(1, rows, 'Height in rows.', 4),
      },
      additionalProperties: false,
    },
    title: READ_ONLY_SCHEMA,
    chartType: READ_ONLY_SCHEMA,
  },
  additionalProperties: false,
};

/** A dashboard without its id. */
@FollowsDomainRules(validateDashboard)
@ReadOnlyFields('id', 'createdAt', 'updatedAt')
@ModelSchema({ description: 'A dashboard.' })
export class DashboardModel implements NewDashboard {
  @Description('Title of the dashboard.', 'Checkout')
  @FieldSchema(nonBlankTextSchema(titleLength))
  @Required()
  title!: string;

  @Description('Purpose of the dashboard.', 'Overview of the shop')
  @FieldSchema(textSchema(descriptionLength))
  @Allow()
  description = '';

  @Description('The charts of the dashboard, in order.')
  @Note('Positions must not overlap.')
  @FieldSchema({ type: 'array', maxItems: chartsOfADashboard, items: PLACED_CHART })
  @Allow()
  charts: readonly PlacedChart[] = [];
}

/** Converts a validated model. Chart ids are UUIDs, which are case-insensitive. */
export function toNewDashboard(model: DashboardModel): NewDashboard {
  return { ...model, charts: model.charts.map((placed) => ({ ...placed, chartId: placed.chartId.toLowerCase() })) };
}
