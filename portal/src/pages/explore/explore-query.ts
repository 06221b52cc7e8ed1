import {
  AGGREGATES,
  QUERY_BOUNDS,
  SIGNALS,
  type AggregateFunction,
  type QuerySignal,
} from '../../../../src/queries/query/query-model.js';
import { type ChartType, HEATMAP_FIELD } from '../../../../src/diagnostics/chart-model.js';
import { DURATION_BUCKETS } from '../../../../src/diagnostics/duration-buckets.js';
import { listChartTypes } from '../../charts/chart-types.js';

export type { QuerySignal };

/** How the answer is shown. */
export const RESULT_VIEWS = ['table', 'series', 'top', 'records', 'heatmap'] as const;
export type ResultView = (typeof RESULT_VIEWS)[number];

/** What the Explore page asks, and how it shows the answer. All of it is in the URL. */
export interface ExploreQuery {
  readonly signal: QuerySignal;
  readonly where: string;
  readonly groupBy: readonly string[];
  /** Such as `count` or `p99(duration)`. */
  readonly select: readonly string[];
  /** Undefined: fits the range. */
  readonly stepSeconds: number | undefined;
  /** Columns; with a leading `-` the largest first. */
  readonly orderBy: readonly string[];
  readonly limit: number | undefined;
  readonly show: ResultView;
  /** Columns to show; empty: those that are useful without being asked for. */
  readonly columns: readonly string[];
}

/** What the page shows when it is opened from the navigation. */
export const FIRST_QUERY: ExploreQuery = {
  signal: 'spans',
  where: '',
  groupBy: ['service'],
  select: ['count', 'p95(duration)', 'errorRate'],
  stepSeconds: undefined,
  orderBy: [],
  limit: undefined,
  show: 'table',
  columns: [],
};

/** The query in URL parameters. Those that are not valid are left to the service, which says what is wrong with them. */
export function parseExploreQuery(parameters: URLSearchParams): ExploreQuery {
  const signal = SIGNALS.find((each) => each === parameters.get('signal'));
  if (signal === undefined) return FIRST_QUERY;
  const view = RESULT_VIEWS.find((each) => each === parameters.get('show')) ?? 'table';
  return {
    signal,
    where: parameters.get('where') ?? '',
    groupBy: parameters.getAll('by'),
    select: parameters.getAll('select'),
    stepSeconds: parseWhole(parameters.get('step')),
    orderBy: parameters.getAll('order'),
    limit: parseWhole(parameters.get('limit')),
    show: view === 'heatmap' && signal !== 'spans' ? 'table' : view,
    columns: parameters.getAll('column'),
  };
}

/** URL parameters of a query; an empty one removes the parameter. */
export function toExploreParameters(query: ExploreQuery): Readonly<Record<string, string | readonly string[]>> {
  const { signal, where, groupBy, select, stepSeconds, orderBy, limit, show, columns } = query;
  return {
    ...{ signal, where, by: groupBy, select, order: orderBy, show: show === 'table' ? '' : show, column: columns },
    step: stepSeconds === undefined ? '' : String(stepSeconds),
    limit: limit === undefined ? '' : String(limit),
  };
}

