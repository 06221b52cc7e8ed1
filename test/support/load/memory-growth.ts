/** Resident memory at one moment. */
export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * Growth of memory in bytes a minute from `fromMs` on: the slope of the line with the least squared distance, so that
 * neither a collection of garbage nor a peak at either end decides. NaN with fewer than two samples.
 */
export function growthPerMinute(samples: readonly MemorySample[], fromMs: number): number {
  const judged = samples.filter(({ atMs }) => atMs >= fromMs);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMs = mean(judged.map(({ atMs }) => atMs));
  const meanBytes = mean(judged.map(({ bytes }) => bytes));
  const shared = judged.reduce((sum, { atMs, bytes }) => sum + (atMs - meanMs) * (bytes - meanBytes), 0);
  const squared = judged.reduce((sum, { atMs }) => sum + (atMs - meanMs) ** 2, 0);
  return (shared / squared) * 60_000;
}
