import fc from 'fast-check';
import {
  isDistributionKind,
  METRIC_KINDS,
  type ExceptionRollup,
  type GridRollup,
  type LogRollup,
  type Measures,
  type MetricRollup,
  type MetricSeriesRollup,
  type OperationRollup,
  type ServiceRollup,
} from '../../../../../src/diagnostics/rollups/rollup-types.js';
import { compareExemplars, sumBuckets } from '../../../../../src/diagnostics/rollups/distribution-sums.js';
import { limitsBeyond } from '../../../../../src/diagnostics/rollups/observed-range.js';
import { Sketch } from '../../../../../src/diagnostics/rollups/sketch.js';
import type { Exemplar, QuantileValue } from '../../../../../src/telemetry/metric-distributions.js';
import { buckets } from '../../../diagnostics/support/arbitrary-buckets.js';
import type { SpanKind } from '../../../../../src/telemetry/span-kind.js';

const name = fc.string({ unit: 'grapheme', maxLength: 12 });
const count = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
const timeUs = fc.integer({ min: 0, max: 2 ** 51 });
const value = fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => double + 0);

const sketch = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4095 }), fc.integer({ min: 1, max: 0xffff_ffff })), {
    selector: ([bucket]) => bucket,
    maxLength: 20,
  })
  .map((entries) => Sketch.fromEntries(entries));

const measures: { [K in keyof Measures]: fc.Arbitrary<Measures[K]> } = {
  count,
  errors: count,
  durationNs: count,
  satisfied: count,
  tolerating: count,
  latency: sketch,
};

const exception: fc.Arbitrary<ExceptionRollup> = fc.record({
  type: name,
  message: name,
  count,
  ids: fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 48 - 1 })).map((ids) => ids.sort((a, b) => a - b)),
});
const exceptions = fc.uniqueArray(exception, {
  selector: ({ type, message }) => JSON.stringify([type, message]),
  maxLength: 4,
});

const operation: fc.Arbitrary<OperationRollup> = fc.record({
  ...measures,
  operation: name,
  kind: fc.constantFrom<SpanKind>('INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'),
  entry: fc.boolean(),
  selfNs: count,
  self: sketch,
  originErrors: count,
  calls: fc.uniqueArray(fc.record({ service: name, operation: name, count }), {
    selector: ({ service, operation }) => JSON.stringify([service, operation]),
    maxLength: 3,
  }),
});

export const serviceRollup: fc.Arbitrary<ServiceRollup> = fc.record({
  service: name,
  operations: fc.uniqueArray(operation, {
    selector: ({ operation, kind, entry }) => JSON.stringify([operation, kind, entry]),
    maxLength: 6,
  }),
  exceptions,
  versions: fc.uniqueArray(fc.record({ version: name, spans: count, firstUs: timeUs, lastUs: timeUs }), {
    selector: ({ version }) => version,
    maxLength: 3,
  }),
  instances: fc.uniqueArray(
    fc.record({
      instance: name,
      spans: count,
      requests: count,
      errors: count,
      durationNs: count,
      firstUs: timeUs,
      lastUs: timeUs,
    }),
    {
      selector: ({ instance }) => instance,
      maxLength: 3,
    },
  ),
});

const kinds = fc.tuple(count, count, count, count, count);
const edge = fc.record({
  source: name,
  target: name,
  virtual: fc.boolean(),
  count,
  errors: count,
  durationNs: count,
  latency: sketch,
  paired: count,
  wireNs: count,
  wire: sketch,
});

export const gridRollup: fc.Arbitrary<GridRollup> = fc.record({
  services: fc.uniqueArray(fc.record({ ...measures, service: name, kinds, entryKinds: kinds }), {
    selector: ({ service }) => service,
    maxLength: 4,
  }),
  edges: fc.uniqueArray(edge, {
    selector: ({ source, target, virtual }) => JSON.stringify([source, target, virtual]),
    maxLength: 4,
  }),
});

export const logRollup: fc.Arbitrary<LogRollup> = fc.record({
  service: name,
  severities: fc.tuple(count, count, count, count, count, count),
  templates: fc.uniqueArray(fc.record({ template: name, severity: fc.integer({ min: -1, max: 24 }), count }), {
    selector: ({ template }) => template,
    maxLength: 5,
  }),
  exceptions,
});

const attributes = fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 3 });
const hex = (bytes: number): fc.Arbitrary<string> => fc.constantFrom('', '0a'.repeat(bytes), 'f0'.repeat(bytes));
const exemplar: fc.Arbitrary<Exemplar> = fc.record({ timeUs, value, traceId: hex(16), spanId: hex(8) });
const exemplars = fc
  .uniqueArray(exemplar, { comparator: (a, b) => compareExemplars(a, b) === 0, maxLength: 4 })
  .map((all) => all.sort(compareExemplars));
const quantiles = fc
  .uniqueArray(
    fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }).map((quantile) => quantile + 0),
      value,
    ),
    { selector: ([quantile]) => quantile, maxLength: 4 },
  )
  .map((all): QuantileValue[] => all.sort((a, b) => a[0] - b[0]));
const seldom = <T>(list: fc.Arbitrary<readonly T[]>): fc.Arbitrary<readonly T[]> => fc.oneof(fc.constant([]), list);
const extreme = fc.oneof(value, fc.integer({ min: -1_000, max: 2 ** 50 }), fc.constant(NaN));

const withoutLimits: fc.Arbitrary<MetricSeriesRollup> = fc.record({
  metric: name,
  unit: name,
  kind: fc.constantFrom(...METRIC_KINDS),
  monotonic: fc.boolean(),
  instance: name,
  attributes,
  points: count,
  sum: extreme,
  count,
  min: extreme,
  max: extreme,
  last: extreme,
  buckets: seldom(fc.array(buckets, { maxLength: 3 }).map((parts) => sumBuckets([parts]))),
  quantiles: seldom(quantiles),
  exemplars: seldom(exemplars),
  lastUs: timeUs,
});

/** Limits stand where an extreme is unknown. */
const series: fc.Arbitrary<MetricSeriesRollup> = fc
  .tuple(withoutLimits, extreme, extreme)
  .map(([one, min, max]) => (isDistributionKind(one.kind) ? { ...one, ...limitsBeyond(one, { min, max }) } : one));

export const metricRollup: fc.Arbitrary<MetricRollup> = fc.record({
  service: name,
  series: fc.uniqueArray(series, {
    selector: (one) =>
      JSON.stringify([one.metric, one.instance, sortedByKey(one.attributes), one.unit, one.kind, one.monotonic]),
    maxLength: 5,
  }),
});

function sortedByKey(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
}
