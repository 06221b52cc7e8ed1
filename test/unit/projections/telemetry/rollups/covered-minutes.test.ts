import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalizeBuckets } from '../../../../../src/diagnostics/rollups/distribution-sums.js';
import { createMetricSource } from '../../../../../src/projections/telemetry/rollups/metric-point.js';
import { divideAmongMinutes } from '../../../../../src/projections/telemetry/rollups/covered-minutes.js';

const MINUTE_US = 60_000_000;
const NO_LIMIT = { admit: () => true };
const divide = (
  point: { readonly kind: 'sum' | 'histogram'; readonly timeUs: number },
  fromUs: number,
  contribution: Parameters<typeof divideAmongMinutes>[2],
  limit = NO_LIMIT,
) =>
  divideAmongMinutes(
    { ...point, source: createMetricSource('shop', '', ''), attributes: '[]', exemplars: [] },
    fromUs,
    contribution,
    limit,
  );
const counter = (sum: number) => ({ sum, count: 1, min: sum, max: sum, buckets: undefined });

describe('minutes that a data point covers', () => {
  it('are that of its start, for up to a minute and a half', () => {
    for (const [from, to] of [
      [0, 60],
      [59, 119],
      [59.9, 60.1],
      [59.9, 145],
    ])
      assert.deepEqual(
        divide({ kind: 'sum', timeUs: to * 1e6 }, from * 1e6, counter(7)).map(({ minute, contribution: { sum } }) => [
          minute,
          sum,
        ]),
        [[0, 7]],
        `${from} to ${to}`,
      );
  });

  it('are as many as it is long, and that of its time beyond an hour', () => {
    const minutesOf = (minutes: number): number[] =>
      divide({ kind: 'sum', timeUs: (1000 + minutes) * MINUTE_US }, 1000 * MINUTE_US, counter(600)).map(
        ({ minute }) => minute,
      );
    assert.deepEqual(minutesOf(5), [1000, 1001, 1002, 1003, 1004]);
    assert.equal(minutesOf(60).length, 60);
    assert.deepEqual(minutesOf(61), [1061]);
  });

  it('are that of its time where the limit does not admit it, which is not asked for single minutes', () => {
    const minutesOf = (minutes: number): number[] =>
      divide({ kind: 'sum', timeUs: (1000 + minutes) * MINUTE_US }, 1000 * MINUTE_US, counter(600), {
        admit: () => false,
      }).map(({ minute }) => minute);
    assert.deepEqual(minutesOf(1), [1000]);
    assert.deepEqual(minutesOf(5), [1005]);
  });

  it('are none where nothing was added', () => {
    assert.deepEqual(divide({ kind: 'sum', timeUs: MINUTE_US }, 0, counter(0)), []);
    const empty = { sum: 0, count: 0, min: NaN, max: NaN, buckets: undefined };
    assert.deepEqual(divide({ kind: 'histogram', timeUs: MINUTE_US }, 0, empty), []);
  });

  it('share whole observations that add up to those of the point, nearly the same number each', () => {
    const count = fc.integer({ min: 0, max: 40 });
    const counts = fc.array(count, { minLength: 1, maxLength: 6 });
    const explicit = counts.map((all) => ({
      kind: 'explicit' as const,
      bounds: all.slice(1).map((_, i) => i + 1),
      counts: all,
    }));
    const exponential = fc
      .record({ positive: counts, negative: counts, zeroCount: count })
      .map(({ positive, negative, zeroCount }) => ({
        kind: 'exponential' as const,
        scale: 0,
        zeroThreshold: 0,
        zeroCount,
        positive: { offset: 0, counts: positive },
        negative: { offset: 0, counts: negative },
      }));
    fc.assert(
      fc.property(fc.oneof(explicit, exponential), fc.integer({ min: 1, max: 60 }), (given, minutes) => {
        const buckets = normalizeBuckets(given);
        const flat = buckets === undefined ? [] : countsOf(buckets);
        const total = flat.reduce((sum, each) => sum + each, 0);
        const parts = divide({ kind: 'histogram', timeUs: minutes * MINUTE_US }, 0, {
          sum: total * 3,
          count: total,
          min: NaN,
          max: NaN,
          buckets,
        });
        const shares = parts.map(({ contribution }) => contribution.count);
        assert.equal(
          shares.reduce((sum, each) => sum + each, 0),
          total,
        );
        assert.ok(shares.length === 0 || Math.max(...shares) - Math.min(...shares) <= 1);
        for (const { contribution } of parts) {
          const own =
            contribution.buckets === undefined
              ? contribution.count
              : countsOf(contribution.buckets).reduce((sum, each) => sum + each, 0);
          assert.equal(own, contribution.count);
          assert.ok(Math.abs(contribution.sum - 3 * contribution.count) < 1e-6);
        }
      }),
    );
  });
});

function countsOf(buckets: NonNullable<ReturnType<typeof normalizeBuckets>>): readonly number[] {
  return buckets.kind === 'explicit'
    ? buckets.counts
    : [...buckets.negative.counts, buckets.zeroCount, ...buckets.positive.counts];
}
