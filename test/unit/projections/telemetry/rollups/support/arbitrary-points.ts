import fc from 'fast-check';
import { METRIC_KINDS } from '../../../../../../src/diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets, Exemplar } from '../../../../../../src/telemetry/metric-distributions.js';
import { explicitOf, exponentialOf } from '../../../../diagnostics/support/naive-histogram.js';
import type { PlainPoint } from './plain-points.js';

const SECOND_US = 1_000_000;
export const START_US = Date.UTC(2026, 5, 20, 12, 40) * 1000;

/** Quarters: sums of them are exact. */
const quarter = fc.integer({ min: -30, max: 200 }).map((n) => n / 4);
const odd = fc.constantFrom(NaN, Infinity, -Infinity);
const seldom = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });

const exemplar: fc.Arbitrary<Exemplar> = fc.record(
  {
    timeUs: fc.integer({ min: -3, max: 3 }).map((n) => START_US + n),
    value: quarter,
    traceId: fc.constantFrom('', 'ab'.repeat(16)),
    spanId: fc.constantFrom('', 'cd'.repeat(8)),
  },
  { noNullPrototype: true },
);

/** What happened in a series between two exports, and how that is sent. */
const step = fc.record({
  seconds: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(60), fc.integer({ min: 600, max: 1_500 })),
  values: fc.array(quarter, { maxLength: 5 }),
  restarts: seldom(fc.constant(false), fc.constant(true)),
  /** After a restart the start is told, or has to be guessed. */
  tellsStart: fc.boolean(),
  layout: fc.integer({ min: 0, max: 2 }),
  hasBuckets: seldom(fc.constant(true), fc.constant(false)),
  odd: seldom(fc.constant<number | undefined>(undefined), odd),
  /** On its way to us. */
  delay: seldom(fc.constant(0), fc.integer({ min: 20, max: 2_000 })),
  again: seldom(fc.constant<number | undefined>(undefined), fc.integer({ min: 0, max: 2_000 })),
  exemplars: seldom(fc.constant<Exemplar[]>([]), fc.array(exemplar, { maxLength: 6 })),
  quantiles: fc
    .uniqueArray(fc.tuple(fc.constantFrom(0, 0.5, 0.9, 1), quarter), { selector: ([quantile]) => quantile })
    .map((reported) => reported.sort(([a], [b]) => a - b)),
});

const plan = fc.record({
  kind: fc.constantFrom(...METRIC_KINDS),
  temporality: fc.constantFrom(0, 1, 2),
  monotonic: fc.boolean(),
  resource: fc.constantFrom(0, 1),
  /** Of a cumulative series: told, or 0; seconds before the first point. */
  startsBefore: fc.constantFrom(undefined, 5, 3_600),
  /** Whether senders change the layout of buckets, as after a new release. */
  changesLayout: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** Points of a few series in the order in which they arrive. */
export const arrivals: fc.Arbitrary<PlainPoint[]> = fc.array(plan, { minLength: 1, maxLength: 4 }).map((plans) => {
  const sent = plans.flatMap((one, i) => sentBy(one, i));
  return sent.sort((a, b) => a.at - b.at).map(({ point }) => point);
});

function sentBy(one: Plan, index: number): { readonly at: number; readonly point: PlainPoint }[] {
  const { kind, monotonic, temporality, resource, startsBefore } = one;
  const names = {
    metric: `m${index % 2}`,
    unit: index === 0 ? 'ms' : 's',
    kind,
    monotonic: kind === 'sum' && monotonic,
    temporality,
    instance: 'a',
    resource,
  };
  const isCumulative = temporality !== 1 || kind === 'summary';
  let timeUs = START_US;
  let startUs = startsBefore === undefined ? 0 : START_US - startsBefore * SECOND_US;
  let all: number[] = [];
  return one.steps.flatMap((each) => {
    timeUs += each.seconds * SECOND_US;
    if (each.restarts) all = [];
    if (each.restarts && each.tellsStart) startUs = timeUs - 1;
    all = isCumulative ? [...all, ...each.values] : each.values;
    const point = { ...names, timeUs, startUs, ...measured(one, each, all) };
    const arrival = (delay: number) => ({ at: timeUs + delay * SECOND_US, point });
    return each.again === undefined ? [arrival(each.delay)] : [arrival(each.delay), arrival(each.delay + each.again)];
  });
}

function measured(
  { kind, changesLayout }: Plan,
  { layout, hasBuckets, odd: strange, exemplars, quantiles }: Plan['steps'][number],
  values: readonly number[],
) {
  const total = values.reduce((sum, value) => sum + (kind === 'sum' ? Math.abs(value) : value), 0);
  const value = strange ?? total;
  if (kind === 'gauge' || kind === 'sum') return { value, observations: 1, min: value, max: value, exemplars };
  const extremes = {
    min: values.length === 0 ? NaN : Math.min(...values),
    max: values.length === 0 ? NaN : (strange ?? Math.max(...values)),
  };
  const buckets = kind === 'summary' || !hasBuckets ? undefined : bucketsOf(kind, values, changesLayout ? layout : 1);
  return {
    value,
    observations: values.length,
    ...extremes,
    exemplars,
    ...(kind === 'summary' ? { quantiles } : {}),
    ...(buckets === undefined ? {} : { buckets }),
  };
}

function bucketsOf(
  kind: 'histogram' | 'exponential_histogram',
  values: readonly number[],
  layout: number,
): HistogramBuckets {
  return kind === 'histogram'
    ? explicitOf(values, [[0], [0, 1, 10], [0, 5]][layout])
    : exponentialOf(values, layout - 1);
}
