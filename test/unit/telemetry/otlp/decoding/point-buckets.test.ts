import assert from 'node:assert/strict';
import type { HistogramBuckets } from '../../../../../src/telemetry/metric-distributions.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import {
  bodyOf,
  BOUNDS,
  decoded,
  decodedBody,
  exponential,
  EXPONENTIAL,
  fixed,
  histogram,
  HISTOGRAM,
  nest,
  real,
  requestOf,
} from '../../../../support/metric-bodies.js';
import { officialEncode } from '../../../../support/official-otlp.js';

const MAX_BOUNDS = 319;
const MAX_RUN = 4_096;

function countsOf(buckets: HistogramBuckets | undefined): readonly number[] | undefined {
  return buckets?.kind === 'explicit' ? buckets.counts : buckets?.positive.counts;
}

describe('explicit buckets', () => {
  it('come packed, one by one, and mixed', () => {
    const one = [fixed(6, 1n), real(7, 0.5), fixed(6, 2n), real(7, 2), fixed(6, 3n)];
    const packed = [
      nest(6, fixed(0, 1n).subarray(1), fixed(0, 2n).subarray(1)),
      nest(7, real(0, 0.5).subarray(1)),
      real(7, 2),
      nest(6, fixed(0, 3n).subarray(1)),
    ];
    for (const fields of [one, packed]) {
      const body = bodyOf(HISTOGRAM, ...fields);
      assert.deepEqual(validateRecords('metrics', body, BOUNDS).rejected, []);
      assert.deepEqual(decodedBody(body).buckets, [{ kind: 'explicit', bounds: [0.5, 2], counts: [1, 2, 3] }]);
    }
  });

  it('count past 2^53 as the nearest double', () => {
    const [buckets] = decoded(
      histogram({ explicitBounds: [1], bucketCounts: [2n ** 53n + 1n, 2n ** 64n - 1n] }),
    ).buckets;
    assert.deepEqual(countsOf(buckets), [2 ** 53, 2 ** 64]);
  });

  it('are none without bounds, and with bounds that do not ascend', () => {
    const bounds = [[], [2, 1], [1, 1], [0, -0], [NaN], [1, NaN], [NaN, 1], [-Infinity, Infinity]];
    const columns = decoded(
      histogram(
        ...bounds.map((explicitBounds) => ({
          count: 7n,
          explicitBounds,
          bucketCounts: Array<bigint>(explicitBounds.length + 1).fill(1n),
        })),
      ),
    );
    assert.deepEqual(columns.buckets, []);
    assert.deepEqual(
      [...columns.observations.subarray(0, columns.count)],
      bounds.map(() => 7),
    );
  });

  it('are none where counts do not fit, which validation rejects', () => {
    const misfits = histogram(
      { explicitBounds: [1, 2], bucketCounts: [1n] },
      { explicitBounds: [1], bucketCounts: [] },
      { explicitBounds: [1], bucketCounts: [1n, 2n, 3n] },
    );
    assert.deepEqual(decodedBody(officialEncode('metrics', requestOf(misfits))).buckets, []);
  });

  it('know no bounds at infinity', () => {
    const point = { explicitBounds: [-Infinity, 1, Infinity], bucketCounts: [1n, 2n, 4n, 8n] };
    assert.deepEqual(decoded(histogram(point)).buckets, [{ kind: 'explicit', bounds: [1], counts: [3, 12] }]);
  });

  it('are kept up to 320, and none past them', () => {
    const point = (length: number) => ({
      explicitBounds: Array.from({ length }, (_, i) => i),
      bucketCounts: Array.from({ length: length + 1 }, () => 1n),
    });
    const columns = decoded(histogram(point(MAX_BOUNDS), point(MAX_BOUNDS + 1), point(100_000), point(1)));
    assert.deepEqual(
      columns.buckets.map((each) => countsOf(each)?.length),
      [MAX_BOUNDS + 1, undefined, undefined, 2],
    );
  });

  it('share the list of bounds with the point before', () => {
    const point = (...explicitBounds: number[]) => ({
      explicitBounds,
      bucketCounts: Array.from({ length: explicitBounds.length + 1 }, () => 1n),
    });
    const bounds = decoded(histogram(point(1, 2), point(1, 2), point(1, 3), point(1))).buckets.map((each) =>
      each?.kind === 'explicit' ? each.bounds : [],
    );
    assert.equal(bounds[0], bounds[1]);
    assert.deepEqual(bounds, [[1, 2], [1, 2], [1, 3], [1]]);
  });
});

describe('exponential buckets', () => {
  const buckets = (...points: object[]) => decoded(exponential(...points)).buckets;
  const run = (offset: number, ...bucketCounts: number[]) => ({ offset, bucketCounts });

  it('lose the empty ones at both ends', () => {
    assert.deepEqual(
      buckets({
        scale: 2,
        zeroCount: 5n,
        zeroThreshold: 0.5,
        positive: run(-3, 0, 0, 1, 0, 2, 0),
        negative: run(9, 0),
      }),
      [
        {
          kind: 'exponential',
          scale: 2,
          zeroThreshold: 0.5,
          zeroCount: 5,
          positive: { offset: -1, counts: [1, 0, 2] },
          negative: { offset: 0, counts: [] },
        },
      ],
    );
  });

  it('retain nothing of the previous point', () => {
    const [, second, third] = buckets(
      { scale: -1, zeroCount: 5n, positive: run(1, 1, 2, 3), negative: run(2, 4) },
      { positive: run(0, 7, 0, 7) },
      {},
    );
    assert.deepEqual(second, {
      kind: 'exponential',
      scale: 0,
      zeroThreshold: 0,
      zeroCount: 0,
      positive: { offset: 0, counts: [7, 0, 7] },
      negative: { offset: 0, counts: [] },
    });
    assert.deepEqual(third, { ...second, positive: { offset: 0, counts: [] } });
  });

  it('come packed, one by one, and in several messages, which are one', () => {
    const positive = [
      nest(8, Buffer.from([0x10, 1, 0x08, 3])),
      nest(8, nest(2, Buffer.from([2, 0x80, 0x01])), Buffer.from([0x10, 4, 0x08, 1])),
    ];
    const body = bodyOf(EXPONENTIAL, ...positive);
    assert.deepEqual(validateRecords('metrics', body, BOUNDS).rejected, []);
    const [whole] = decodedBody(body).buckets;
    assert.deepEqual(whole?.kind === 'exponential' && whole.positive, { offset: -1, counts: [1, 2, 128, 4] });
  });

  it('are kept up to a run of 4,096, and none past it, at no cost of empty ones', () => {
    const spread = (size: number) => ({ scale: 5, positive: run(-2_000, 1, ...Array<number>(size - 2).fill(0), 1) });
    const lengths = buckets(spread(MAX_RUN), spread(MAX_RUN + 1), spread(MAX_RUN)).map(
      (each) => countsOf(each)?.length,
    );
    assert.deepEqual(lengths, [MAX_RUN, undefined, MAX_RUN]);
    const empty = bodyOf(
      EXPONENTIAL,
      nest(8, nest(2, Buffer.alloc(1_000_000), Buffer.from([1]))),
      Buffer.from([0x30, 40]),
    );
    assert.deepEqual(decodedBody(empty).buckets, [
      {
        kind: 'exponential',
        scale: 20,
        zeroThreshold: 0,
        zeroCount: 0,
        positive: { offset: 1_000_000, counts: [1] },
        negative: { offset: 0, counts: [] },
      },
    ]);
  });
});
