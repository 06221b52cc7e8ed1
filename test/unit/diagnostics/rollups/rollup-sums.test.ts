import assert from 'node:assert/strict';
import fc from 'fast-check';
import { selectLargestExemplars, sumBuckets } from '../../../../src/diagnostics/rollups/distribution-sums.js';
import { boundGrid, boundLog, boundMetric, boundService } from '../../../../src/diagnostics/rollups/rollup-bounds.js';
import { sumGrid, sumLog, sumMetric, sumService } from '../../../../src/diagnostics/rollups/rollup-sums.js';
import {
  OTHER_NAME,
  ROLLUP_BOUNDS,
  type EdgeRollup,
  type GridRollup,
  type LogRollup,
  type Measures,
  type MetricRollup,
  type MetricSeriesRollup,
  type OperationRollup,
  type ServiceRollup,
  type ServiceTotals,
} from '../../../../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { buckets } from '../support/arbitrary-buckets.js';

const name = fc.constantFrom('', 'a', 'a\0', 'b', 'b\0a', OTHER_NAME);
const whole = fc.integer({ min: 0, max: 1_000_000 });
const sketch = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 5 }).map((values) => sketchOf(values));
const five = fc.tuple(whole, whole, whole, whole, whole);
const observedTimes = { firstUs: whole, lastUs: whole };
const measures = {
  count: whole,
  errors: whole,
  durationNs: whole,
  satisfied: whole,
  tolerating: whole,
  latency: sketch,
};

/** Each name once, as a rollup has it. */
const unique = <T>(one: fc.Arbitrary<T>, key: (item: T) => unknown) =>
  fc.uniqueArray(one, { selector: (item) => JSON.stringify(key(item)), maxLength: 4 });

const exceptions = unique(
  fc.record({
    type: name,
    message: name,
    count: whole,
    ids: fc.uniqueArray(whole, { maxLength: 4 }).map((ids) => ids.sort((a, b) => a - b)),
  }),
  ({ type, message }) => [type, message],
);
const calls = unique(fc.record({ service: name, operation: name, count: whole }), ({ service, operation }) => [
  service,
  operation,
]);
const operation: fc.Arbitrary<OperationRollup> = fc.record({
  operation: name,
  kind: fc.constantFrom('SERVER' as const, 'CLIENT' as const),
  entry: fc.boolean(),
  ...measures,
  selfNs: whole,
  self: sketch,
  originErrors: whole,
  calls,
});
const service: fc.Arbitrary<ServiceRollup> = fc.record({
  service: fc.constant('shop'),
  operations: unique(operation, (one) => [one.operation, one.kind, one.entry]),
  exceptions,
  versions: unique(fc.record({ version: name, spans: whole, ...observedTimes }), ({ version }) => version),
  instances: unique(
    fc.record({ instance: name, spans: whole, requests: whole, errors: whole, durationNs: whole, ...observedTimes }),
    ({ instance }) => instance,
  ),
});
const totals: fc.Arbitrary<ServiceTotals> = fc.record({ service: name, ...measures, kinds: five, entryKinds: five });
const edge: fc.Arbitrary<EdgeRollup> = fc.record({
  source: name,
  target: name,
  virtual: fc.boolean(),
  count: whole,
  errors: whole,
  durationNs: whole,
  latency: sketch,
  paired: whole,
  wireNs: whole,
  wire: sketch,
});
const grid: fc.Arbitrary<GridRollup> = fc.record({
  services: unique(totals, (one) => one.service),
  edges: unique(edge, ({ source, target, virtual }) => [source, target, virtual]),
});
const log: fc.Arbitrary<LogRollup> = fc.record({
  service: fc.constant('shop'),
  severities: fc.tuple(whole, whole, whole, whole, whole, whole),
  templates: unique(
    fc.record({ template: name, severity: fc.integer({ min: 1, max: 24 }), count: whole }),
    ({ template }) => template,
  ),
  exceptions,
});
/** Of few names, so that they meet. */
const series: fc.Arbitrary<MetricSeriesRollup> = fc.record({
  metric: fc.constantFrom('a', 'a\0'),
  unit: fc.constantFrom('', 'ms'),
  kind: fc.constantFrom('gauge' as const, 'histogram' as const),
  monotonic: fc.constant(false),
  instance: fc.constantFrom('', '\0'),
  attributes: fc.constantFrom([], [['b\0', 'a']], [['b', '\0a']]),
  points: whole,
  sum: whole,
  count: whole,
  min: fc.oneof(whole, fc.constant(NaN)),
  max: fc.oneof(whole, fc.constant(NaN)),
  last: fc.constantFrom(1, 2),
  lastUs: fc.constantFrom(1, 2),
  buckets: fc.array(buckets, { maxLength: 3 }).map((parts) => sumBuckets([parts])),
  quantiles: fc.array(fc.tuple(fc.constantFrom(0.5, 0.9), whole), { maxLength: 1 }),
  exemplars: fc
    .array(
      fc.record({
        timeUs: whole,
        value: fc.constantFrom(1, 2),
        traceId: fc.constantFrom('', 'a'),
        spanId: fc.constantFrom('', 'b'),
      }),
      { maxLength: 5 },
    )
    .map((all) => selectLargestExemplars([all])),
});
/** Of no observations there are no extremes. */
const isWhole = ({ kind, count }: MetricSeriesRollup): boolean => kind === 'gauge' || count > 0;
const metric: fc.Arbitrary<MetricRollup> = fc.record({
  service: fc.constant('shop'),
  series: unique(series.filter(isWhole), (one) => [one.metric, one.kind, one.monotonic, one.instance, one.attributes]),
});

