import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sumBuckets } from '../../../../src/diagnostics/rollups/distribution-sums.js';
import { estimateQuantile } from '../../../../src/diagnostics/chart-series/histogram-quantile.js';
import type { ObservedRange } from '../../../../src/diagnostics/rollups/observed-range.js';
import type { HistogramBuckets } from '../../../../src/telemetry/metric-distributions.js';
import { explicitOf, exponentialIndex, exponentialOf } from '../support/naive-histogram.js';

const explicit = (bounds: readonly number[], counts: readonly number[]): HistogramBuckets => ({
  kind: 'explicit',
  bounds,
  counts,
});
const exponential = (
  scale: number,
  positive: Record<number, number>,
  more: Partial<Extract<HistogramBuckets, { kind: 'exponential' }>> = {},
): HistogramBuckets => {
  const indexes = Object.keys(positive).map(Number);
  const offset = Math.min(...indexes, 0);
  const counts = Array.from({ length: Math.max(...indexes, -1) - offset + 1 }, (_, i) => positive[offset + i] ?? 0);
  return {
    kind: 'exponential',
    scale,
    zeroThreshold: 0,
    zeroCount: 0,
    positive: { offset, counts },
    negative: { offset: 0, counts: [] },
    ...more,
  };
};
const UNTOLD: ObservedRange = { min: NaN, max: NaN };
const Q = fc.double({ min: 0, max: 1, noNaN: true });
/** Positive and negative, small and large, 0 too. */
const VALUE = fc.oneof(
  fc.constant(0),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.double({ min: -5, max: 5, noNaN: true }),
);
const VALUES = fc.array(VALUE, { minLength: 1, maxLength: 60 });
const LAYOUT = fc
  .uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 12 })
  .map((bounds) => bounds.sort((a, b) => a - b));

/** Nearest rank. */
function exactOf(values: readonly number[], q: number): number {
  return [...values].sort((a, b) => a - b)[Math.max(1, Math.ceil(q * values.length)) - 1];
}

describe('a quantile of explicit buckets', () => {
  it('lies between the edges of its bucket as far as its rank lies in it', () => {
    const buckets = [explicit([10, 20, 40], [2, 6, 2, 0])];
    assert.deepEqual(
      [0.2, 0.5, 0.8, 0.9, 1].map((q) => estimateQuantile(buckets, q, UNTOLD)),
      [10, 15, 20, 30, 40],
    );
  });

  it('never lies beyond limits, which add no edge of their own', () => {
    const buckets = [explicit([10, 20, 40], [2, 6, 2, 4])];
    const range = { ...UNTOLD, limits: { min: 12, max: 25 } };
    assert.deepEqual(
      [0, 0.1, 0.6, 1].map((q) => estimateQuantile(buckets, q, range)),
      [12, 12, 21, 25],
    );
    assert.equal(estimateQuantile(buckets, 1, { ...UNTOLD, limits: { min: NaN, max: 1000 } }), 40);
    assert.equal(estimateQuantile(buckets, 1, { min: NaN, max: 55, limits: { min: 12, max: NaN } }), 55);
  });

  it('is that of histogram_quantile: of [0.1, 0.2, 0.5, 1], [30, 40, 20, 10], p95 is 0.75', () => {
    assert.equal(estimateQuantile([explicit([0.1, 0.2, 0.5, 1], [30, 40, 20, 10, 0])], 0.95, UNTOLD), 0.75);
  });

  it('begins at 0 in the first bucket where its bound is above, else at the bound', () => {
    assert.equal(estimateQuantile([explicit([8, 9], [4, 0, 0])], 0.5, UNTOLD), 4);
    assert.equal(estimateQuantile([explicit([-8, 9], [4, 0, 0])], 0.5, UNTOLD), -8);
    assert.equal(estimateQuantile([explicit([8, 9], [4, 0, 0])], 0.5, { min: 6, max: NaN }), 7);
    assert.equal(estimateQuantile([explicit([8, 9], [4, 0, 0])], 0.5, { min: -4, max: NaN }), 2);
  });

  it('is the lower bound of the open last bucket, or extends to the largest observation if known', () => {
    const buckets = [explicit([1, 2], [0, 0, 4])];
    assert.equal(estimateQuantile(buckets, 0.95, UNTOLD), 2);
    assert.deepEqual(
      [0.5, 1].map((q) => estimateQuantile(buckets, q, { min: NaN, max: 10 })),
      [6, 10],
    );
  });

  it('stays within the known extremes', () => {
    assert.deepEqual(
      [0, 0.5, 1].map((q) => estimateQuantile([explicit([10, 20], [0, 2, 0])], q, { min: 14, max: 16 })),
      [14, 15, 16],
    );
  });

  it('leaves out empty buckets', () => {
    assert.deepEqual(
      [0, 0.5, 0.75, 1].map((q) => estimateQuantile([explicit([1, 2, 3, 4], [0, 2, 0, 2, 0])], q, UNTOLD)),
      [1, 2, 3.5, 4],
    );
  });

  it('is none without observations', () => {
    for (const none of [[], [explicit([1], [0, 0])]]) assert.ok(Number.isNaN(estimateQuantile(none, 0.5, UNTOLD)));
  });

  it('lies in the bucket of the observation of that rank', () => {
    fc.assert(
      fc.property(VALUES, LAYOUT, Q, fc.boolean(), (values, bounds, q, areReported) => {
        const extremes = areReported ? { min: Math.min(...values), max: Math.max(...values) } : UNTOLD;
        const [exact, answer] = [exactOf(values, q), estimateQuantile([explicitOf(values, bounds)], q, extremes)];
        const index = bounds.filter((bound) => bound < exact).length;
        const lower = bounds[index - 1] ?? (areReported ? extremes.min : Math.min(0, bounds[0]));
        const upper = bounds[index] ?? (areReported ? extremes.max : bounds[index - 1]);
        assert.ok(
          answer >= lower && answer <= upper,
          `${answer} is not in the bucket from ${lower} to ${upper} of ${exact}`,
        );
      }),
    );
  });
});

