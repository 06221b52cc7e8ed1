import { formatCount, formatList, formatName, joinWithAnd, quote } from '../answers/answer-formatting.js';
import { measureKey } from './query-builder.js';
import { formatTime, type QueryWindow } from './query-windows.js';
import { isAboutWholeTraces } from './query-validity.js';
import {
  CALLEE_GROUP,
  CALLER_GROUP,
  type MeasureBound,
  type QuestionCondition,
  type QuestionMeasure,
  type QuestionQuery,
} from './question-query.js';

/** Figures of one group, by `measureKey`. */
export interface MeasuredGroup {
  readonly names: readonly string[];
  readonly figures: ReadonlyMap<string, number | undefined>;
}

export const NOUNS: Readonly<Record<QuestionQuery['subject'], readonly [string, string]>> = {
  requests: ['request', 'requests'],
  spans: ['span', 'spans'],
  traces: ['trace', 'traces'],
  calls: ['call', 'calls'],
  logs: ['log entry', 'log entries'],
  metrics: ['data point', 'data points'],
};
export const MAX_GROUPS_SHOWN = 10;

/** `12 failed requests to cart (host.name: node-2, duration > 30 ms)`. */
export function describeRecords(
  { subject }: Pick<QuestionQuery, 'subject'>,
  conditions: readonly QuestionCondition[],
  count?: number,
): string {
  const [one, several] = NOUNS[subject];
  const status = conditions.find((each) => each.kind === 'in' && each.field === 'status' && each.values.length === 1);
  const services = conditions.find((each) => each.kind === 'in' && each.field === 'service');
  const callees: readonly QuestionCondition[] = conditions.filter((each) => each.kind === 'callee');
  const severities = conditions.find((each) => each.kind === 'in' && each.field === 'severity');
  const adjective =
    status?.kind === 'in'
      ? status.values[0] === 'ERROR'
        ? 'failed '
        : 'successful '
      : severities?.kind === 'in'
        ? `${joinWithAnd(severities.values).toLowerCase()} `
        : '';
  const of = services?.kind === 'in' ? ` ${subject === 'requests' ? 'to' : 'of'} ${joinNames(services.values)}` : '';
  const to =
    callees.length === 0
      ? ''
      : ` to ${joinNames(callees.flatMap((each) => (each.kind === 'callee' ? [each.name] : [])))}`;
  const rest = conditions
    .filter((each) => each !== status && each !== services && each !== severities && !callees.includes(each))
    .map(describeCondition);
  const whole =
    subject === 'traces' && conditions.length > 0 && isAboutWholeTraces(conditions) ? ['judged by the root span'] : [];
  const others = [...rest, ...whole];
  return `${adjective}${count === 1 ? one : several}${of}${to}${others.length === 0 ? '' : ` (${others.join(', ')})`}`;
}

function joinNames(names: readonly string[]): string {
  return names.length < 2
    ? names.map(formatName).join('')
    : `${names.slice(0, -1).map(formatName).join(', ')} or ${formatName(names.at(-1)!)}`;
}

function describeCondition(condition: QuestionCondition): string {
  switch (condition.kind) {
    case 'in':
      return condition.field === 'operation'
        ? joinNames(condition.values)
        : `${condition.field}: ${joinNames(condition.values)}`;
    case 'compare':
      return `${condition.field} ${condition.sign} ${condition.value.replace(/(\d)ms$/, '$1 ms')}`;
    case 'exists':
      return `with ${condition.field}`;
    case 'text':
      return `with ${quote(condition.phrase)}`;
    case 'callee':
      return `to ${formatName(condition.name)}`;
    case 'not':
      return `not ${describeCondition(condition.term)}`;
    default:
      return condition.terms.map(describeCondition).join(condition.kind === 'any' ? ' or ' : ' and ');
  }
}

/** `667 requests to payment between 15:36 and 15:38 UTC: median 39.58 ms, p99 72.8 ms.` */
export function describeMeasures(
  query: QuestionQuery,
  figures: MeasuredGroup['figures'],
  { words }: QueryWindow,
): string {
  const count = figures.get('count()') ?? 0;
  const records = describeRecords(query, query.conditions, count);
  if (count === 0) return `No ${records} ${words}.`;
  const others = query.measures.filter(({ fn, field }) => fn !== 'count' || field !== undefined);
  const values = others.map((measure) => describeFigure(measure, figures)).join(', ');
  return `${count} ${records} ${words}${values === '' ? '' : `: ${values}`}.`;
}

