export interface DurationBucket {
  /** Lower bound in ms, inclusive; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts durations in buckets with the bounds 0, 1, 2, 5, 10, 20 … ms, from the shortest to the longest. */
export function buildDurationHistogram(durations: readonly number[]): readonly DurationBucket[] {
  if (durations.length === 0) return [];
  const counts = new Map<number, number>();
  for (const duration of durations) counts.set(findBucket(duration), (counts.get(findBucket(duration)) ?? 0) + 1);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    from: bucketEdge(first + index),
    to: bucketEdge(first + index + 1),
    count: counts.get(first + index) ?? 0,
  }));
}

const BUCKET_FACTORS = [1, 2, 5] as const;

/** Lower bound of a bucket; bucket 0 is below 1 ms. */
const bucketEdge = (step: number): number =>
  step === 0 ? 0 : (BUCKET_FACTORS.at((step - 1) % 3) ?? 1) * 10 ** Math.floor((step - 1) / 3);

function findBucket(duration: number): number {
  let step = 0;
  while (duration >= bucketEdge(step + 1)) step += 1;
  return step;
}
