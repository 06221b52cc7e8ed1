/** Box and Muller. */
export function normal(roll: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll());
}

/** With median 1. */
export function lognormal(roll: () => number, sigma: number): number {
  return Math.exp(sigma * normal(roll));
}

/** By products of even numbers (Knuth), in parts so that none underflows. */
export function poisson(roll: () => number, mean: number): number {
  if (mean > 30) return poisson(roll, 30) + poisson(roll, mean - 30);
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); count++) product *= roll();
  return count;
}

export function binomial(roll: () => number, trials: number, chance: number): number {
  let hits = 0;
  for (let i = 0; i < trials; i++) if (roll() < chance) hits++;
  return hits;
}
