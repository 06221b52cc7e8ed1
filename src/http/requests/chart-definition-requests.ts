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
import { FieldSchema, Description, Note, ModelSchema, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules } from './request-parser.js';
import { Required, textSchema, nonBlankTextSchema } from './field-validators.js';

const { titleLength, descriptionLength, nameLength, chartsOfADashboard, rows } = CHART_BOUNDS;

/** A chart without its id. What is absent is left to the metric. */
@FollowsDomainRules(validateChart)
@ModelSchema({ description: 'A chart.' })
export class ChartModel implements NewChart {
  @Description('Title of the chart.', 'Error rate of checkout')
  @FieldSchema(nonBlankTextSchema(titleLength))
  @Required()
  title!: string;

  @Description('What it is drawn as.', 'line')
  @FieldSchema({ type: 'string', enum: [...CHART_TYPES] })
  @Required()
  chartType!: ChartType;

  @Description(`What it shows: ${DERIVED_METRICS.join(', ')}, or the name of an OpenTelemetry metric.`, 'error_rate')
  @FieldSchema(nonBlankTextSchema(nameLength))
  @Required()
  metric!: string;

  @Description('Service that it is about; empty for the whole Grid.', 'checkout')
  @FieldSchema(textSchema(nameLength))
  @Allow()
  serviceName = '';

  @Description('What the series are grouped by; empty: everything together.', '')
  @Note(
    'Metrics derived from spans: `service` or `operation`; from logs: `service` or `severity`; OpenTelemetry metrics: `service`, `instance` or the key of an attribute.',
  )
  @FieldSchema(textSchema(nameLength))
  @Allow()
  groupBy = '';

  @Description(
    'How data points of an OpenTelemetry metric become one value a step; empty: as the kind of the metric has it.',
    '',
  )
  @Note('Empty for derived metrics.')
  @FieldSchema({ type: 'string', enum: [...AGGREGATIONS, ''] })
  @Allow()
  aggregation: Aggregation | '' = '';

  @Description('Unit that the values are in; empty: that of the metric.', '%')
  @Note('Latencies are in ms.')
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
      description: 'Id of a chart that was created in the Grid.',
      examples: ['3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01'],
    },
    position: {
      type: 'object',
      description: `Cells of a grid of ${DASHBOARD_COLUMNS} columns and ${rows} rows, beyond which it must not reach.`,
      required: ['row', 'col', 'width', 'height'],
      properties: {
        row: cellsSchema(0, rows - 1, 'First row, from 0.', 0),
        col: cellsSchema(0, DASHBOARD_COLUMNS - 1, 'First column, from 0.', 0),
        width: cellsSchema(1, DASHBOARD_COLUMNS, 'Columns.', 6),
        height: cellsSchema(1, rows, 'Rows.', 4),
      },
    },
  },
};

/** A dashboard without its id. */
@FollowsDomainRules(validateDashboard)
@ModelSchema({ description: 'A dashboard.' })
export class DashboardModel implements NewDashboard {
  @Description('Title of the dashboard.', 'Checkout')
  @FieldSchema(nonBlankTextSchema(titleLength))
  @Required()
  title!: string;

  @Description('What it is for.', 'What the shop looks at first')
  @FieldSchema(textSchema(descriptionLength))
  @Allow()
  description = '';

  @Description('Its charts, in the order in which they are listed.')
  @Note('Positions do not overlap.')
  @FieldSchema({ type: 'array', maxItems: chartsOfADashboard, items: PLACED_CHART })
  @Allow()
  charts: readonly PlacedChart[] = [];
}

/** Of a valid model: ids are UUIDs, which are read without regard to case. */
export function toNewDashboard(model: DashboardModel): NewDashboard {
  return { ...model, charts: model.charts.map((placed) => ({ ...placed, chartId: placed.chartId.toLowerCase() })) };
}
