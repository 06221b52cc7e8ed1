import type { Chart, ChartQueryDefinition, ChartType } from '../../diagnostics/chart-model.js';
import { divideWindow } from '../../diagnostics/chart-series/chart-window.js';
import {
  type ChartData,
  type ChartSeries,
  type ChartWindow,
  removeExpiredPoints,
} from '../../diagnostics/chart-series/chart-series.js';
import { DURATION_BUCKETS } from '../../diagnostics/duration-buckets.js';
import { hasCode } from '../../errors.js';
import {
  compileQuery,
  findSeriesFault,
  placeQuery,
  type QueryDefinition,
  type QueryPlan,
} from '../query/query-compiler.js';
import type {
  AggregateFunction,
  AnswerColumn,
  Cell,
  Predicate,
  QueryAnswer,
  QueryRange,
  QuerySignal,
  SeriesAnswer,
} from '../query/query-model.js';
import type { TelemetryQueries } from '../telemetry/telemetry-query-types.js';
import type { ChartQueries, ChartTimeSelection } from './chart-query-types.js';
import { describeField } from '../query/field-catalogue.js';
import { compileFilter, explainForeignField } from './chart-filter.js';
import { type ChartRequest, withAnswers } from './answered-charts.js';

const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;
/** Functions whose values of different groups can be added. */
const ADDS_UP: ReadonlySet<string> = new Set(['count', 'rate', 'sum']);
/** Groups that a chart of whole ranges shows unless its author says how many. */
const DEFAULT_GROUPS = 10;
/** Records without a field of the group. */
const ABSENT = '–';

interface QueryChartPorts {
  readonly telemetry: Pick<TelemetryQueries, 'runQuery'>;
  readonly newId: () => string;
}

/**
 * Chart queries that ask the queries of charts too. Charts are read where rollups are, queries are asked where
 * telemetry is: in different threads.
 */
export function withQueryCharts(charts: ChartQueries, ports: QueryChartPorts): ChartQueries {
  return withAnswers(
    charts,
    ({ query }) => query !== undefined,
    (chart, data, time) => answerChart(chart, data, time, ports),
  );
}

/** Asks the query of a chart over its window, by its steps or as a whole. */
async function answerChart(
  { query, chartType }: Pick<Chart, 'query' | 'chartType'>,
  { unansweredFromMs = 0, ...unanswered }: ChartData,
  { gridId, when }: ChartRequest,
  { telemetry, newId }: QueryChartPorts,
): Promise<ChartData> {
  const frame = divideWindow(unanswered.frame, chartType, unansweredFromMs);
  const data = { ...unanswered, frame };
  const compiled = compileQuery(toDrawnQuery(query!, chartType, frame));
  if ('errors' in compiled) {
    const [{ field, message }] = compiled.errors;
    return { ...data, hint: `The query of this chart cannot be asked: ${field} ${message}` };
  }
  const filter = when.filter && compileFilter(compiled.plan.signal, when.filter);
  const plan = narrowPlan(compiled.plan, filter);
  if (typeof plan === 'string') return { ...data, hint: `This chart cannot be narrowed: ${plan}` };
  const range = toQueryRange(frame, when);
  const time = frame.isWhole === true ? findTimeFunction(plan) : undefined;
  if (time !== undefined) return { ...data, hint: `The chart cannot show ${time}, which is a time.` };
  const fault = findSeriesFault(plan, range);
  if (fault !== undefined) return { ...data, hint: `The query of this chart ${fault}` };
  if (range.fromUs >= range.toUs) return data;
  const placed = placeQuery(plan, { gridId, range, nowUs: frame.nowMs * US_PER_MS });
  const answer = await telemetry.runQuery(placed, newId()).catch(toFault);
  if (typeof answer === 'string') return { ...data, hint: `The query of this chart failed. ${answer}` };
  const columns = answer.columns.slice(plan.groupBy.length);
  const filled = {
    ...data,
    series: toChartSeries(toSeriesAnswer(answer, columns.length, frame), columns, chartType === 'table'),
    unit: data.unit || findCommonUnit(columns),
    additive: plan.select.every(({ fn }) => ADDS_UP.has(fn)),
  };
  const hint = filter && explainForeignField(plan.signal, filter as Predicate);
  return removeExpiredPoints({ ...filled, ...(hint !== undefined && { hint }) }, unansweredFromMs);
}

