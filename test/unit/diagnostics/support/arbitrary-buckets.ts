import fc from 'fast-check';
import { normalizeBuckets } from '../../../../src/diagnostics/rollups/distribution-sums.js';
import type {
  HistogramBuckets,
  BucketCounts,
  ExplicitBuckets,
  ExponentialBuckets,
} from '../../../../src/telemetry/metric-distributions.js';

/** As literals are, so that they can be compared. */
const PLAIN = { noNullPrototype: true } as const;

const count = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 }));

const boundsOf = (length: number): readonly number[] => Array.from({ length }, (_, i) => i * 2.5 - 1);

/** Of few layouts, so that they meet. */
export const explicit: fc.Arbitrary<ExplicitBuckets> = fc
  .constantFrom(boundsOf(1), boundsOf(3), boundsOf(5), [0, 1, 2], [0, 10, 2_000], [0.5])
  .chain((bounds) =>
    fc.record(
      {
        kind: fc.constant('explicit' as const),
        bounds: fc.constant(bounds),
        counts: fc.array(count, { minLength: bounds.length + 1, maxLength: bounds.length + 1 }),
      },
      PLAIN,
    ),
  );

const run: fc.Arbitrary<BucketCounts> = fc.record(
  { offset: fc.integer({ min: -40, max: 40 }), counts: fc.array(count, { maxLength: 12 }) },
  PLAIN,
);

/** Of at most 320 buckets, together with others too. */
export const exponential: fc.Arbitrary<ExponentialBuckets> = fc
  .record(
    {
      kind: fc.constant('exponential' as const),
      scale: fc.integer({ min: -2, max: 6 }),
      zeroThreshold: fc.constantFrom(0, 0, 0, 0.3, 1, 1.5, 1e-9),
      zeroCount: count,
      positive: run,
      negative: run,
    },
    PLAIN,
  )
  .map((received) => normalizeBuckets(received) as ExponentialBuckets)
  .filter((kept) => kept !== undefined);

export const buckets: fc.Arbitrary<HistogramBuckets> = fc.oneof(explicit, exponential);