export function describeFigure(measure: QuestionMeasure, figures: MeasuredGroup['figures']): string {
  const value = figures.get(measureKey(measure));
  const number = value === undefined ? undefined : formatNumber(value);
  const { fn, field } = measure;
  switch (fn) {
    case 'count':
      return `${number ?? 0}`;
    case 'failures':
      return `${number ?? 0} failed (${formatNumber((100 * (value ?? 0)) / Math.max(1, figures.get('count()') ?? 0))} %)`;
    case 'errorRate':
      return number === undefined ? 'no error rate' : `error rate ${number} %`;
    case 'rate':
      return describeRate(value ?? 0, measure.isPerMinute === true);
    case 'failureRate':
      return `${number ?? 0} failed a ${measure.isPerMinute === true ? 'minute' : 'second'}, on average`;
    case 'countDistinct':
      return `${number ?? 0} different values of ${field}`;
    default:
      if (field === 'last') return describeValue({ ...measure, fn: 'last' }, number);
      if (field === 'value') return describeValue(measure, number);
      return number === undefined
        ? `no ${field}`
        : field === 'duration'
          ? `${MEASURE_WORDS[fn] ?? fn} ${number} ms`
          : `${VALUE_WORDS[fn] ?? fn} of ${field} ${number}`;
  }
}

/** Few records a second are told a minute too. */
function describeRate(value: number, isPerMinute: boolean): string {
  if (isPerMinute) return `${formatNumber(value)} a minute`;
  return `${formatNumber(value)} a second${value > 0 && value < 1 ? ` (${formatNumber(60 * value)} a minute)` : ''}`;
}

/** Of the values of a metric. Annotations of units are in braces; `1` is no unit. */
function describeValue(
  { fn, unit = '' }: { readonly fn: string; readonly unit?: string },
  number: string | undefined,
): string {
  const word = VALUE_WORDS[fn] ?? fn;
  const written = unit === '1' ? '' : unit.replace(/[{}]/g, '');
  return number === undefined
    ? `no ${word} value`
    : `${word} ${number}${written === '' ? '' : ` ${formatName(written)}`}`;
}

const VALUE_WORDS: Readonly<Record<string, string>> = { avg: 'average', max: 'highest', min: 'lowest', sum: 'sum' };

const MEASURE_WORDS: Readonly<Record<string, string>> = {
  avg: 'average',
  max: 'longest',
  min: 'shortest',
  p50: 'median',
  sum: 'sum',
};

