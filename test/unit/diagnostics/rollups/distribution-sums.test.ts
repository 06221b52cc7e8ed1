import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareLayouts,
  subtractBuckets,
  isEmptyHistogram,
  normalizeBuckets,
  sumBuckets,
  addBuckets,
} from '../../../../src/diagnostics/rollups/distribution-sums.js';
import { ROLLUP_BOUNDS } from '../../../../src/diagnostics/rollups/rollup-types.js';
import type {
  BucketCounts,
  HistogramBuckets,
  ExplicitBuckets,
  ExponentialBuckets,
} from '../../../../src/telemetry/metric-distributions.js';
import { buckets, explicit, exponential } from '../support/arbitrary-buckets.js';
import { exponentialOf, explicitOf } from '../support/naive-histogram.js';

const lists = fc.array(fc.array(buckets, { maxLength: 3 }), { maxLength: 5 });
/** At scale 3 they lie in less than 320 buckets. */
const measured = fc.oneof(fc.double({ min: 1e-2, max: 1e3, noNaN: true }), fc.constantFrom(1, 2, 4, 0.5, 0));
const values = fc.array(
  fc.oneof(
    measured,
    measured.map((value) => 0 - value),
  ),
  { maxLength: 20 },
);

const run = (offset: number, ...counts: number[]): BucketCounts => ({ offset, counts });
const EMPTY = run(0);
const histogram = (scale: number, positive = EMPTY, more: Partial<ExponentialBuckets> = {}): ExponentialBuckets => ({
  kind: 'exponential',
  scale,
  zeroThreshold: 0,
  zeroCount: 0,
  positive,
  negative: EMPTY,
  ...more,
});
const wide = (scale: number, first: number, last: number) =>
  histogram(scale, run(first, 1, ...new Array<number>(last - first - 1).fill(0), 1));

describe('sums of histograms', () => {
  it('do not depend on order and grouping', () => {
    fc.assert(
      fc.property(lists, lists, fc.nat(), (a, b, turn) => {
        const sum = sumBuckets([...a, ...b]);
        assert.deepEqual(sumBuckets([sumBuckets(a), sumBuckets(b)]), sum);
        const turned = [...b, ...a].map((list) => [...list].reverse());
        const cut = turn % (turned.length + 1);
        assert.deepEqual(sumBuckets([...turned.slice(cut), ...turned.slice(0, cut)]), sum);
      }),
    );
  });

  it('are the histogram of all values, of exponential ones at the smallest scale', () => {
    const scale = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(values, scale), { minLength: 1, maxLength: 4 }), (parts) => {
        const reported = parts.filter(([own]) => own.length > 0);
        const all = reported.flatMap(([own]) => own);
        const smallest = Math.min(...reported.map(([, own]) => own));
        assert.deepEqual(
          sumBuckets([reported.map(([own, at]) => exponentialOf(own, at))]),
          all.length === 0 ? [] : [exponentialOf(all, smallest)],
        );
        const bounds = [-1, 0, 1, 1_000];
        assert.deepEqual(
          sumBuckets(reported.map(([own]) => [explicitOf(own, bounds)])),
          all.length === 0 ? [] : [explicitOf(all, bounds)],
        );
      }),
    );
  });

  it('grow one by one to the same', () => {
    fc.assert(
      fc.property(fc.array(buckets, { maxLength: 6 }), (parts) =>
        assert.deepEqual(parts.reduce(addBuckets, []), sumBuckets([parts])),
      ),
    );
    fc.assert(
      fc.property(fc.array(explicit, { maxLength: 6 }), (parts) => {
        const alike = parts.filter(({ bounds }) => bounds === parts[0].bounds);
        assert.deepEqual(alike.reduce(addBuckets, []), sumBuckets([alike]));
      }),
    );
  });

  it('count everything once, and change nothing that goes in', () => {
    fc.assert(
      fc.property(fc.array(exponential, { maxLength: 5 }), fc.array(explicit, { maxLength: 3 }), (some, others) => {
        const before = JSON.stringify([some, others]);
        const sum = sumBuckets([some, others]);
        assert.equal(total(sum), total([...some, ...others]));
        assert.equal(JSON.stringify([some, others]), before);
      }),
    );
  });

  it('keep the same complete layouts in any order: exponential ones, and those with most bounds', () => {
    const layout = (bounds: number): ExplicitBuckets => ({
      kind: 'explicit',
      bounds: Array.from({ length: bounds }, (_, i) => i),
      counts: [...new Array<number>(bounds).fill(0), 1],
    });
    const parts = [1, 2, 3, 4, 5, 6, 3, 5].map(layout);
    for (const order of [parts, [...parts].reverse()]) {
      const grouped = order.reduce((sum: readonly HistogramBuckets[], one) => sumBuckets([sum, [one]]), []);
      assert.deepEqual(grouped, sumBuckets([order]));
      assert.deepEqual(
        sumBuckets([order]).map((one) => [(one as ExplicitBuckets).bounds.length, total([one])]),
        [
          [6, 1],
          [5, 2],
          [4, 1],
          [3, 2],
        ],
      );
      assert.equal(sumBuckets([order, [histogram(0, run(3, 1))]])[0].kind, 'exponential');
    }
  });

  it('lose resolution instead of having more buckets than a rollup may', () => {
    const [sum] = sumBuckets([[wide(5, 0, 199)], [wide(5, 200, 399)]]) as [ExponentialBuckets];
    assert.equal(sum.scale, 4);
    assert.deepEqual([sum.positive.offset, sum.positive.counts.length, total([sum])], [0, 200, 4]);
    const both = histogram(5, wide(5, 0, 199).positive, { negative: wide(5, 0, 199).positive });
    assert.equal((normalizeBuckets(both) as ExponentialBuckets).scale, 4, 'both signs count');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: 1, max: 300 })), {
          minLength: 2,
          maxLength: 5,
        }),
        (places) => {
          const parts = places.map(([first, length]) => [wide(0, first, first + length)]);
          const sum = sumBuckets(parts);
          assert.deepEqual(
            parts.reduce((sums: readonly HistogramBuckets[], part) => sumBuckets([sums, part]), []),
            sum,
          );
          assert.ok((sum as [ExponentialBuckets])[0].positive.counts.length <= ROLLUP_BOUNDS.buckets);
          assert.equal(total(sum), places.length * 2);
        },
      ),
    );
  });

  it('widen a zero threshold to the end of its bucket: what lies below is as good as zero', () => {
    // At scale 0 the buckets from index 0 on end at 2, 4, 8 and 16; 3 lies in the second.
    const [sum] = sumBuckets([
      [histogram(0, run(0, 5, 6, 7, 8))],
      [histogram(0, run(3, 1), { zeroThreshold: 3, zeroCount: 2 })],
    ]);
    assert.deepEqual(sum, histogram(0, run(2, 7, 9), { zeroThreshold: 4, zeroCount: 2 + 5 + 6 }));
    const [below] = sumBuckets([
      [histogram(0, EMPTY, { negative: run(-1, 4, 1) })],
      [histogram(1, EMPTY, { zeroThreshold: 1, zeroCount: 1 })],
    ]);
    assert.deepEqual(below, histogram(0, EMPTY, { zeroThreshold: 1, zeroCount: 5, negative: run(0, 1) }));
  });
});