interface Addition<T> {
  readonly name: string;
  readonly rollup: fc.Arbitrary<T>;
  readonly sum: (rollups: readonly T[]) => T;
  readonly bound: (rollup: T) => T;
}

const ADDITIONS = [
  { name: 'services', rollup: service, sum: sumService, bound: boundService },
  { name: 'Grids', rollup: grid, sum: sumGrid, bound: boundGrid },
  { name: 'logs', rollup: log, sum: sumLog, bound: boundLog },
  { name: 'metrics', rollup: metric, sum: sumMetric, bound: boundMetric },
] as unknown as Addition<object>[];

for (const { name: what, rollup, sum, bound } of ADDITIONS)
  describe(`sums of rollups of ${what}`, () => {
    it('do not depend on grouping', () => {
      fc.assert(
        fc.property(rollup, rollup, rollup, (a, b, c) => {
          assert.deepEqual(plain(sum([sum([a, b]), c])), plain(sum([a, sum([b, c])])));
          assert.deepEqual(plain(sum([sum([a, b]), c])), plain(sum([a, b, c])));
        }),
      );
    });

    it('do not depend on order, and change nothing that goes in', () => {
      fc.assert(
        fc.property(rollup, rollup, (a, b) => {
          const before = JSON.stringify(plain([a, b]));
          assert.deepEqual(plain(sum([a, b])), plain(sum([b, a])));
          assert.equal(JSON.stringify(plain([a, b])), before);
        }),
      );
    });

    it('of one are that one, and stay within the bounds as they are', () => {
      fc.assert(
        fc.property(rollup, (one) => {
          assert.deepEqual(plain(sum([one, sum([])])), plain(sum([one])));
          assert.deepEqual(plain(bound(sum([one]))), plain(sum([one])));
        }),
      );
    });
  });

describe('sum of rollups', () => {
  const none: Measures = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0, latency: new Sketch() };
  const buy = (count: number, latency: number[]): ServiceRollup => ({
    service: 'shop',
    operations: [
      {
        ...none,
        operation: 'buy',
        kind: 'SERVER',
        entry: true,
        count,
        durationNs: count * 10,
        latency: sketchOf(latency),
        selfNs: 1,
        self: new Sketch(),
        originErrors: 0,
        calls: [{ service: 'bank', operation: 'pay', count }],
      },
    ],
    exceptions: [{ type: 'E', message: 'm', count, ids: [count, 7] }],
    versions: [{ version: '1', spans: count, firstUs: 100 - count, lastUs: 100 + count }],
    instances: [],
  });

  it('adds what has the same name', () => {
    const { operations, exceptions, versions } = sumService([buy(2, [100, 200]), buy(3, [300])]);
    assert.equal(operations.length, 1);
    assert.deepEqual(
      [operations[0].count, operations[0].durationNs, operations[0].latency.count, operations[0].calls[0].count],
      [5, 50, 3, 5],
    );
    assert.deepEqual(exceptions, [{ type: 'E', message: 'm', count: 5, ids: [2, 3, 7] }]);
    assert.deepEqual(versions, [{ version: '1', spans: 5, firstUs: 97, lastUs: 103 }]);
  });

  it('stores the smallest identities', () => {
    const ids = (from: number) => Array.from({ length: ROLLUP_BOUNDS.exceptionIds }, (_, i) => from + i * 2);
    const reported = (from: number): LogRollup => ({
      service: 's',
      severities: [0, 0, 0, 0, 0, 0],
      templates: [],
      exceptions: [{ type: 'E', message: '', count: 1024, ids: ids(from) }],
    });
    const [{ count, ids: kept }] = sumLog([reported(1), reported(0)]).exceptions;
    assert.equal(count, 2048);
    assert.deepEqual(
      kept,
      Array.from({ length: ROLLUP_BOUNDS.exceptionIds }, (_, i) => i),
    );
  });

  it('contains the value of the newest point, and the extremes of the measurements', () => {
    const point = (last: number, lastUs: number, min: number): MetricRollup => ({
      service: 's',
      series: [
        {
          metric: 'm',
          unit: 'By',
          kind: 'gauge',
          monotonic: false,
          instance: 'i',
          attributes: [['a', 'b']],
          points: 1,
          sum: last,
          count: 1,
          min,
          max: last,
          last,
          lastUs,
          buckets: [],
          quantiles: [],
          exemplars: [],
        },
      ],
    });
    const [sum] = sumMetric([point(5, 2, NaN), point(9, 1, 9), point(7, 1, 7)]).series;
    assert.deepEqual(sum, {
      metric: 'm',
      unit: 'By',
      kind: 'gauge',
      monotonic: false,
      instance: 'i',
      attributes: [['a', 'b']],
      points: 3,
      sum: 21,
      count: 3,
      min: 7,
      max: 9,
      last: 5,
      lastUs: 2,
      buckets: [],
      quantiles: [],
      exemplars: [],
    });
  });

  it('contains extremes of observations if known for all of them', () => {
    const part = (count: number, min: number, max: number): MetricRollup => ({
      service: 's',
      series: [
        {
          metric: 'm',
          unit: '',
          kind: 'histogram',
          monotonic: false,
          instance: '',
          attributes: [],
          points: 1,
          sum: 0,
          count,
          min,
          max,
          last: 0,
          lastUs: 1,
          buckets: [],
          quantiles: [],
          exemplars: [],
        },
      ],
    });
    const extremesOf = (...parts: readonly MetricRollup[]) => sumMetric(parts).series.map(({ min, max }) => [min, max]);
    assert.deepEqual(extremesOf(part(2, 1, 5), part(1, 3, 9), part(0, NaN, NaN)), [[1, 9]]);
    assert.deepEqual(extremesOf(part(2, 1, 5), part(1, NaN, 9)), [[NaN, 9]]);
    assert.deepEqual(extremesOf(part(0, NaN, NaN), part(0, NaN, NaN)), [[NaN, NaN]]);
  });
});

