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

/** Of three tries those (ms) beyond the bound. A machine may stand still in one of them; whoever keeps the bound keeps it in the others. */
export async function lateOfThree(boundMs: number, measure: () => Promise<number>): Promise<number[]> {
  const late: number[] = [];
  for (let tried = 0; tried < 3; tried++) {
    const ms = await measure();
    if (ms >= boundMs) late.push(ms);
  }
  return late;
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
