const TRIES = 5;

/**
 * How long (ms) something takes that a busy machine can only lengthen: of several tries the shortest, once one went beyond the
 * bound. A collection of garbage, a compilation or another process may fall into one try, not into each.
 */
export async function shortest(boundMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least >= boundMs; tried++) least = Math.min(least, await measure());
  return least;
}

/** Time (ms) that work takes by the clock. */
export async function elapsedMs(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Processor time (ms) that this process spends while work is done: what others do meanwhile does not count. */
export async function processorMs(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
