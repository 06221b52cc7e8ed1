/** A repeatable random source: the same seed produces the same shop. */
export interface RandomSource {
  /** Uniform, 0 ≤ x < 1. */
  uniform(): number;
  /** Log-normal around `mean`, like latencies; the median is a little below the mean. */
  latency(mean: number): number;
  /** Gap to the next event of a Poisson process. */
  nextArrivalMs(perSecond: number): number;
  pick<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
}

const SIGMA = 0.3;

/** Mulberry32 by Tommy Ettinger: 32 bits of state, enough for a demonstration. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  // Box-Muller.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    latency: (mean) => mean * Math.exp(SIGMA * normal() - (SIGMA * SIGMA) / 2),
    nextArrivalMs: (perSecond) => (-1000 * Math.log(1 - uniform())) / perSecond,
    pick(items) {
      let left = uniform() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) if ((left -= weight) < 0) return item;
      return items.at(-1)![1];
    },
  };
}
