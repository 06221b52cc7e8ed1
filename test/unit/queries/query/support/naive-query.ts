import type { AggregateFunction } from '../../../../../src/queries/query/query-model.js';
import type { QueryDefinition } from '../../../../../src/queries/query/query-compiler.js';
import { matchesTextQuery, parseTextQuery } from '../../../../../src/telemetry/full-text.js';
import { severityLevel } from '../../../../../src/telemetry/log-severity.js';
import { spanKindName } from '../../../../../src/telemetry/span-kind.js';
import type { GivenLog, GivenSpan, Values } from '../../telemetry/support/requests.js';

export type Value = string | number;

/** A condition as a structure; `render` writes it in the language. */
export type Condition =
  | { readonly join: 'and' | 'or'; readonly terms: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly field: string; readonly operator: string; readonly value: string; readonly number?: number }
  | { readonly field: string; readonly in: readonly string[] }
  | { readonly exists: string }
  | { readonly text: string };

export function renderCondition(condition: Condition): string {
  if ('join' in condition) return `(${condition.terms.map(renderCondition).join(` ${condition.join} `)})`;
  if ('not' in condition) return `not ${renderCondition(condition.not)}`;
  if ('exists' in condition) return `exists(${condition.exists})`;
  if ('text' in condition) return condition.text;
  if ('in' in condition)
    return `${condition.field} in (${condition.in.map((each) => JSON.stringify(each)).join(', ')})`;
  return `${condition.field} ${condition.operator} ${condition.value}`;
}

/** All values of a field of one record. */
export type FieldLookup = (field: string) => readonly Value[];