describe('a quantile of exponential buckets', () => {
  it('lies between powers of the base', () => {
    assert.deepEqual(
      [0, 0.25, 0.5, 1].map((q) => estimateQuantile([exponential(0, { 1: 2, 2: 2 })], q, UNTOLD)),
      [2, 3, 4, 8],
    );
    assert.equal(estimateQuantile([exponential(1, { 2: 2 })], 0.5, UNTOLD), (2 + 2 ** 1.5) / 2);
    assert.equal(estimateQuantile([exponential(-1, { 0: 2 })], 0.5, UNTOLD), 2.5);
  });

  it('begins behind the threshold of zeros', () => {
    assert.deepEqual(
      [0, 0.5].map((q) => estimateQuantile([exponential(-1, { 0: 2 }, { zeroThreshold: 2 })], q, UNTOLD)),
      [2, 3],
    );
  });

  it('takes the negative ones first, the largest magnitudes before the others', () => {
    const buckets = [exponential(0, { 0: 2 }, { negative: { offset: 1, counts: [2, 4] } })];
    assert.deepEqual(
      [0, 0.25, 0.5, 0.75, 1].map((q) => estimateQuantile(buckets, q, UNTOLD)),
      [-8, -6, -4, -2, 2],
    );
  });

  it('spreads zeros as far as the threshold, on the sides where there are other values', () => {
    const zeros = { zeroThreshold: 0.5, zeroCount: 4 };
    const negative = { offset: 0, counts: [4] };
    assert.equal(estimateQuantile([exponential(0, { 0: 4 }, zeros)], 0.25, UNTOLD), 0.25);
    assert.equal(estimateQuantile([exponential(0, {}, { ...zeros, negative })], 0.75, UNTOLD), -0.25);
    assert.equal(estimateQuantile([exponential(0, { 0: 4 }, { ...zeros, negative })], 0.5, UNTOLD), 0);
    assert.equal(estimateQuantile([exponential(0, {}, zeros)], 0.25, UNTOLD), -0.25);
    assert.ok(Object.is(estimateQuantile([exponential(0, {}, { zeroCount: 4 })], 0.5, UNTOLD), 0), 'and never is -0');
  });

  it('lies in the bucket of the observation of that rank', () => {
    fc.assert(
      fc.property(
        VALUES,
        fc.integer({ min: -2, max: 5 }),
        fc.constantFrom(0, 0.25, 2),
        Q,
        (values, scale, zeroThreshold, q) => {
          const [exact, answer] = [
            exactOf(values, q),
            estimateQuantile([exponentialOf(values, scale, zeroThreshold)], q, UNTOLD),
          ];
          const index = exponentialIndex(Math.abs(exact), scale);
          const [from, to] =
            Math.abs(exact) <= zeroThreshold
              ? [0, zeroThreshold]
              : [Math.max(zeroThreshold, 2 ** (index / 2 ** scale)), 2 ** ((index + 1) / 2 ** scale)];
          const magnitude = from === 0 ? Math.abs(answer) : exact < 0 ? -answer : answer;
          assert.ok(
            magnitude >= from * (1 - 1e-12) && magnitude <= to * (1 + 1e-12),
            `${answer} is not in the bucket from ${from} to ${to} of ${exact}`,
          );
        },
      ),
    );
  });
});