describe('bounds of rollups', () => {
  it('keep the names with the highest counts, and all counts', () => {
    const templates = Array.from({ length: ROLLUP_BOUNDS.templates + 10 }, (_, i) => ({
      template: `t${i}`,
      severity: 9,
      count: i + 1,
    }));
    const bounded = boundLog({ service: 's', severities: [0, 0, 0, 0, 0, 0], templates, exceptions: [] });
    assert.equal(bounded.templates.length, ROLLUP_BOUNDS.templates + 1);
    assert.deepEqual(
      bounded.templates.find(({ template }) => template === OTHER_NAME),
      { template: OTHER_NAME, severity: 9, count: 55 },
    );
    assert.ok(bounded.templates.some(({ template }) => template === 't10'));
  });

  it('leave nothing but the points of series past them', () => {
    const one = (i: number): MetricSeriesRollup => ({
      metric: `m${i}`,
      unit: '',
      kind: 'histogram',
      monotonic: false,
      instance: 'i',
      attributes: [],
      points: i,
      sum: 1,
      count: 1,
      min: 1,
      max: 1,
      last: 1,
      lastUs: 1,
      buckets: [{ kind: 'explicit', bounds: [1], counts: [1, 0] }],
      quantiles: [[0.5, 1]],
      exemplars: [{ timeUs: 1, value: 1, traceId: '', spanId: '' }],
    });
    const { series } = boundMetric({
      service: 's',
      series: Array.from({ length: ROLLUP_BOUNDS.series + 3 }, (_, i) => one(i + 1)),
    });
    const { points, buckets: left, quantiles, exemplars } = series.find(({ metric }) => metric === OTHER_NAME)!;
    assert.deepEqual(
      { points, left, quantiles, exemplars },
      { points: 1 + 2 + 3, left: [], quantiles: [], exemplars: [] },
    );
  });

  it('hold for operations and what they call', () => {
    const called = (prefix: string) =>
      Array.from({ length: 40 }, (_, i) => ({ service: prefix, operation: `o${i}`, count: 1 }));
    const none = {
      errors: 0,
      durationNs: 0,
      satisfied: 0,
      tolerating: 0,
      latency: new Sketch(),
      selfNs: 0,
      self: new Sketch(),
      originErrors: 0,
    };
    const operations = Array.from({ length: ROLLUP_BOUNDS.operations + 2 }, (_, i) => ({
      operation: `o${i}`,
      kind: 'SERVER' as const,
      entry: true,
      count: 5_000 - i,
      ...none,
      calls: called(`s${i}`),
    }));
    const bounded = boundService({ service: 's', operations, exceptions: [], versions: [], instances: [] });
    const rest = bounded.operations.find(({ operation: each }) => each === OTHER_NAME);
    assert.equal(bounded.operations.length, ROLLUP_BOUNDS.operations + 1);
    assert.equal(rest?.count, 3_000 + 2_999);
    assert.equal(rest?.calls.length, ROLLUP_BOUNDS.calls + 1);
    assert.equal(
      rest?.calls.reduce((sum, { count }) => sum + count, 0),
      80,
    );
  });
});

function sketchOf(values: readonly number[]): Sketch {
  const made = new Sketch();
  for (const value of values) made.add(value);
  return made;
}

/** Sketches by what they count. */
function plain(rollup: object): unknown {
  return JSON.parse(
    JSON.stringify(rollup, (_key, member: unknown) =>
      member instanceof Sketch ? [...member.entries()] : Number.isNaN(member) ? 'NaN' : member,
    ),
  );
}
