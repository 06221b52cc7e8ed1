import fc from 'fast-check';
import { AGGREGATES, type AggregateFunction } from '../../../../../src/queries/query/query-model.js';
import type { QueryDefinition } from '../../../../../src/queries/query/query-compiler.js';
import type { Condition } from './naive-query.js';

const SPAN_FIELDS = [
  'service',
  'operation',
  'status',
  'kind',
  'color',
  'size',
  'zone',
  'span.color',
  'resource.zone',
  'service.name',
  'event.name',
  'event.attempt',
  'traceId',
  'parentSpanId',
  'durationBucket',
] as const;
const LOG_FIELDS = [
  'service',
  'severity',
  'color',
  'zone',
  'log.color',
  'resource.zone',
  'traceId',
  'severityNumber',
] as const;

/** Fields whose conditions take no other text. */
const NOT_TEXT: ReadonlySet<string> = new Set(['status', 'kind', 'severity', 'severityNumber', 'durationBucket']);

const texts = ['cart', 'shop', 'work', '"GET /"', 'red', 'blue', '1', '0', 'retry', 'ab'];
const durations = [
  ['1ms', 1],
  ['999999ns', 0.999999],
  ['2', 2],
  ['0.001s', 1],
  ['4s', 4000],
] as const;

const comparison = (fields: readonly string[]): fc.Arbitrary<Condition> =>
  fc.record({
    field: fc.constantFrom(...fields.filter((field) => !NOT_TEXT.has(field))),
    operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<=', '=~', '!~'),
    value: fc.constantFrom(...texts),
  });

const membership = (fields: readonly string[]): fc.Arbitrary<Condition> =>
  fc.record({
    field: fc.constantFrom(...fields.filter((field) => !NOT_TEXT.has(field))),
    in: fc.array(fc.constantFrom('cart', 'red', 'blue', '1', 'retry'), { minLength: 1, maxLength: 3 }),
  });

const spanOnly: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(fc.constantFrom('=', '!=', '>', '>=', '<', '<='), fc.constantFrom(...durations))
    .map(([operator, [value, number]]) => ({ field: 'duration', operator, value, number })),
  fc.record({
    field: fc.constant('status'),
    operator: fc.constantFrom('=', '!='),
    value: fc.constantFrom('error', 'OK'),
  }),
);

const logOnly: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ text: fc.constantFrom('order', 'ORD*', '"order paid"', '"paid"', 'über', '42') }),
  fc.record({
    field: fc.constant('severity'),
    operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<='),
    value: fc.constantFrom('error', 'Trace', 'information'),
  }),
  fc.record({
    field: fc.constant('severityNumber'),
    operator: fc.constantFrom('>', '<=', '='),
    value: fc.constantFrom('9', '12', '17'),
  }),
  fc.record({
    field: fc.constant('body'),
    operator: fc.constantFrom('=~', '!~'),
    value: fc.constantFrom('"or.er"', 'paid'),
  }),
);

const condition = (fields: readonly string[], special: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.letrec<{ any: Condition }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      comparison(fields),
      membership(fields),
      special,
      fc.record({ exists: fc.constantFrom(...fields) }),
      fc.record({ not: tie('any') }),
      fc.record({
        join: fc.constantFrom('and' as const, 'or' as const),
        terms: fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  })).any;

type Selected = NonNullable<QueryDefinition['select']>[number];

const selected = (fields: readonly string[]): fc.Arbitrary<readonly Selected[]> =>
  fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(...AGGREGATES), fc.constantFrom(...fields))
      .map(([fn, field]): Selected => (NO_FIELD.has(fn) ? { fn } : { fn, field: fitField(fn, field) })),
    { minLength: 1, maxLength: 4, selector: ({ fn, field }) => `${fn} ${field}` },
  );

const NO_FIELD: ReadonlySet<AggregateFunction> = new Set(['rate', 'errorRate']);
const TEXT_INTRINSICS = new Set(['service', 'operation', 'status', 'kind', 'severity', 'traceId', 'parentSpanId']);

/** Numbers are aggregated of fields that may hold some. */
function fitField(fn: AggregateFunction, field: string): string {
  return fn !== 'count' && fn !== 'countDistinct' && TEXT_INTRINSICS.has(field) ? 'size' : field;
}

export interface RandomQuery {
  readonly definition: QueryDefinition;
  readonly condition: Condition | undefined;
}

const query = (
  signal: 'spans' | 'logs',
  fields: readonly string[],
  special: fc.Arbitrary<Condition>,
): fc.Arbitrary<RandomQuery> =>
  fc
    .record({
      condition: fc.option(condition(fields, special), { nil: undefined, freq: 6 }),
      groupBy: fc.uniqueArray(fc.constantFrom(...fields), { maxLength: 3 }),
      select: selected([...fields, ...(signal === 'spans' ? ['duration'] : [])]),
    })
    .map(({ condition: where, groupBy, select }) => ({
      condition: where,
      definition: { signal, groupBy, select, limit: 1000 },
    }));

export const spanQuery = query('spans', SPAN_FIELDS, spanOnly);
export const logQuery = query('logs', LOG_FIELDS, logOnly);
