import {
  AGGREGATIONS,
  CHART_BOUNDS,
  CHART_TYPES,
  type ChartPosition,
  DASHBOARD_COLUMNS,
  DERIVED_UNITS,
  ERROR_BUDGET_METRIC,
  HEATMAP_FIELD,
  type DerivedMetric,
  isDerivedMetric,
  isOverWholeRange,
  type NewChart,
  type NewDashboard,
  QUERY_METRIC,
} from '../../diagnostics/chart-model.js';
import type { FieldError } from '../../errors.js';
import { checkChoice, checkOptionalText, checkText, checkWholeNumber, toFieldErrors } from '../field-validation.js';

/** Other UCUM time units, with which charts would misread the milliseconds of latencies. */
const OTHER_TIME_UNITS = ['ns', 'us', 'µs', 'μs', 's', 'min', 'h', 'd'];

const SPAN_GROUPS = ['service', 'operation'];
const LOG_GROUPS = ['service', 'severity'];

/** Allowed groupings per derived metric. `latency` already has three series. */
const GROUPS_BY_METRIC: Readonly<Record<DerivedMetric, readonly string[]>> = {
  request_rate: SPAN_GROUPS,
  error_rate: SPAN_GROUPS,
  latency: [],
  latency_avg: SPAN_GROUPS,
  latency_p50: SPAN_GROUPS,
  latency_p95: SPAN_GROUPS,
  latency_p99: SPAN_GROUPS,
  apdex: SPAN_GROUPS,
  log_rate: LOG_GROUPS,
  error_log_rate: LOG_GROUPS,
};

/** All field errors of a chart. Accepts values of any type, because input is not typed at run time. */
export function validateChart(chart: NewChart): FieldError[] {
  const { nameLength } = CHART_BOUNDS;
  return [
    ...toFieldErrors('title', checkText(chart.title, CHART_BOUNDS.titleLength)),
    ...toFieldErrors('chartType', checkChoice(chart.chartType, CHART_TYPES) ?? checkDrawing(chart)),
    ...toFieldErrors('metric', checkText(chart.metric, nameLength)),
    ...toFieldErrors('serviceName', checkService(chart)),
    ...toFieldErrors('groupBy', checkGroupBy(chart)),
    ...toFieldErrors('aggregation', checkAggregation(chart)),
    ...toFieldErrors('unit', checkUnit(chart)),
    ...toFieldErrors('query', checkQuery(chart)),
  ];
}

/** Figures side by side that can be read on a dashboard. */
const MAX_FIGURES = 6;

/** Whether what the chart shows can be drawn like this. */
function checkDrawing({ chartType, metric, groupBy, query }: NewChart): string | undefined {
  if (metric === ERROR_BUDGET_METRIC && !isOverWholeRange(chartType))
    return `must be value, top_list or table for ${ERROR_BUDGET_METRIC}`;
  const groups = toList(query?.groupBy);
  if (chartType === 'value' && (groupBy !== '' || groups.length > 0))
    return 'shows a single group: leave out groupBy, or choose top_list or table';
  const [first, ...others] = toList(query?.select).map(toObject);
  if (chartType === 'top_list' && others.length > 0) return 'shows a single function: choose table for several';
  if (chartType === 'value' && others.length >= MAX_FIGURES) return `shows at most ${MAX_FIGURES} functions`;
  if (chartType !== 'heatmap') return undefined;
  const isCount = others.length === 0 && first?.fn === 'count' && !first.field;
  return query?.signal === 'spans' && groups.length === 1 && groups[0] === HEATMAP_FIELD && isCount
    ? undefined
    : `needs a query of spans, grouped by ${HEATMAP_FIELD} only, with count as its only function`;
}

/** What the query means, whoever sends the command has checked: only queries know their language. */
function checkQuery({ metric, serviceName, groupBy, aggregation, query }: NewChart): string | undefined {
  if (query === undefined) return undefined;
  if (metric !== QUERY_METRIC) return `must be absent unless the metric is ${QUERY_METRIC}`;
  return [serviceName, groupBy, aggregation].every((each) => each === '')
    ? undefined
    : 'replaces serviceName, groupBy and aggregation: leave them empty';
}

/**
 * All field errors of a dashboard. Those of a placed chart are named `charts[0].chartId`, `charts[0].position`,
 * `charts[0].position.col`.
 * @param isKnown whether the Grid has a chart with this id; absent if the Grid is not known
 */
export function validateDashboard(
  { title, description, charts, variables }: NewDashboard,
  isKnown: IsKnownChart = () => true,
): FieldError[] {
  return [
    ...toFieldErrors('title', checkText(title, CHART_BOUNDS.titleLength)),
    ...toFieldErrors('description', checkOptionalText(description, CHART_BOUNDS.descriptionLength)),
    ...validatePlacements(charts, isKnown),
    ...(variables === undefined ? [] : validateVariables(variables)),
  ];
}

/** Names of fields, each once. Which fields there are, whoever sends the command has checked. */
function validateVariables(variables: unknown): FieldError[] {
  const { variablesOfADashboard, variableLength } = CHART_BOUNDS;
  if (!Array.isArray(variables) || variables.length > variablesOfADashboard)
    return toFieldErrors('variables', `must be a list of at most ${variablesOfADashboard} fields`);
  return (variables as readonly unknown[]).flatMap((variable, index) =>
    toFieldErrors(
      `variables[${index}]`,
      checkText(variable, variableLength) ??
        (variables.indexOf(variable) < index ? 'must differ from the other fields' : undefined),
    ),
  );
}

function checkService({ metric, serviceName }: NewChart): string | undefined {
  if (metric === ERROR_BUDGET_METRIC && serviceName !== '') return `must be empty for ${metric}`;
  return checkOptionalText(serviceName, CHART_BOUNDS.nameLength);
}