/** The query of the records that also meet the filter, or why there are none. */
function narrowPlan(plan: QueryPlan, filter: Predicate | string | undefined): QueryPlan | string {
  if (typeof filter === 'string') return filter;
  const terms = [plan.where, filter].filter((term) => term !== undefined);
  return filter === undefined ? plan : { ...plan, where: { kind: 'all', terms } };
}

/** The first function whose values are times, which have no place among figures. */
function findTimeFunction({ signal, select }: QueryPlan): string | undefined {
  return select.find(
    ({ fn, field }) => ['min', 'max'].includes(fn) && field && describeField(signal, field).type === 'time',
  )?.as;
}

/** A query that needs too much memory is the fault of its chart: the others of a dashboard are drawn. */
function toFault(error: unknown): string {
  if (hasCode(error, 'invalid-request')) return (error as Error).message;
  throw error;
}

/** The query as clients write it. */
export function toQueryDefinition({ signal, where, groupBy, select, limit }: ChartQueryDefinition): QueryDefinition {
  return {
    ...{ signal: signal as QuerySignal, where, groupBy },
    select: select.map(({ fn, field, as }) => ({
      fn: fn as AggregateFunction,
      ...(field !== '' && { field }),
      ...(as !== '' && { as }),
    })),
    ...(limit > 0 && { limit }),
  };
}

/** The query by the steps of the chart; of a chart of whole ranges the groups with the largest first figure. */
function toDrawnQuery(query: ChartQueryDefinition, type: ChartType, frame: ChartWindow): QueryDefinition {
  const definition = toQueryDefinition(query);
  if (frame.isWhole !== true)
    return {
      ...definition,
      ...(type === 'heatmap' && { limit: DURATION_BUCKETS.length }),
      stepSeconds: frame.stepMs / MS_PER_SECOND,
    };
  const compiled = compileQuery(definition);
  const first = 'plan' in compiled ? compiled.plan.select.at(0)?.as : undefined;
  return {
    ...definition,
    limit: definition.limit ?? DEFAULT_GROUPS,
    ...(first !== undefined && definition.groupBy!.length > 0 && { orderBy: [{ by: first, descending: true }] }),
  };
}

/** A table as series of one step, which begins with the window. */
function toSeriesAnswer(answer: QueryAnswer, figures: number, { fromMs }: ChartWindow): Pick<SeriesAnswer, 'series'> {
  if ('series' in answer) return answer;
  const time = new Date(fromMs).toISOString();
  return {
    series: answer.rows.map((row) => ({
      group: row.slice(0, row.length - figures),
      points: [[time, ...row.slice(row.length - figures)]],
    })),
  };
}

/** What was known at the moment of the chart. */
function toQueryRange({ fromMs, toMs, nowMs }: ChartWindow, { asOfMs }: ChartTimeSelection): QueryRange {
  return {
    fromUs: fromMs * US_PER_MS,
    toUs: Math.min(toMs, nowMs) * US_PER_MS,
    ...(asOfMs !== undefined && { knownByUs: nowMs * US_PER_MS }),
  };
}

/** A series for each group and function. Functions of different units each name theirs. */
function toChartSeries(
  { series }: Pick<SeriesAnswer, 'series'>,
  functions: readonly AnswerColumn[],
  isTable: boolean,
): ChartSeries[] {
  const isOneUnit = haveOneUnit(functions);
  return series.flatMap(({ group, points }) =>
    functions.map(({ name, unit }, at) => ({
      label: nameSeries(
        group,
        functions.length > 1 || group.length === 0 ? nameFunction(name, isOneUnit ? '' : unit) : undefined,
      ),
      ...(isTable &&
        functions.length > 1 &&
        group.length > 0 && { cell: { row: nameSeries(group), column: name, unit } }),
      points: points.flatMap(([time, ...values]) => {
        const value = values[at];
        return typeof value === 'number' ? [{ atMs: Date.parse(time as string), value }] : [];
      }),
      exemplars: [],
    })),
  );
}

/** "" if they differ. */
function findCommonUnit(columns: readonly AnswerColumn[]): string {
  return haveOneUnit(columns) ? (columns[0]?.unit ?? '') : '';
}

function haveOneUnit(columns: readonly AnswerColumn[]): boolean {
  return columns.every(({ unit }) => unit === columns[0].unit);
}

function nameFunction(name: string, unit: string): string {
  return unit === '' ? name : `${name} in ${unit}`;
}

function nameSeries(group: readonly Cell[], fn?: string): string {
  const values = group.map((cell) => (cell === null ? ABSENT : String(cell as string | number)));
  return [...values, ...(fn === undefined ? [] : [fn])].join(' · ');
}
