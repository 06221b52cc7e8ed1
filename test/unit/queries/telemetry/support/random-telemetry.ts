import fc from 'fast-check';
import type { LogQuery, TraceQuery } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import type { Value } from '../../../../support/generator/otlp-writer.js';
import type { GivenLog, GivenSpan, Values } from './requests.js';
import { GRID } from './telemetry-world.js';

/** All random telemetry starts within a few µs of this time, so that ranges split it and times coincide. */
const BASE_US = 1_760_000_000_000_000;
const SPREAD_US = 12;

const hex = (digits: number) => (n: number) => (n + 1).toString(16).padStart(digits, '0');
const service = fc.constantFrom('cart', 'shop');
const operation = fc.constantFrom('GET /', 'work');
const color = fc.constantFrom('red', 'blue');

function present(values: Readonly<Record<string, Value | undefined>>): Values {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

const spanShape = fc.record({
  span: fc.nat(5),
  trace: fc.nat(3),
  parent: fc.option(fc.nat(7), { nil: undefined }),
  service,
  operation,
  atNs: fc.nat(SPREAD_US * 1000),
  // Around whole milliseconds, and before the start.
  lengthNs: fc.constantFrom(-5, 0, 999_999, 1_000_000, 1_999_999, 2_000_001, 5_000_000_000),
  status: fc.nat(2),
  color: fc.option(color, { nil: undefined }),
  size: fc.option(fc.nat(1), { nil: undefined }),
  zone: fc.option(color, { nil: undefined }),
});

/** Spans of a few traces with few ids: many parents exist, some do not, some form cycles. */
export const spans: fc.Arbitrary<GivenSpan[]> = fc
  .uniqueArray(spanShape, { maxLength: 24, selector: ({ span, trace }) => span * 100 + trace })
  .map((shapes) =>
    shapes.map((shape) => {
      const start = BigInt(BASE_US) * 1000n + BigInt(shape.atNs);
      return {
        traceId: hex(32)(shape.trace),
        spanId: hex(16)(shape.span),
        parentId: shape.parent === undefined ? undefined : hex(16)(shape.parent),
        service: shape.service,
        operation: shape.operation,
        start,
        end: start + BigInt(shape.lengthNs),
        status: shape.status,
        attributes: present({ color: shape.color, size: shape.size }),
        resource: present({ zone: shape.zone }),
      };
    }),
  );

/** Spans of one trace whose parents all exist: cycles, and paths into cycles. */
export const spansInCircles: fc.Arbitrary<GivenSpan[]> = fc
  .array(fc.record({ parent: fc.nat(6), service, atNs: fc.nat(2000) }), { minLength: 1, maxLength: 7 })
  .map((shapes) =>
    shapes.map(({ parent, service: name, atNs }, i) => {
      const start = BigInt(BASE_US) * 1000n + BigInt(atNs);
      return {
        traceId: hex(32)(0),
        spanId: hex(16)(i),
        parentId: hex(16)(parent % shapes.length),
        service: name,
        operation: 'work',
        start,
        end: start,
      };
    }),
  );

const range = fc
  .tuple(fc.integer({ min: -2, max: SPREAD_US }), fc.nat(SPREAD_US + 4))
  .map(([from, length]) => ({ fromUs: BASE_US + from, toUs: BASE_US + from + length }));
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const paging = { page: fc.integer({ min: 1, max: 3 }), pageSize: fc.integer({ min: 1, max: 4 }) };

export const traceQuestion: fc.Arbitrary<TraceQuery> = fc.oneof(
  fc.record({ gridId: fc.constant(GRID), range, ...paging }),
  fc.record({
    gridId: fc.constant(GRID),
    range,
    serviceName: optional(fc.oneof(service, fc.constant('unknown'))),
    operationName: optional(operation),
    minDurationMs: optional(fc.nat(3)),
    maxDurationMs: optional(fc.nat(3)),
    status: optional(fc.constantFrom('OK' as const, 'ERROR' as const)),
    tags: optional(
      fc.dictionary(fc.constantFrom('color', 'size', 'zone'), fc.constantFrom('red', 'blue', '1', '0'), { maxKeys: 2 }),
    ),
    ...paging,
  }),
);

const word = fc.constantFrom('order', 'ordered', 'paid', 'Paid', 'über', '42', 'naïve');

export const logs: fc.Arbitrary<GivenLog[]> = fc.array(
  fc
    .record({
      atNs: fc.nat(SPREAD_US * 1000),
      words: fc.array(word, { maxLength: 5 }),
      service,
      severity: fc.constantFrom(1, 8, 9, 12, 17, 24),
      trace: fc.option(fc.nat(2), { nil: undefined }),
      span: fc.option(fc.nat(2), { nil: undefined }),
      color: fc.option(color, { nil: undefined }),
      zone: fc.option(color, { nil: undefined }),
    })
    .map((shape) => ({
      time: BigInt(BASE_US) * 1000n + BigInt(shape.atNs),
      body: shape.words.join(' '),
      service: shape.service,
      severity: shape.severity,
      traceId: shape.trace === undefined ? undefined : hex(32)(shape.trace),
      spanId: shape.span === undefined ? undefined : hex(16)(shape.span),
      attributes: present({ color: shape.color }),
      resource: present({ zone: shape.zone }),
    })),
  { maxLength: 24 },
);

export const logQuestion: fc.Arbitrary<LogQuery> = fc.record({
  gridId: fc.constant(GRID),
  range,
  severityLevel: optional(
    fc.constantFrom('Trace' as const, 'Debug' as const, 'Information' as const, 'Error' as const, 'Fatal' as const),
  ),
  serviceName: optional(service),
  body: optional(
    fc.constantFrom(
      'order',
      'ORDER*',
      'paid order',
      '"order paid"',
      '"paid" ord*',
      '"order ordered" paid',
      'über',
      'na*',
      '*',
      '4*',
    ),
  ),
  traceId: optional(fc.oneof(fc.nat(3).map(hex(32)), fc.constant('no id'))),
  spanId: optional(fc.nat(3).map(hex(16))),
  attributes: optional(fc.dictionary(fc.constantFrom('color', 'zone'), color, { maxKeys: 2 })),
  ...paging,
});

/** Positions at which to split a list, as fractions of its length. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });

/** The parts of a list, in order; some may be empty. */
export function cut<T>(list: readonly T[], at: readonly number[]): T[][] {
  const places = at.map((share) => Math.floor(share * list.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => list.slice(from, places[i] ?? list.length));
}