describe('the difference of histograms', () => {
  it('is what came on top', () => {
    fc.assert(
      fc.property(buckets, buckets, (older, more) => {
        const sum = sumBuckets([[older], [more]]);
        fc.pre(compareLayouts(older, more) === 0 && sum.length === 1);
        const difference = subtractBuckets(sum[0], older);
        assert.ok(difference !== undefined);
        assert.equal(total([difference]), total(sum) - total([older]));
        assert.deepEqual(sumBuckets([[older], [difference]]), sum);
      }),
    );
  });

  it('is taken at the coarser of both scales, by the larger of both thresholds', () => {
    assert.deepEqual(
      subtractBuckets(histogram(0, run(0, 5, 9)), histogram(1, run(0, 1, 1, 3, 4))),
      histogram(0, run(0, 3, 2)),
    );
    assert.deepEqual(
      subtractBuckets(histogram(1, run(0, 1, 1, 3, 4)), histogram(0, run(1, 5))),
      histogram(0, run(0, 2, 2)),
    );
    const covered = histogram(0, run(2, 4), { zeroThreshold: 4, zeroCount: 7 });
    assert.deepEqual(
      subtractBuckets(covered, histogram(0, run(1, 5, 1))),
      histogram(0, run(2, 3), { zeroThreshold: 4, zeroCount: 2 }),
    );
  });

  it('to nothing is all there is', () => {
    fc.assert(fc.property(exponential, (one) => assert.deepEqual(subtractBuckets(one, histogram(-10)), one)));
    assert.ok(isEmptyHistogram(subtractBuckets(histogram(3, run(9, 2)), histogram(3, run(9, 2)))!));
  });

  it('is taken at the bounds that both have', () => {
    const all: ExplicitBuckets = { kind: 'explicit', bounds: [1, 2, 5, 9], counts: [3, 4, 5, 6, 7] };
    const some: ExplicitBuckets = { kind: 'explicit', bounds: [2, 7, 9], counts: [1, 1, 1, 1] };
    const common = { kind: 'explicit', bounds: [2, 9] };
    assert.deepEqual(subtractBuckets(all, some), { ...common, counts: [6, 9, 6] });
    assert.equal(subtractBuckets(some, all), undefined, 'a count fell');
    assert.deepEqual(subtractBuckets(all, { ...some, counts: [0, 0, 0, 0] }), { ...common, counts: [7, 11, 7] });
  });

  it('is none where a count fell, all bounds are others or the kind is', () => {
    const one: ExplicitBuckets = { kind: 'explicit', bounds: [1, 2], counts: [3, 4, 5] };
    assert.equal(subtractBuckets(one, { ...one, counts: [0, 5, 0] }), undefined);
    assert.equal(subtractBuckets(one, { ...one, bounds: [3, 4] }), undefined);
    assert.equal(subtractBuckets(one, { ...one, bounds: [3], counts: [0, 0] }), undefined);
    assert.equal(subtractBuckets(one, histogram(0, run(0, 1))), undefined);
    assert.equal(subtractBuckets(histogram(0, run(0, 1)), one), undefined);
    for (const older of [
      histogram(0, run(0, 4)),
      histogram(0, run(5, 1)),
      histogram(0, EMPTY, { zeroCount: 1 }),
      histogram(0, EMPTY, { negative: run(0, 1) }),
    ]) {
      assert.equal(subtractBuckets(histogram(0, run(0, 3)), older), undefined);
    }
  });
});

