import { Allow } from 'class-validator';
import { validateChart, validateDashboard } from '../../commands/charts/chart-validation.js';
import type { FieldError } from '../../errors.js';
import { compileQuery, completeDefinition, type QueryDefinition } from '../../queries/query/query-compiler.js';
import { resolveField } from '../../queries/query/field-catalogue.js';
import { parseWhere } from '../../queries/query/language/where-parser.js';
import { QUERY_BOUNDS, SIGNALS } from '../../queries/query/query-model.js';
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
  ERROR_BUDGET_METRIC,
  QUERY_METRIC,
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
import { FIELD_NAME_SCHEMA, SELECTED_FUNCTION_SCHEMA } from './query-requests.js';

const { titleLength, descriptionLength, nameLength, chartsOfADashboard, variablesOfADashboard, rows } = CHART_BOUNDS;

const CHART_QUERY: JsonSchema = {
  type: 'object',
  description: 'The query of a chart, which is drawn by the steps of the chart.',
  required: ['signal', 'select'],
  properties: {
    signal: { type: 'string', enum: [...SIGNALS], description: 'What to read.', examples: ['spans'] },
    where: {
      ...textSchema(QUERY_BOUNDS.whereLength),
      description: 'Condition that records must meet, as in a query.',
      examples: ['service = checkout'],
    },
    groupBy: {
      type: 'array',
      maxItems: QUERY_BOUNDS.groupBy,
      uniqueItems: true,
      items: FIELD_NAME_SCHEMA,
      description: 'Fields whose values make up the groups.',
      examples: [['customer.tier']],
    },
    select: {
      type: 'array',
      minItems: 1,
      maxItems: QUERY_BOUNDS.select,
      items: SELECTED_FUNCTION_SCHEMA,
      description: 'Functions: a series for each of them in each group.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: CHART_BOUNDS.groupsOfAQuery,
      description: 'Groups that are drawn; by default 10.',
      examples: [10],
    },
  },
  additionalProperties: false,
};

/** A chart without its id. Omitted fields default to those of the metric. */
@FollowsDomainRules(validateChartModel)
@ReadOnlyFields('id', 'createdAt', 'updatedAt')
@ModelSchema({
  description: 'A chart.',
  examples: [
    {
      title: 'Latency by customer tier',
      chartType: 'line',
      metric: QUERY_METRIC,
      query: {
        signal: 'spans',
        where: 'kind = server',
        groupBy: ['customer.tier'],
        select: [{ fn: 'p99', field: 'duration' }],
      },
    },
  ],
})
export class ChartModel implements Omit<NewChart, 'query'> {
  @Description('Title of the chart.', 'Error rate of checkout')
  @FieldSchema(nonBlankTextSchema(titleLength))
  @Required()
  title!: string;

  @Description('How the chart is drawn.', 'line')
  @Note(
    '`value` (without groups), `top_list` and `table` show one value of each series over the whole range; `heatmap` counts the spans of a `query` by `durationBucket` and time.',
  )
  @FieldSchema({ type: 'string', enum: [...CHART_TYPES] })
  @Required()
  chartType!: ChartType;

  @Description(
    `Metric to show: ${DERIVED_METRICS.join(', ')}, or the name of an OpenTelemetry metric; \`${QUERY_METRIC}\` with a \`query\`; \`${ERROR_BUDGET_METRIC}\` (value, top_list or table) for what the objectives of the Grid have left at the end of the range.`,
    'error_rate',
  )
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

  @Description(`What is drawn if the metric is \`${QUERY_METRIC}\`.`)
  @Note('It replaces `serviceName`, `groupBy` and `aggregation`, which are empty then.')
  @FieldSchema(CHART_QUERY)
  @Allow()
  query?: Omit<QueryDefinition, 'stepSeconds' | 'orderBy'>;
}

function validateChartModel(model: ChartModel): FieldError[] {
  const query: unknown = model.query;
  const compiled = typeof query === 'object' && query !== null ? compileQuery(query as QueryDefinition) : undefined;
  return [
    // Of the query it only asks whether there is one.
    ...validateChart(model as NewChart),
    ...(compiled && 'errors' in compiled
      ? compiled.errors.map(({ field, message }) => ({ field: `query.${field}`, message }))
      : []),
  ];
}

/** Converts a model. What the query leaves out is an empty text, an empty list or 0. */
export function toNewChart({ query, ...chart }: ChartModel): NewChart {
  if (query === undefined) return chart;
  const { signal, where, groupBy, select, limit } = completeDefinition(query);
  return { ...chart, query: { signal, where, groupBy, select, limit } };
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
@FollowsDomainRules(validateDashboardModel)
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

  @Description('Fields by whose values viewers narrow all charts, as in queries.')
  @FieldSchema({
    type: 'array',
    maxItems: variablesOfADashboard,
    uniqueItems: true,
    items: FIELD_NAME_SCHEMA,
    examples: [['service', 'customer.tier']],
  })
  @Allow()
  variables?: readonly string[];
}

function validateDashboardModel(model: DashboardModel): FieldError[] {
  const errors = validateDashboard(model);
  if (errors.length > 0) return errors;
  return (model.variables ?? []).flatMap((variable, index) =>
    isFieldName(variable)
      ? []
      : [{ field: `variables[${index}]`, message: 'must be a field that conditions can name' }],
  );
}

/** Whether conditions can name the field, and the name is not only a scope such as `span.`. */
function isFieldName(text: string): boolean {
  const field = resolveField('spans', text);
  return typeof field === 'object' && field.name !== '' && 'predicate' in parseWhere('spans', `exists(\`${text}\`)`);
}

/** Converts a validated model. Chart ids are UUIDs, which are case-insensitive. */
export function toNewDashboard(model: DashboardModel): NewDashboard {
  return { ...model, charts: model.charts.map((placed) => ({ ...placed, chartId: placed.chartId.toLowerCase() })) };
}
