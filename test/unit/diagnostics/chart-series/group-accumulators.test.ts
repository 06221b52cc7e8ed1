import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AGGREGATIONS } from '../../../../src/diagnostics/chart-model.js';
import { createAccumulatorFactory } from '../../../../src/diagnostics/chart-series/metric-aggregations.js';
import type { GroupAccumulator } from '../../../../src/diagnostics/chart-series/group-accumulators.js';
import type { ServiceSeries } from '../../../../src/diagnostics/chart-series/series-accumulator.js';
import { StepClock } from '../../../../src/diagnostics/chart-series/chart-window.js';
import { METRIC_KINDS } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { frameOf } from './given-charts.js';
import { minutesOf, point } from './given-points.js';

const CLOCK = new StepClock(frameOf(30));

type Addition = readonly [step: number, of: ServiceSeries];

/** A rollup of any kind in one of the steps; values are eighths, which add up exactly. */
const ADDITION: fc.Arbitrary<Addition> = fc
  .record({
    step: fc.nat(CLOCK.count - 1),
    kind: fc.constantFrom(...METRIC_KINDS),
    monotonic: fc.boolean(),
    instance: fc.constantFrom('i1', 'i2', 'i3'),
    second: fc.nat(59),
    tellsExtremes: fc.boolean(),
    tellsSum: fc.boolean(),
    values: fc.array(
      fc.integer({ min: 1, max: 80 }).map((eighths) => eighths / 8),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ step, kind, monotonic, values, ...rest }) => {
    const [{ value }] = minutesOf([
      point({
        ...rest,
        kind,
        monotonic: kind === 'sum' && monotonic,
        values,
        minute: step - CLOCK.count,
        quantiles: [
          [0.5, values[0]],
          [0.95, 8],
          [0.99, 9],
        ],
      }),
    ]);
    return [step, { service: value.service, series: value.series[0] }];
  });
const ADDITIONS = fc.array(ADDITION, { maxLength: 40 });

function filled(row: GroupAccumulator<ServiceSeries>, additions: readonly Addition[]): GroupAccumulator<ServiceSeries> {
  for (const [step, of] of additions) row.add(step, of);
  return row;
}

function reportedBy(row: GroupAccumulator<ServiceSeries>): unknown {
  return [row.weight, row.total(), ...row.lines().map((line) => [...line])].map((value) =>
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'number' ? each.toPrecision(12) : each)),
  );
}

describe('a row of a group', () => {
  for (const aggregation of ['' as const, ...AGGREGATIONS]) {
    const newRow = createAccumulatorFactory(aggregation, CLOCK, () => false);

    it(`of ${aggregation || 'the default aggregation'} gives the same result for two merged groups as for all of their points`, () => {
      fc.assert(
        fc.property(ADDITIONS, ADDITIONS, (own, others) => {
          const merged = filled(newRow(), own);
          const other = filled(newRow(), others);
          const before = reportedBy(other);
          merged.merge(other);
          assert.deepEqual(reportedBy(merged), reportedBy(filled(newRow(), [...own, ...others])));
          assert.deepEqual(reportedBy(other), before, 'and leaves the other as it was');
        }),
      );
    });

    it(`of ${aggregation || 'the default aggregation'} is NaN without points`, () => {
      const row = newRow();
      assert.deepEqual(
        [
          row.weight,
          row.total(),
          row
            .lines()
            .flatMap((line) => [...line])
            .filter((value) => !Number.isNaN(value)),
        ],
        [0, NaN, []],
      );
    });

    it(`of ${aggregation || 'the default aggregation'} reports its memory, which does not grow with additions alone`, () => {
      const [{ value }] = minutesOf([point({ kind: 'histogram', values: [1, 2, 3], quantiles: [[0.5, 1]] })]);
      const of = { service: value.service, series: value.series[0] };
      const bytes = [200, 2000].map(
        (times) =>
          filled(
            newRow(),
            Array.from({ length: times }, (_, i) => [i % 5, of] as const),
          ).bytes,
      );
      assert.ok(bytes[0] > 0 && bytes[1] <= bytes[0] + 5 * 16 * 200, `${bytes[1]} after ${bytes[0]}`);
    });
  }
});
