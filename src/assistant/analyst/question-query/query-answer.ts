import type { Cell, QueryAnswer, TableAnswer } from '../../../queries/query/query-model.js';
import type { QueryDefinition } from '../../../queries/query/query-compiler.js';
import { getServiceMap } from '../../tools/diagnostic-tools.js';
import { queryTelemetry } from '../../tools/query-tools.js';
import type { Draft } from '../intents/intent.js';
import type { QueryContext } from '../query-context.js';
import { toRangeArguments } from '../time/window-resolver.js';
import { answerCalls, needsServiceMap } from './call-answers.js';
import { measureKey, SUMMARY } from './query-builder.js';
import {
  describeGroups,
  describeListing,
  describeMeasures,
  selectGroups,
  type MeasuredGroup,
} from './query-sentences.js';
import { describeShare, describeShares } from './share-sentences.js';
import { describeSteps } from './step-sentences.js';
import { resolveWindows, type QueryWindow } from './query-windows.js';
import { readMeasure, writeAggregation, writeListing } from './query-writer.js';
import { listFields } from './query-validity.js';
import type { QuestionCondition, QuestionQuery, RecordSubject } from './question-query.js';

/** Answers a question that was read as a query; every condition of it is in the queries that are asked. */
export async function answerQuestionQuery(context: QueryContext, query: QuestionQuery): Promise<Draft> {
  const windows = await resolveWindows(context, query);
  if (typeof windows === 'string') return { text: windows, followUps: ['What changed in the last hour?'] };
  const { window, baseline, note } = windows;
  const { text, first } = await answerFor(context, query, window);
  const texts = [text];
  if (baseline !== undefined) texts.push((await answerFor(context, query, baseline)).text);
  return {
    text: [...(note === undefined ? [] : [note]), ...texts].join('\n'),
    followUps: suggestFollowUps(query),
    ...(first !== undefined && { firstListed: first }),
  };
}

interface WindowAnswer {
  readonly text: string;
  readonly first?: readonly QuestionCondition[];
}

async function answerFor(context: QueryContext, query: QuestionQuery, window: QueryWindow): Promise<WindowAnswer> {
  if (query.subject === 'calls' && needsServiceMap(query, context.vocabulary)) {
    const { answer } = await context.callTool(getServiceMap, toRangeArguments(window));
    return { text: answerCalls(query, answer.edges, window) };
  }
  if (query.touched !== undefined) return { text: await answerTouched(context, query, query.touched, window) };
  if (query.besideRest !== undefined) return { text: await answerBesideRest(context, query, query.besideRest, window) };
  if (await isAboutInnerSpans(context, query, window))
    return answerFor(context, { ...query, subject: 'spans' }, window);
  if (query.share !== undefined) return { text: await answerShare(context, query, query.share, window) };
  if (query.stepSeconds !== undefined) return { text: await answerSteps(context, query, window) };
  if (query.groupBy.length > 0) return answerGroups(context, query, window);
  const lines: string[] = [];
  if (query.measures.length > 0)
    lines.push(describeMeasures(query, await measure(context, query, query.conditions, window), window));
  if (query.listing !== undefined) lines.push(await answerListing(context, query, window));
  return { text: lines.join('\n') };
}

/**
 * An operation that begins no request is one of inner spans: "the UPDATE stock call". So is an attribute that no request
 * has, such as the database: without it nothing could be found.
 */
async function isAboutInnerSpans(context: QueryContext, query: QuestionQuery, window: QueryWindow): Promise<boolean> {
  if (query.subject !== 'requests' || context.sourcesLeft < 4) return false;
  const operations = query.conditions.filter((each) => each.kind === 'in' && each.field === 'operation');
  const counting: QuestionQuery = {
    subject: 'requests',
    conditions: [],
    measures: [{ fn: 'count' }],
    groupBy: [],
    having: [],
  };
  const count = async (subject: RecordSubject, conditions: readonly QuestionCondition[]): Promise<number> =>
    (await measure(context, { ...counting, subject }, conditions, window)).get('count()') ?? 0;
  if (operations.length > 0 && query.measures.length > 0 && (await count('requests', operations)) === 0) return true;
  const [field] = innerFields(query);
  if (field === undefined) return false;
  const having = [{ kind: 'exists', field } as const];
  return (await count('requests', having)) === 0 && (await count('spans', having)) > 0;
}

