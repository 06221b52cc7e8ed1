import { setImmediate } from 'node:timers/promises';

/** After so long (ms) the thread is left to others: a slice that began just before may take four times that. */
const TURN_MS = 5;

/**
 * Does a long work slice by slice, at most about 20 ms at a time, and leaves the thread to others in between. A slice
 * should take a few milliseconds, and MUST leave no transaction open.
 */
export async function inSlices<T>(slices: Generator<void, T, void>): Promise<T> {
  for (;;) {
    await setImmediate();
    const until = performance.now() + TURN_MS;
    do {
      const { done, value } = slices.next();
      if (done === true) return value;
    } while (performance.now() < until);
  }
}