function parseWhole(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

interface SelectedFunction {
  fn: AggregateFunction;
  field?: string;
}

/** What a heatmap asks. */
const HEATMAP_FIGURES: { groupBy: string[]; select: SelectedFunction[] } = {
  groupBy: [HEATMAP_FIELD],
  select: [{ fn: 'count' }],
};

/** Reads `p99(duration)` or `count`. What is no function stays what it is: the service tells what is possible. */
export function parseFunction(text: string): SelectedFunction {
  const [, fn = text, field] = /^(\w+)(?:\((.+)\))?$/s.exec(text.trim()) ?? [];
  return { fn: fn as AggregateFunction, ...(field !== undefined && { field }) };
}

export function writeFunction({ fn, field }: { readonly fn: string; readonly field?: string | undefined }): string {
  return field === undefined || field === '' ? fn : `${fn}(${field})`;
}

/** Functions that can be asked of a signal. */
export function listFunctions(signal: QuerySignal): readonly AggregateFunction[] {
  return signal === 'metrics' ? AGGREGATES.filter((fn) => fn !== 'errorRate' && !/^p\d/.test(fn)) : AGGREGATES;
}

/** Functions that take no field. */
export const FUNCTIONS_WITHOUT_FIELD: ReadonlySet<string> = new Set(['rate', 'errorRate']);
/** Functions whose field is optional. */
export const FUNCTIONS_WITH_OPTIONAL_FIELD: ReadonlySet<string> = new Set(['count', ...FUNCTIONS_WITHOUT_FIELD]);

interface QueryBody {
  signal: QuerySignal;
  where?: string;
  groupBy?: string[];
  select?: SelectedFunction[];
  stepSeconds?: number;
  orderBy?: { by: string; descending: boolean }[];
  limit?: number;
}

/** The request of a query, without its times, for the way its answer is shown. @param windowMs length of the range */
export function toQueryBody(query: ExploreQuery, windowMs: number): QueryBody {
  const { signal, where, groupBy, select, limit, show } = query;
  const condition = { signal, ...(where.trim() !== '' && { where }) };
  if (show === 'records') return { ...condition, ...writeOrder(query.orderBy), limit: limit ?? QUERY_BOUNDS.limit / 5 };
  const stepSeconds = query.stepSeconds ?? chooseStep(windowMs, signal);
  if (show === 'heatmap') return { ...condition, ...HEATMAP_FIGURES, stepSeconds, limit: DURATION_BUCKETS.length };
  const columns = new Set([...groupBy, ...select]);
  return {
    ...condition,
    groupBy: [...groupBy],
    select: (select.length === 0 ? ['count'] : select).map(parseFunction),
    // An order by a column that is gone is of another view of the query.
    ...writeOrder(query.orderBy.filter((key) => columns.has(key.replace(/^-/, '')))),
    ...(show === 'series' && { stepSeconds }),
    ...(limit !== undefined && { limit }),
  };
}

/** Groups that a chart draws at most. */
const MAX_CHART_GROUPS = 20;

/** How a chart can draw what the page shows, the same way first; nothing for records. */
export function listDrawings({ show, groupBy }: Pick<ExploreQuery, 'show' | 'groupBy'>): readonly ChartType[] {
  if (show === 'records') return [];
  if (show === 'heatmap') return ['heatmap'];
  const first = show === 'top' ? 'top_list' : show === 'table' ? 'table' : 'line';
  return [...new Set<ChartType>([first, ...listChartTypes(groupBy.length > 0)])];
}

/** How the page shows what a chart of this type draws. */
const VIEW_BY_CHART_TYPE: Readonly<Record<ChartType, ResultView>> = {
  line: 'series',
  bar: 'series',
  area: 'series',
  value: 'table',
  table: 'table',
  top_list: 'top',
  heatmap: 'heatmap',
};

/** The page's query for that of a chart. */
export function openChartQuery(
  { select, limit, ...query }: ReturnType<typeof toChartQuery>,
  type: ChartType,
): ExploreQuery {
  const show = VIEW_BY_CHART_TYPE[type];
  // The heatmap of the page adds its own groups and figures.
  if (show === 'heatmap') return { ...FIRST_QUERY, signal: query.signal, where: query.where, show };
  return { ...FIRST_QUERY, ...query, select: select.map(writeFunction), limit, show };
}

/** The query as a chart draws it, over the time of its dashboard. */
export function toChartQuery({ signal, where, groupBy, select, limit, show }: ExploreQuery) {
  if (show === 'heatmap') return { signal, where, ...HEATMAP_FIGURES };
  return {
    signal,
    where,
    groupBy: [...groupBy],
    select: (select.length === 0 ? ['count'] : select).map(parseFunction),
    ...(limit !== undefined && { limit: Math.min(limit, MAX_CHART_GROUPS) }),
  };
}

function writeOrder(orderBy: readonly string[]): Pick<QueryBody, 'orderBy'> {
  if (orderBy.length === 0) return {};
  return { orderBy: orderBy.map((key) => ({ by: key.replace(/^-/, ''), descending: key.startsWith('-') })) };
}

/** The order after a click on the head of a column: the largest first, then the smallest, then as before. */
export function toggleOrder(orderBy: readonly string[], column: string): readonly string[] {
  if (orderBy[0] === `-${column}`) return [column];
  return orderBy[0] === column ? [] : [`-${column}`];
}

/** Lengths of a step in seconds that people think in. */
export const STEPS_SECONDS: readonly number[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
];
const MAX_STEPS = 60;
const SECONDS_PER_MINUTE = 60;

/** A step that divides the range into 60 parts at most. Metrics are kept by the minute. */
export function chooseStep(windowMs: number, signal: QuerySignal): number {
  const least = Math.max(windowMs / 1_000 / MAX_STEPS, signal === 'metrics' ? SECONDS_PER_MINUTE : 1);
  return STEPS_SECONDS.find((step) => step >= least) ?? STEPS_SECONDS.at(-1)!;
}