describe('histograms as stored in rollups', () => {
  it('are as received', () => {
    fc.assert(fc.property(buckets, (one) => assert.deepEqual(normalizeBuckets(one), one)));
  });

  it('have no empty buckets at the ends of exponential runs', () => {
    assert.deepEqual(
      normalizeBuckets(histogram(0, run(-3, 0, 0, 1, 0, 2, 0), { negative: run(7, 0, 0) })),
      histogram(0, run(-1, 1, 0, 2)),
    );
  });

  it('may be empty: increments over them are known', () => {
    for (const one of [histogram(3), { kind: 'explicit', bounds: [1], counts: [0, 0] } as const])
      assert.deepEqual(normalizeBuckets(one), one);
  });

  it('are limited in size: exponential ones become coarser', () => {
    const bounds = Array.from({ length: ROLLUP_BOUNDS.buckets }, (_, i) => i);
    assert.equal(normalizeBuckets({ kind: 'explicit', bounds, counts: [...bounds, 1] }), undefined);
    assert.ok(normalizeBuckets({ kind: 'explicit', bounds: bounds.slice(1), counts: bounds }));
    assert.equal((normalizeBuckets(wide(10, 0, 4_000)) as ExponentialBuckets).scale, 6);
    assert.equal(
      (normalizeBuckets(histogram(31, run(-1, 5, 5))) as ExponentialBuckets).scale,
      20,
      'no index is exact above',
    );
  });

  it('are none where they cannot be', () => {
    const one: ExplicitBuckets = { kind: 'explicit', bounds: [1, 2], counts: [3, 4, 5] };
    const explicits: Partial<ExplicitBuckets>[] = [
      { bounds: [2, 1] },
      { bounds: [1, 1] },
      { bounds: [1, NaN] },
      { bounds: [-Infinity, 1] },
      { bounds: [1, Infinity] },
      { bounds: [1] },
      { bounds: [], counts: [1] },
      { counts: [1, -1, 1] },
      { counts: [1, 0.5, 1] },
    ];
    for (const fault of explicits)
      assert.equal(normalizeBuckets({ ...one, ...fault }), undefined, JSON.stringify(fault));
    const exponentials: Partial<ExponentialBuckets>[] = [
      { scale: -11 },
      { scale: NaN },
      { zeroThreshold: -1 },
      { zeroThreshold: NaN },
      { zeroThreshold: Infinity },
      { zeroCount: -1 },
      { positive: run(0, -1) },
      { positive: run(1_024, 1) },
      { negative: run(-1_077, 1) },
      { positive: run(2 ** 31 - 2, 1, 1) },
    ];
    for (const fault of exponentials)
      assert.equal(normalizeBuckets({ ...histogram(0, run(0, 1)), ...fault }), undefined, JSON.stringify(fault));
    assert.ok(normalizeBuckets(histogram(-10, run(-2, 1, 1, 1))), 'all doubles there are');
  });
});

function total(all: readonly HistogramBuckets[]): number {
  const sum = (counts: readonly number[]) => counts.reduce((left, count) => left + count, 0);
  return sum(
    all.map((one) =>
      one.kind === 'explicit' ? sum(one.counts) : one.zeroCount + sum(one.positive.counts) + sum(one.negative.counts),
    ),
  );
}