describe('a quantile of several layouts together', () => {
  const PARTS = fc.array(fc.tuple(VALUES, fc.oneof(LAYOUT, fc.integer({ min: -1, max: 4 }))), {
    minLength: 1,
    maxLength: 5,
  });
  const bucketsOf = (parts: readonly (readonly [number[], number[] | number])[]): HistogramBuckets[] =>
    parts.map(([values, layout]) =>
      typeof layout === 'number' ? exponentialOf(values, layout) : explicitOf(values, layout),
    );

  it('is that of observations which lie on top of each other', () => {
    const buckets = [explicit([0, 10], [0, 10, 0]), explicit([5, 15], [0, 10, 0])];
    assert.deepEqual(
      [0.25, 0.5, 0.75].map((q) => estimateQuantile(buckets, q, UNTOLD)),
      [5, 7.5, 10],
    );
  });

  it('is that of one where it lies on top of itself', () => {
    const layout = fc.oneof(LAYOUT, fc.integer({ min: -1, max: 4 }));
    fc.assert(
      fc.property(VALUES, layout, Q, fc.boolean(), (values, of, q, areReported) => {
        const extremes = areReported ? { min: Math.min(...values), max: Math.max(...values) } : UNTOLD;
        const [buckets] = bucketsOf([[values, of]]);
        const [one, twice] = [[buckets], [buckets, buckets]].map((all) => estimateQuantile(all, q, extremes));
        assert.ok(Math.abs(one - twice) <= 1e-9 * Math.max(1, Math.abs(one)), `${one} is not ${twice}`);
      }),
    );
  });

  it('is no less for a larger share', () => {
    fc.assert(
      fc.property(PARTS, Q, Q, (parts, a, b) => {
        const [less, more] = [a, b].sort((x, y) => x - y).map((q) => estimateQuantile(bucketsOf(parts), q, UNTOLD));
        assert.ok(less <= more + 1e-9 * Math.abs(more), `${less} > ${more}`);
      }),
    );
  });

  it('lies between the quantile of all lower edges and that of all upper ones', () => {
    fc.assert(
      fc.property(PARTS, Q, (parts, q) => {
        const all = bucketsOf(parts).flatMap(edgesOf);
        const answer = estimateQuantile(bucketsOf(parts), q, UNTOLD);
        const [lowest, highest] = [
          exactOf(
            all.map(([lower]) => lower),
            q,
          ),
          exactOf(
            all.map(([, upper]) => upper),
            q,
          ),
        ];
        assert.ok(
          answer >= lowest - 1e-9 * Math.abs(lowest) && answer <= highest + 1e-9 * Math.abs(highest),
          `${answer} is not between ${lowest} and ${highest}`,
        );
      }),
    );
  });

  it('is the same whether those of one layout were added up before or not', () => {
    fc.assert(
      fc.property(VALUES, VALUES, LAYOUT, fc.constantFrom(0.5, 0.95), (a, b, bounds, q) => {
        const parts = [explicitOf(a, bounds), explicitOf(b, bounds)];
        const [apart, together] = [parts, sumBuckets([parts])].map((buckets) => estimateQuantile(buckets, q, UNTOLD));
        assert.ok(Math.abs(apart - together) <= 1e-9 * Math.max(1, Math.abs(together)), `${apart} is not ${together}`);
      }),
    );
  });
});

/** Of the bucket of each observation. */
function edgesOf(buckets: HistogramBuckets): (readonly [number, number])[] {
  if (buckets.kind === 'explicit') {
    const { bounds, counts } = buckets;
    return counts.flatMap((count, i) =>
      Array.from(
        { length: count },
        () => [bounds[i - 1] ?? Math.min(0, bounds[0]), bounds[i] ?? bounds[i - 1]] as const,
      ),
    );
  }
  const { scale, zeroCount, positive, negative } = buckets;
  const run = ({ offset, counts }: typeof positive): (readonly [number, number])[] =>
    counts.flatMap((count, i) =>
      Array.from(
        { length: count },
        () => [2 ** ((offset + i) / 2 ** scale), 2 ** ((offset + i + 1) / 2 ** scale)] as const,
      ),
    );
  return [
    ...run(negative).map(([lower, upper]) => [-upper, -lower] as const),
    ...Array.from({ length: zeroCount }, () => [0, 0] as const),
    ...run(positive),
  ];
}