export function formatNumber(value: number): string {
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

export const GROUP_NAMES: Readonly<Record<string, string>> = {
  [CALLEE_GROUP]: 'dependency',
  [CALLER_GROUP]: 'caller',
  operation: 'endpoint',
  body: 'message',
  'event.exception.type': 'exception type',
  'event.exception.message': 'exception message',
};

/** The groups that meet the bounds of the question, in its order. */
export function selectGroups(
  { groupBy, order, having }: QuestionQuery,
  all: readonly MeasuredGroup[],
): readonly MeasuredGroup[] {
  const isNamed = (group: MeasuredGroup): boolean =>
    !groupBy.some((field, at) => field.startsWith('event.') && group.names[at] === 'without');
  return all
    .filter((group) => isNamed(group) && having.every((bound) => isMet(bound, group.figures)))
    .sort((a, b) => Number(isNameless(a)) - Number(isNameless(b)) || compareBy(order, a, b));
}

/** Records without the field are no group that a question ranks. */
function isNameless({ names }: MeasuredGroup): boolean {
  return names.includes('without');
}

/** One line for each group, in the order of the question. */
export function describeGroups(
  query: QuestionQuery,
  all: readonly MeasuredGroup[],
  total: number,
  { words }: QueryWindow,
): string {
  const { groupBy, order, having, limit, measures } = query;
  const ranked = selectGroups(query, all);
  // "Which endpoints fail most" is not about those that never do.
  const isFailing = order?.measure.fn === 'failures' && order.descending && having.length === 0;
  const failing = isFailing ? ranked.filter(({ figures }) => (figures.get('failures()') ?? 0) > 0) : ranked;
  const groups = failing.length === 0 ? ranked : failing;
  const by = joinWithAnd(groupBy.map((field) => GROUP_NAMES[field] ?? field));
  const records = describeRecords(query, query.conditions);
  const bounds = having
    .map(({ measure, sign, value }) => `${describeMeasureName(measure)} ${sign} ${value}`)
    .join(' and ');
  if (groups.length === 0)
    return bounds === ''
      ? groupBy.some((field) => field.startsWith('event.'))
        ? `No exceptions were recorded ${words}.`
        : `No ${records} ${words}.`
      : `None: no ${by} of ${records} has ${bounds} ${words}.`;
  const first =
    order === undefined
      ? ''
      : `, ${order.descending ? 'highest' : 'lowest'} ${describeMeasureName(order.measure)} first`;
  const own = measures.filter(({ fn, field = '' }) => fn !== 'countDistinct' || !groupBy.includes(field));
  const counted = own.length < measures.length ? ` (${total} different values)` : '';
  const shown = own.some(({ fn, field }) => fn === 'count' && field === undefined)
    ? own
    : [{ fn: 'count' } as const, ...own];
  const lines = groups.map(
    ({ names, figures }) =>
      `${names.map((name, at) => (name === 'without' ? `(no ${groupBy[at]})` : groupBy[at] === 'body' || groupBy[at].startsWith('event.') ? quote(name) : formatName(name))).join(' ')}: ${shown
        .map((measure) =>
          measure.fn === 'count' && measure.field === undefined
            ? formatCount(figures.get('count()') ?? 0, ...NOUNS[query.subject])
            : describeFigure(measure, figures),
        )
        .join(', ')}`,
  );
  const absent = findAbsent(query, all).map((name) => `\nNone of ${name}.`);
  const folded = total > all.length ? `\nOnly the first ${all.length} of ${total} groups were compared.` : '';
  return `${capitalizeFirst(records)} by ${by}${counted}${bounds === '' ? '' : ` with ${bounds}`} ${words}${first}:${formatList(lines, limit ?? MAX_GROUPS_SHOWN, limit === undefined ? lines.length : Math.min(limit, lines.length))}${absent.join('')}${groups.length < ranked.length ? `\nNo failures in the other ${ranked.length - groups.length}.` : ''}${folded}`;
}

/** Values that the question compares and no record has. */
function findAbsent({ groupBy, conditions }: QuestionQuery, all: readonly MeasuredGroup[]): readonly string[] {
  return conditions.flatMap((each) => {
    if (each.kind !== 'in' || each.values.length < 2 || !groupBy.includes(each.field)) return [];
    const at = groupBy.indexOf(each.field);
    return each.values.filter((value) => !all.some(({ names }) => names[at] === value)).map(formatName);
  });
}

function isMet({ measure, sign, value }: MeasureBound, figures: MeasuredGroup['figures']): boolean {
  const figure = figures.get(measureKey(measure));
  if (figure === undefined) return false;
  if (sign === '=') return figure === value;
  if (sign === '>') return figure > value;
  if (sign === '>=') return figure >= value;
  return sign === '<' ? figure < value : figure <= value;
}

export function compareBy(order: QuestionQuery['order'], a: MeasuredGroup, b: MeasuredGroup): number {
  if (order === undefined) return 0;
  const [one, other] = [a, b].map(({ figures }) => figures.get(measureKey(order.measure)) ?? -Infinity);
  return order.descending ? other - one : one - other;
}

export function describeMeasureName({ fn, field }: QuestionMeasure): string {
  if (fn === 'failures') return 'number of failures';
  if (fn === 'errorRate') return 'error rate';
  if (fn === 'count') return 'number';
  if (fn === 'rate' || fn === 'failureRate') return 'rate';
  if (fn === 'countDistinct') return `number of different ${field}`;
  if (field === 'value') return fn === 'max' || fn === 'min' ? 'value' : `${VALUE_WORDS[fn] ?? fn} value`;
  return field === 'duration'
    ? `${MEASURE_WORDS[fn] ?? fn}${fn === 'avg' || fn === 'p50' ? ' duration' : ''}`
    : `${fn} of ${field}`;
}

/** The records that were asked for, with the exact number of all that meet the conditions. */
export function describeListing(
  query: QuestionQuery,
  records: readonly Readonly<Record<string, unknown>>[],
  total: number,
  { words }: QueryWindow,
  nowMs: number,
): string {
  const noun = describeRecords(query, query.conditions, total);
  if (total === 0) return `No ${noun} ${words}.`;
  const { by, descending } = query.listing ?? { by: 'time', descending: true };
  const which = by === 'time' ? (descending ? 'newest' : 'oldest') : descending ? 'slowest' : 'fastest';
  const shown = records.length < total ? `, the ${which}${records.length === 1 ? '' : ` ${records.length}`}` : '';
  const lines = records.map((record) => describeRecord(record, query.subject === 'logs', nowMs));
  return `${total} ${noun} ${words}${shown}:${formatList(lines, lines.length)}`;
}

function describeRecord(record: Readonly<Record<string, unknown>>, isLog: boolean, nowMs: number): string {
  const text = (name: string): string => formatName(formatValue(record[name]));
  const at = formatTime(Math.floor(Date.parse(String(record.time)) / 1_000) * 1_000, nowMs);
  return isLog
    ? `${at} ${text('severity')} ${text('service')}: ${quote(formatValue(record.body))}`
    : `${at}: ${text('service')} ${text('operation')}, ${formatNumber(Number(record.duration))} ms, ${text('status')}, trace ${text('traceId')}`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function capitalizeFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
