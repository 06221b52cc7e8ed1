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

const NOUNS: Readonly<Record<QuestionQuery['subject'], readonly [string, string]>> = {
  requests: ['request', 'requests'],
  spans: ['span', 'spans'],
  traces: ['trace', 'traces'],
  calls: ['call', 'calls'],
  logs: ['log entry', 'log entries'],
  metrics: ['data point', 'data points'],
};
const MAX_GROUPS_SHOWN = 10;
const MAX_STEPS_SHOWN = 30;

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
      return `${number ?? 0} a ${measure.isPerMinute === true ? 'minute' : 'second'}`;
    case 'countDistinct':
      return `${number ?? 0} different values of ${field}`;
    default:
      if (field === 'value') return describeValue(measure, number);
      return number === undefined
        ? `no ${field}`
        : field === 'duration'
          ? `${MEASURE_WORDS[fn] ?? fn} ${number} ms`
          : `${VALUE_WORDS[fn] ?? fn} of ${field} ${number}`;
  }
}

/** Of the values of a metric. Annotations of units are in braces; `1` is no unit. */
function describeValue({ fn, unit = '' }: QuestionMeasure, number: string | undefined): string {
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

function formatNumber(value: number): string {
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

export function describeShare(
  query: QuestionQuery,
  share: readonly QuestionCondition[],
  part: number,
  all: number,
  { words }: QueryWindow,
): string {
  const records = describeRecords(query, query.conditions, all);
  if (all === 0) return `No ${records} ${words}.`;
  return `${formatNumber((100 * part) / all)} % of ${all} ${records} ${words}: ${part} ${describeRecords(query, share, part)}.`;
}

const GROUP_NAMES: Readonly<Record<string, string>> = {
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
  const groups = selectGroups(query, all);
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
  const shown = measures.some(({ fn, field }) => fn === 'count' && field === undefined)
    ? measures
    : [{ fn: 'count' } as const, ...measures];
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
  return `${capitalizeFirst(records)} by ${by}${bounds === '' ? '' : ` with ${bounds}`} ${words}${first}:${formatList(lines, limit ?? MAX_GROUPS_SHOWN, limit === undefined ? lines.length : Math.min(limit, lines.length))}${absent.join('')}${folded}`;
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

function compareBy(order: QuestionQuery['order'], a: MeasuredGroup, b: MeasuredGroup): number {
  if (order === undefined) return 0;
  const [one, other] = [a, b].map(({ figures }) => figures.get(measureKey(order.measure)) ?? -Infinity);
  return order.descending ? other - one : one - other;
}

function describeMeasureName({ fn, field }: QuestionMeasure): string {
  if (fn === 'failures') return 'number of failures';
  if (fn === 'errorRate') return 'error rate';
  if (fn === 'count') return 'number';
  if (fn === 'rate') return 'rate';
  if (fn === 'countDistinct') return `number of different ${field}`;
  if (field === 'value') return fn === 'max' || fn === 'min' ? 'value' : `${VALUE_WORDS[fn] ?? fn} value`;
  return field === 'duration'
    ? `${MEASURE_WORDS[fn] ?? fn}${fn === 'avg' || fn === 'p50' ? ' duration' : ''}`
    : `${fn} of ${field}`;
}

interface MeasuredSeries {
  readonly name: string;
  readonly steps: readonly { readonly atMs: number; readonly figures: MeasuredGroup['figures'] }[];
}

/** The highest step first where the question asks for it, else all steps. */
export function describeSteps(
  query: QuestionQuery,
  series: readonly MeasuredSeries[],
  { words }: QueryWindow,
  nowMs: number,
): string {
  const records = capitalizeFirst(describeRecords(query, query.conditions));
  const step = query.stepSeconds === 60 ? 'minute' : query.stepSeconds === 3_600 ? 'hour' : `${query.stepSeconds} s`;
  const steps = series.flatMap(({ name, steps: own }) => own.map((each) => ({ name, ...each })));
  if (steps.every(({ figures }) => (figures.get('count()') ?? 0) === 0))
    return `No ${describeRecords(query, query.conditions)} ${words}.`;
  const { order } = query;
  const peak =
    order === undefined
      ? undefined
      : [...steps].sort((a, b) =>
          compareBy(order, { names: [], figures: a.figures }, { names: [], figures: b.figures }),
        )[0];
  const format = ({ name, atMs, figures }: (typeof steps)[number]): string =>
    `${formatTime(atMs, nowMs)}${name === '' ? '' : ` ${formatName(name)}`}: ${query.measures
      .map((measure) =>
        measure.fn === 'count' && measure.field === undefined
          ? formatCount(figures.get('count()') ?? 0, ...NOUNS[query.subject])
          : describeFigure(measure, figures),
      )
      .join(', ')}`;
  const top =
    peak === undefined || order === undefined
      ? ''
      : `\n${order.descending ? 'Highest' : 'Lowest'} ${describeMeasureName(order.measure)}: the ${step} of ${format(peak)}.`;
  return `${records} by ${step} ${words}:${formatList(steps.map(format), MAX_STEPS_SHOWN)}${top}`;
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

function capitalizeFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