/** Attributes of calls to databases, queues and caches, which servers' spans seldom have. */
function innerFields({ conditions, groupBy, measures, share = [] }: QuestionQuery): readonly string[] {
  const flags = [...conditions, ...share].flatMap((each) =>
    each.kind === 'exists' || (each.kind === 'in' && each.values.every((value) => /^(?:true|false)$/.test(value)))
      ? listFields(each)
      : [],
  );
  const fields = [
    ...[...conditions, ...share].flatMap(listFields),
    ...groupBy,
    ...measures.flatMap(({ field }) => (field === undefined ? [] : [field])),
  ];
  return [...flags, ...fields.filter((field) => /^(?:db|messaging|peer|server|rpc|url|net|network)\./.test(field))];
}

async function ask(context: QueryContext, definition: QueryDefinition, window: QueryWindow): Promise<QueryAnswer> {
  return context.callTool(queryTelemetry, { ...definition, ...toRangeArguments(window) });
}

async function askTable(context: QueryContext, definition: QueryDefinition, window: QueryWindow): Promise<TableAnswer> {
  const answer = await ask(context, definition, window);
  if (!('rows' in answer)) throw new TypeError('A query without steps is answered by a table');
  return answer;
}

function listKeys({ vocabulary }: QueryContext): { readonly keys: readonly string[] } {
  return { keys: vocabulary.attributes.traces };
}

type Figures = ReadonlyMap<string, number | undefined>;

async function measure(
  context: QueryContext,
  query: QuestionQuery,
  conditions: readonly QuestionCondition[],
  window: QueryWindow,
): Promise<Figures> {
  const { columns, rows } = await askTable(
    context,
    writeAggregation({ ...query, groupBy: [] }, conditions, listKeys(context)),
    window,
  );
  return readFigures(
    query,
    columns.map(({ name }) => name),
    rows[0] ?? [],
  );
}

function readFigures(query: QuestionQuery, columns: readonly string[], row: readonly Cell[]): Figures {
  const measures = [
    { fn: 'count' } as const,
    ...query.measures,
    ...query.having.map((each) => each.measure),
    ...(query.order === undefined ? [] : [query.order.measure]),
  ];
  return new Map(
    measures.map((each) => [measureKey(each), readMeasure(each, (column) => row[columns.indexOf(column)])]),
  );
}

async function answerShare(
  context: QueryContext,
  query: QuestionQuery,
  share: readonly QuestionCondition[],
  window: QueryWindow,
): Promise<string> {
  const { subject, conditions, groupBy } = query;
  const counting: QuestionQuery = { subject, conditions, measures: [{ fn: 'count' }], groupBy, having: [] };
  if (groupBy.length > 0) {
    const [whole, part] = [
      await measureGroups(context, counting, conditions, window),
      await measureGroups(context, counting, [...conditions, ...share], window),
    ];
    return describeShares(query, share, { whole, part }, window);
  }
  const all = await measure(context, counting, conditions, window);
  const part = await measure(context, counting, [...conditions, ...share], window);
  return describeShare(query, share, part.get('count()') ?? 0, all.get('count()') ?? 0, window);
}

/** The records that meet a condition, and all others. */
async function answerBesideRest(
  context: QueryContext,
  { besideRest: _condition, listing: _listing, ...query }: QuestionQuery,
  member: QuestionCondition,
  window: QueryWindow,
): Promise<string> {
  const others = query.conditions.filter((each) => each !== member);
  const lines: string[] = [];
  for (const own of [member, { kind: 'not', term: member } as const]) {
    const compared = { ...query, groupBy: [], conditions: [...others, own], measures: comparedMeasures(query) };
    lines.push(describeMeasures(compared, await measure(context, compared, compared.conditions, window), window));
  }
  return lines.join('\n');
}

function comparedMeasures({ measures }: Pick<QuestionQuery, 'measures'>): QuestionQuery['measures'] {
  return measures.some(({ fn }) => fn !== 'count') ? measures : SUMMARY;
}