/** OTLP metrics can be grouped by any attribute, so any text is valid for them. */
function checkGroupBy({ metric, groupBy }: NewChart): string | undefined {
  if (metric === ERROR_BUDGET_METRIC && groupBy !== '') return `must be empty for ${metric}`;
  if (!isDerivedMetric(metric)) return checkOptionalText(groupBy, CHART_BOUNDS.nameLength);
  const groups = GROUPS_BY_METRIC[metric];
  if (groupBy === '' || groups.includes(groupBy)) return undefined;
  return groups.length === 0 ? `must be empty for ${metric}` : `must be empty, ${groups.join(' or ')} for ${metric}`;
}

function checkAggregation({ metric, aggregation }: NewChart): string | undefined {
  if (aggregation === '') return undefined;
  if (metric === ERROR_BUDGET_METRIC) return `must be empty for ${metric}`;
  if (isDerivedMetric(metric)) return `must be empty for ${metric}, which is not an OTLP metric`;
  return AGGREGATIONS.includes(aggregation) ? undefined : `must be empty or one of ${AGGREGATIONS.join(', ')}`;
}

/** Units are labels; values are not converted. */
function checkUnit({ metric, unit, chartType, query }: NewChart): string | undefined {
  if (metric === ERROR_BUDGET_METRIC && unit !== '') return `must be empty for ${metric}`;
  if (chartType === 'table' && unit !== '' && toList(query?.select).length > 1 && toList(query?.groupBy).length > 0)
    return 'must be empty for a table of several functions, which have their own';
  const isMistaken = isDerivedMetric(metric) && DERIVED_UNITS[metric] === 'ms' && OTHER_TIME_UNITS.includes(unit);
  return isMistaken
    ? `must be empty or ms for ${metric}, whose values are in ms`
    : checkOptionalText(unit, CHART_BOUNDS.nameLength);
}

type IsKnownChart = (chartId: string) => boolean;

/** All field errors of the placed charts, in order. If there are too many charts, they are not checked individually. */
function validatePlacements(charts: unknown, isKnown: IsKnownChart): FieldError[] {
  if (!Array.isArray(charts) || charts.length > CHART_BOUNDS.chartsOfADashboard) {
    return toFieldErrors('charts', `must be a list of at most ${CHART_BOUNDS.chartsOfADashboard} charts`);
  }
  const placement = (charts as readonly unknown[]).map((each, index) =>
    validatePlacement(each, `charts[${index}]`, isKnown),
  );
  const positions = placement.map(({ position }) => position);
  return placement.flatMap(({ errors }, index) => [...errors, ...validateOverlaps(positions, index)]);
}

/** The position is undefined if it has errors; it is then not compared with others. */
function validatePlacement(
  placement: unknown,
  field: string,
  isKnown: IsKnownChart,
): { readonly errors: FieldError[]; readonly position: ChartPosition | undefined } {
  const { chartId, position } = toObject(placement);
  const positionErrors = validatePosition(position, `${field}.position`);
  return {
    errors: [...toFieldErrors(`${field}.chartId`, checkChartId(chartId, isKnown)), ...positionErrors],
    position: positionErrors.length === 0 ? (position as ChartPosition) : undefined,
  };
}

/** Charts of discovered services are generated on demand: they are not stored, so they cannot be placed. */
function checkChartId(chartId: unknown, isKnown: IsKnownChart): string | undefined {
  const message = checkText(chartId, CHART_BOUNDS.nameLength);
  if (message !== undefined || isKnown(chartId as string)) return message;
  return 'must be the id of a chart that was created in this Grid';
}

function validatePosition(position: unknown, field: string): FieldError[] {
  const { row, col, width, height } = toObject(position);
  const errors = [
    ...toFieldErrors(`${field}.row`, checkWholeNumber(row, { min: 0, max: CHART_BOUNDS.rows - 1 })),
    ...toFieldErrors(`${field}.col`, checkWholeNumber(col, { min: 0, max: DASHBOARD_COLUMNS - 1 })),
    ...toFieldErrors(`${field}.width`, checkWholeNumber(width, { min: 1, max: DASHBOARD_COLUMNS })),
    ...toFieldErrors(`${field}.height`, checkWholeNumber(height, { min: 1, max: CHART_BOUNDS.rows })),
  ];
  return errors.length > 0 ? errors : validateEdges(position as ChartPosition, field);
}

function validateEdges({ row, col, width, height }: ChartPosition, field: string): FieldError[] {
  return [
    ...toFieldErrors(
      `${field}.width`,
      col + width <= DASHBOARD_COLUMNS ? undefined : `must not exceed the ${DASHBOARD_COLUMNS} columns`,
    ),
    ...toFieldErrors(
      `${field}.height`,
      row + height <= CHART_BOUNDS.rows ? undefined : `must not exceed the ${CHART_BOUNDS.rows} rows`,
    ),
  ];
}

/** Of two overlapping charts the later one gets the error, which names all that it overlaps. */
function validateOverlaps(positions: readonly (ChartPosition | undefined)[], index: number): FieldError[] {
  const position = positions[index];
  if (position === undefined) return [];
  const covered = positions
    .slice(0, index)
    .flatMap((before, other) => (before !== undefined && isOverlapping(position, before) ? [`charts[${other}]`] : []));
  return toFieldErrors(
    `charts[${index}].position`,
    covered.length === 0 ? undefined : `overlaps with ${covered.join(', ')}`,
  );
}

function isOverlapping(a: ChartPosition, b: ChartPosition): boolean {
  return a.col < b.col + b.width && b.col < a.col + a.width && a.row < b.row + b.height && b.row < a.row + a.height;
}

/** An empty list for anything that is not a list. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An empty object for anything that is not an object. */
function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
