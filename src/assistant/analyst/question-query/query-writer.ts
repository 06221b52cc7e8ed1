import { isAboutWholeTraces } from './query-validity.js';
import type { QueryDefinition } from '../../../queries/query/query-compiler.js';
import { measureKey } from './query-builder.js';
import type { QuestionCondition, QuestionMeasure, QuestionQuery, RecordSubject } from './question-query.js';

/** In the order of contract §5: the first of these attributes that a call has names what it goes to. */
const CALLEE_KEYS = [
  'peer.service',
  'db.namespace',
  'db.name',
  'messaging.destination.name',
  'messaging.destination',
  'server.address',
  'net.peer.name',
  'db.system.name',
  'db.system',
  'messaging.system',
  'rpc.system',
];
const ENTRY = '(kind in (SERVER, CONSUMER) or not exists(parentSpanId))';
const CALL = 'kind in (CLIENT, PRODUCER)';
const ROOT = 'not exists(parentSpanId)';

/** What a condition is written with: the keys that the Grid has. */
export interface WritingContext {
  readonly keys: readonly string[];
}

/** The condition of a query as text; what the records are comes first. */
export function writeWhere(
  subject: RecordSubject,
  conditions: readonly QuestionCondition[],
  context: WritingContext,
): string {
  const own = conditions.map((condition) => writeCondition(condition, context));
  return [...describeSubject(subject, conditions), ...own].join(' and ');
}

function describeSubject(subject: RecordSubject, conditions: readonly QuestionCondition[]): readonly string[] {
  if (subject === 'requests') return [ENTRY];
  if (subject === 'calls') return [CALL];
  return subject === 'traces' && isAboutWholeTraces(conditions) ? [ROOT] : [];
}

function writeCondition(condition: QuestionCondition, context: WritingContext): string {
  switch (condition.kind) {
    case 'in':
      return condition.values.length === 1
        ? `${writeField(condition.field)} = ${quoteValue(condition.values[0])}`
        : `${writeField(condition.field)} in (${condition.values.map(quoteValue).join(', ')})`;
    case 'compare':
      return `${writeField(condition.field)} ${condition.sign} ${condition.value}`;
    case 'exists':
      return `exists(${writeField(condition.field)})`;
    case 'text':
      return quoteValue(condition.phrase);
    case 'callee':
      return writeCallee(condition.name, context);
    case 'not':
      return `not (${writeCondition(condition.term, context)})`;
    default:
      return `(${condition.terms.map((term) => writeCondition(term, context)).join(condition.kind === 'any' ? ' or ' : ' and ')})`;
  }
}

function writeCallee(name: string, { keys }: WritingContext): string {
  const known = CALLEE_KEYS.filter((key) => keys.includes(key));
  return known.reduceRight(
    (rest, key) =>
      rest === '' ? `${key} = ${quoteValue(name)}` : `(${key} = ${quoteValue(name)} or not exists(${key}) and ${rest})`,
    '',
  );
}

/** A field as conditions name it. */
export function writeField(field: string): string {
  return /^[\w.-]+$/.test(field) ? field : `\`${field}\``;
}

/** Only plain words stand without quotes. */
function quoteValue(value: string): string {
  return /^[A-Za-z][\w.-]*$/.test(value) && !/^(?:and|or|not|in|exists)$/i.test(value)
    ? value
    : `"${value.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

const MAX_GROUPS = 1_000;

/** The groups of the query with all measures that its answer needs. */
export function writeAggregation(
  query: QuestionQuery,
  conditions: readonly QuestionCondition[],
  context: WritingContext,
): QueryDefinition {
  const { subject, groupBy, stepSeconds } = query;
  return {
    signal: subject === 'logs' || subject === 'metrics' ? subject : 'spans',
    where: writeWhere(subject, conditions, context),
    ...(groupBy.length > 0 && { groupBy }),
    select: writeSelect(query),
    ...(stepSeconds !== undefined && { stepSeconds }),
    ...(groupBy.length > 0 && { limit: stepSeconds === undefined ? MAX_GROUPS : MAX_SERIES }),
  };
}

const MAX_SERIES = 10;

function writeSelect({ measures, having, order, subject }: QuestionQuery): NonNullable<QueryDefinition['select']> {
  const all = [...measures, ...having.map(({ measure }) => measure), ...(order === undefined ? [] : [order.measure])];
  const columns = all.flatMap((measure) => selectColumns(measure, subject));
  return [...new Map(columns.map((column) => [column.as, column])).values()];
}

type SelectColumn = Required<Pick<NonNullable<QueryDefinition['select']>[number], 'fn' | 'as'>> & {
  readonly field?: string;
};

/** Failures are computed from the count and the exact error rate. */
function selectColumns(measure: QuestionMeasure, subject: RecordSubject): readonly SelectColumn[] {
  const { fn, field } = measure;
  if (fn === 'failures') return [...selectColumns({ fn: 'count' }, subject), { fn: 'errorRate', as: 'errorRate' }];
  if (fn === 'failureRate')
    return [
      { fn: 'rate', as: 'rate' },
      { fn: 'errorRate', as: 'errorRate' },
    ];
  if (fn === 'count' && field === undefined)
    return [
      subject === 'traces' ? { fn: 'countDistinct', field: 'traceId', as: 'count' } : { fn: 'count', as: 'count' },
    ];
  if (fn === 'rate' || fn === 'errorRate') return [{ fn, as: fn }];
  return [{ fn, ...(field !== undefined && { field }), as: measureKey({ fn, ...(field !== undefined && { field }) }) }];
}

/** The records themselves, in the order of the question. */
export function writeListing(
  { subject, listing, limit = 5 }: QuestionQuery,
  conditions: readonly QuestionCondition[],
  context: WritingContext,
): QueryDefinition {
  const { by, descending } = listing ?? { by: 'time', descending: true };
  return {
    signal: subject === 'logs' ? 'logs' : 'spans',
    where: writeWhere(subject, conditions, context),
    orderBy: [{ by, descending }],
    // Several spans of a trace may meet the conditions.
    limit: subject === 'traces' && !isAboutWholeTraces(conditions) ? Math.min(MAX_GROUPS, limit * 20) : limit,
  };
}

/** Value of a measure in a row of an answer. */
export function readMeasure(
  { fn, field, isPerMinute }: QuestionMeasure,
  readValue: (column: string) => unknown,
): number | undefined {
  const number = (column: string): number | undefined => {
    const value = readValue(column);
    return typeof value === 'number' ? value : undefined;
  };
  if (fn === 'failures') {
    const [count, rate] = [number('count'), number('errorRate')];
    return count === undefined ? undefined : Math.round((count * (rate ?? 0)) / 100);
  }
  if (fn === 'count' && field === undefined) return number('count');
  if (fn === 'failureRate') {
    const rate = number('rate');
    return rate === undefined
      ? undefined
      : ((rate * (number('errorRate') ?? 0)) / 100) * (isPerMinute === true ? 60 : 1);
  }
  const value = number(
    fn === 'rate' || fn === 'errorRate' ? fn : measureKey({ fn, ...(field !== undefined && { field }) }),
  );
  return value !== undefined && isPerMinute === true ? value * 60 : value;
}
