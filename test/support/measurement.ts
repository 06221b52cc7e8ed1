const ATTEMPTS = 5;

/**
 * The shortest of several measurements (ms); stops at the first one below the bound. Garbage collection, compilation or
 * other processes may lengthen some measurements, but not all.
 */
export async function shortest(boundMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= boundMs; attempt++) least = Math.min(least, await measure());
  return least;
}

/** Measures three times and returns the results (ms) beyond the bound. One may be caused by a stalled machine. */
export async function lateOfThree(boundMs: number, measure: () => Promise<number>): Promise<number[]> {
  const late: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const ms = await measure();
    if (ms >= boundMs) late.push(ms);
  }
  return late;
}

/** Elapsed time (ms) of the work. */
export async function elapsedMs(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Processor time (ms) of this process during the work, excluding other processes. */
export async function processorMs(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