/** Traces with spans of two services: those of the one, and of the other, without those of either counted twice. */
async function answerTouched(
  context: QueryContext,
  query: QuestionQuery,
  touched: readonly string[],
  window: QueryWindow,
): Promise<string> {
  const [first, second, ...others] = touched;
  if (others.length > 0 || query.conditions.length > 0)
    return 'I can count the traces of two services together, without further conditions.';
  const count = async (values: readonly string[]): Promise<number> =>
    (
      await measure(
        context,
        { ...query, measures: [{ fn: 'count' }] },
        [{ kind: 'in', field: 'service', values }],
        window,
      )
    ).get('count()') ?? 0;
  const [one, other, either] = [await count([first]), await count([second]), await count([first, second])];
  return `${one + other - either} traces have spans of both ${first} and ${second} ${window.words}.`;
}

async function measureGroups(
  context: QueryContext,
  query: QuestionQuery,
  conditions: readonly QuestionCondition[],
  window: QueryWindow,
): Promise<readonly MeasuredGroup[]> {
  const { columns, rows } = await askTable(context, writeAggregation(query, conditions, listKeys(context)), window);
  const names = columns.map(({ name }) => name);
  return rows.map((row) => ({
    names: row.slice(0, query.groupBy.length).map((cell) => (cell === null ? 'without' : presentCell(cell))),
    figures: readFigures(query, names, row),
  }));
}

async function answerGroups(context: QueryContext, query: QuestionQuery, window: QueryWindow): Promise<WindowAnswer> {
  const { columns, rows, totalRows } = await askTable(
    context,
    writeAggregation(query, query.conditions, listKeys(context)),
    window,
  );
  const names = columns.map(({ name }) => name);
  const groups = rows.map((row): MeasuredGroup => ({
    names: row.slice(0, query.groupBy.length).map((cell) => (cell === null ? 'without' : presentCell(cell))),
    figures: readFigures(query, names, row),
  }));
  const [first] = selectGroups(query, groups);
  return {
    text: describeGroups(query, groups, totalRows, window),
    ...(first !== undefined && {
      first: query.groupBy.map((field, at): QuestionCondition => ({ kind: 'in', field, values: [first.names[at]] })),
    }),
  };
}

async function answerSteps(context: QueryContext, query: QuestionQuery, window: QueryWindow): Promise<string> {
  const answer = await ask(context, writeAggregation(query, query.conditions, listKeys(context)), window);
  if (!('series' in answer)) throw new TypeError('A query with steps is answered by series');
  const names = answer.columns.map(({ name }) => name).slice(-((answer.series[0]?.points[0]?.length ?? 1) - 1));
  const series = answer.series.map(({ group, points }) => ({
    name: group.map(presentCell).join(' '),
    steps: points.map(([at, ...values]) => ({
      atMs: Date.parse(presentCell(at)),
      figures: readFigures(query, names, values),
    })),
  }));
  return describeSteps(query, series, window, context.nowMs);
}

async function answerListing(context: QueryContext, query: QuestionQuery, window: QueryWindow): Promise<string> {
  const { columns, rows, totalRows } = await askTable(
    context,
    writeListing(query, query.conditions, listKeys(context)),
    window,
  );
  const names = columns.map(({ name }) => name);
  const records = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  const unique =
    query.subject === 'traces'
      ? [...new Map([...records].reverse().map((each) => [each.traceId, each])).values()].reverse()
      : records;
  const total =
    query.subject === 'traces'
      ? ((await measure(context, { ...query, measures: [{ fn: 'count' }] }, query.conditions, window)).get('count()') ??
        0)
      : totalRows;
  return describeListing(query, unique.slice(0, query.limit ?? unique.length), total, window, context.nowMs);
}

/** Values of groups and times are texts or numbers; other cells have members. */
function presentCell(cell: Cell): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function suggestFollowUps(query: QuestionQuery): readonly string[] {
  return query.groupBy.length > 0
    ? ['Is anything broken?', 'Which endpoints are slowest?']
    : ['And by service?', 'And in the last hour?', 'Is anything broken?'];
}
