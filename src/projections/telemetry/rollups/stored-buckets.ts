import type { StoredBuckets } from '../../../read-models/metric-series.js';
import type { Buckets } from '../../../telemetry/distribution.js';
import type { NumberLists } from './number-lists.js';

/** What a histogram takes in memory beside its numbers, about; and one of these. */
const BUCKETS_BYTES = 200;
const NUMBER_BYTES = 8;

/** `bounds`: those of the source, to which its own are added. */
export function storedBuckets(buckets: Buckets, bounds: NumberLists): StoredBuckets {
  if (buckets.kind === 'exponential') return buckets;
  return { kind: 'explicit', bounds: bounds.indexOf(buckets.bounds), counts: buckets.counts };
}

export function restoredBuckets(stored: StoredBuckets | undefined, bounds: readonly (readonly number[])[] = []): Buckets | undefined {
  return stored?.kind === 'explicit' ? { kind: 'explicit', bounds: bounds[stored.bounds], counts: stored.counts } : stored;
}

/** Memory that it takes, about. */
export function bytesOf(buckets: Buckets | undefined): number {
  if (buckets === undefined) return 0;
  const numbers = buckets.kind === 'explicit' ? buckets.bounds.length + buckets.counts.length : buckets.positive.counts.length + buckets.negative.counts.length;
  return BUCKETS_BYTES + NUMBER_BYTES * numbers;
}