/** Lower bounds of the buckets of a duration of 1 µs to 17 min, in ms. */
const BUCKETS = [-3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((power) =>
  [1, 1.26, 1.58, 2, 2.51, 3.16, 3.98, 5.01, 6.31, 7.94].map((bound) => Number(`${bound}e${power}`)),
);

const durationOf = ({ start, end }: GivenSpan): number => (end > start ? Number(end - start) / 1e6 : 0);

export function lookUpSpan(span: GivenSpan): FieldLookup {
  const resource: Values = { 'service.name': span.service, ...span.resource };
  const intrinsics: Record<string, Value | undefined> = {
    service: span.service,
    operation: span.operation,
    kind: spanKindName(span.kind ?? 1),
    status: span.status === 2 ? 'ERROR' : 'OK',
    statusCode: ['UNSET', 'OK', 'ERROR'][span.status ?? 0],
    duration: durationOf(span),
    durationBucket: [0, ...BUCKETS].findLast((bound) => bound <= durationOf(span)),
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId,
  };
  return (field) => {
    if (field in intrinsics) return present(intrinsics[field]);
    if (field === 'event.name') return (span.events ?? []).map(({ name }) => name);
    if (field.startsWith('event.'))
      return (span.events ?? []).flatMap(({ attributes }) => present(scalar(attributes[field.slice(6)])));
    if (field.startsWith('span.')) return present(scalar(span.attributes?.[field.slice(5)]));
    if (field.startsWith('resource.')) return present(scalar(resource[field.slice(9)]));
    return present(scalar(span.attributes?.[field] ?? resource[field]));
  };
}

export function lookUpLog(log: GivenLog): FieldLookup {
  const resource: Values = { 'service.name': log.service, ...log.resource };
  const intrinsics: Record<string, Value | undefined> = {
    service: log.service,
    severity: severityLevel(log.severity ?? 9),
    severityNumber: log.severity ?? 9,
    body: log.body,
    traceId: log.traceId,
    spanId: log.spanId,
  };
  return (field) => {
    if (field in intrinsics) return present(intrinsics[field]);
    if (field.startsWith('log.')) return present(scalar(log.attributes?.[field.slice(4)]));
    if (field.startsWith('resource.')) return present(scalar(resource[field.slice(9)]));
    return present(scalar(log.attributes?.[field] ?? resource[field]));
  };
}

function scalar(value: Values[string] | undefined): Value | undefined {
  if (value === undefined || typeof value === 'number') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function present(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

const CHOICES = new Set(['kind', 'status', 'statusCode', 'severity']);

/** Reference semantics of conditions. */
export function meets(condition: Condition, lookUp: FieldLookup): boolean {
  if ('join' in condition)
    return condition.join === 'and'
      ? condition.terms.every((term) => meets(term, lookUp))
      : condition.terms.some((term) => meets(term, lookUp));
  if ('not' in condition) return !meets(condition.not, lookUp);
  if ('exists' in condition) return lookUp(condition.exists).length > 0;
  if ('text' in condition) return matchesTextQuery(parseTextQuery(condition.text), String(lookUp('body')[0] ?? ''));
  if ('in' in condition) return lookUp(condition.field).some((value) => condition.in.includes(String(value)));
  const { field, operator, value: text, number = Number(text) } = condition;
  const values = lookUp(field);
  const bare = text.replace(/^"|"$/g, '');
  switch (operator) {
    case '=':
    case '!=': {
      const equal = values.some((value) =>
        CHOICES.has(field)
          ? String(value).toLowerCase() === bare.toLowerCase()
          : String(value) === bare || (field === 'duration' && value === number),
      );
      return equal === (operator === '=');
    }
    case '=~':
    case '!~':
      return values.some((value) => new RegExp(bare).test(String(value))) === (operator === '=~');
    default:
      return values.some((value) => {
        const order =
          field === 'severity'
            ? compareSeverities(String(value), bare)
            : Number.isNaN(number)
              ? compareText(String(value), bare)
              : value === ''
                ? NaN
                : Number(value) - number;
        return operator === '>'
          ? order > 0
          : operator === '>='
            ? order >= 0
            : operator === '<'
              ? order < 0
              : order <= 0;
      });
  }
}

function compareSeverities(a: string, b: string): number {
  const placeOf = (level: string): number =>
    ['trace', 'debug', 'information', 'warning', 'error', 'fatal'].indexOf(level.toLowerCase());
  return placeOf(a) - placeOf(b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface NaiveRecord {
  readonly lookUp: FieldLookup;
  readonly timeUs: number;
  readonly isError: boolean;
}

type Group = { readonly key: readonly (Value | null)[]; readonly records: NaiveRecord[] };

/** Groups of records; a record with several values of a field is in the group of each. */
export function groupRecords(records: readonly NaiveRecord[], groupBy: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  if (groupBy.length === 0) groups.set('[]', { key: [], records: [] });
  for (const record of records) {
    let keys: (Value | null)[][] = [[]];
    for (const field of groupBy) {
      const values: (Value | null)[] = [...new Set(record.lookUp(field).map(toGroupValue(field)))];
      if (values.length === 0) values.push(null);
      keys = keys.flatMap((key) => values.map((value) => [...key, value]));
    }
    for (const key of keys) {
      const id = JSON.stringify(key);
      const group = groups.get(id) ?? { key, records: [] };
      groups.set(id, group);
      group.records.push(record);
    }
  }
  return [...groups.values()];
}

const NUMERIC = new Set(['duration', 'durationBucket', 'severityNumber']);
const toGroupValue =
  (field: string) =>
  (value: Value): Value =>
    NUMERIC.has(field) ? value : String(value);

/** Reference value of an aggregate; percentiles by nearest rank over the values themselves. */
export function aggregate(
  { fn, field }: NonNullable<QueryDefinition['select']>[number],
  records: readonly NaiveRecord[],
  seconds: number,
): number | null {
  const values = field === undefined ? [] : records.flatMap(({ lookUp }) => [...lookUp(field)]);
  const numbers = values.map(Number).filter(Number.isFinite);
  switch (fn) {
    case 'count':
      return field === undefined ? records.length : records.filter(({ lookUp }) => lookUp(field).length > 0).length;
    case 'rate':
      return seconds > 0 ? records.length / seconds : null;
    case 'errorRate':
      return records.length === 0 ? null : (100 * records.filter(({ isError }) => isError).length) / records.length;
    case 'countDistinct':
      return new Set(values.map(String)).size;
    case 'sum':
      return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0);
    case 'avg':
      return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    case 'min':
      return numbers.length === 0 ? null : Math.min(...numbers);
    case 'max':
      return numbers.length === 0 ? null : Math.max(...numbers);
    default:
      return nearestRank(numbers, fn);
  }
}

function nearestRank(numbers: readonly number[], fn: AggregateFunction): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.max(1, Math.ceil((Number(fn.slice(1)) / 100) * sorted.length)) - 1];
}
